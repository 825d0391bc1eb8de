// What the makers of certificates with lengths and directions share.
#pragma once

#include <string>
#include <vector>

#include "antipode/path_certificate.hpp"
#include "measure/proved_bounds.hpp"

namespace antipode {

// While it is there, the engine's requests end with Interrupted as soon as the observer says stop.
class StopPathsWhen {
 public:
  StopPathsWhen(PathEngine& engine, Observer& observer) : engine_(engine) {
    engine.interrupt_when([&observer] { return observer.stop(); });
  }
  ~StopPathsWhen() { engine_.interrupt_when(nullptr); }
  StopPathsWhen(const StopPathsWhen&) = delete;
  StopPathsWhen& operator=(const StopPathsWhen&) = delete;

 private:
  PathEngine& engine_;
};

// Question, graph, scope and value.
PathCertificate blank_path_certificate(const PathEngine& engine, const Graph& whole,
                                       Question question, Length value);
std::vector<std::string> labels_of(const Graph& graph, const std::vector<Vertex>& vertices);
Along reversed(Along along);

}  // namespace antipode

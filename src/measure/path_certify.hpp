// What the makers of certificates with lengths and directions share.
#pragma once

#include <string>
#include <vector>

#include "antipode/error.hpp"
#include "antipode/path_certificate.hpp"
#include "measure/labels_of.hpp"
#include "measure/proved_bounds.hpp"

namespace antipode {

// Interrupted if the observer says stop; while it is there, the engine's requests end so, too.
class StopPathsWhen {
 public:
  StopPathsWhen(PathEngine& engine, Observer& observer) : engine_(engine) {
    if (observer.stop()) throw Interrupted();
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
Along reversed(Along along);

}  // namespace antipode

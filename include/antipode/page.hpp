// One page that shows what graphs are like: HTML that stands alone, loads nothing and needs no
// network. Each graph is measured within a time that its sections share. What would take longer is
// estimated from a sample or left out, and the page says so.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "antipode/certificate.hpp"
#include "antipode/engine.hpp"
#include "antipode/io.hpp"
#include "antipode/measures.hpp"
#include "antipode/path_certificate.hpp"

namespace antipode {

struct PageOptions {
  std::string engine = "auto";
  EngineOptions engine_options = {};
  double time_limit = 15;        // seconds for the measures of each graph; 0: none
  std::uint64_t seed = 1;        // of samples
  Observer* observer = nullptr;  // told of progress; when it says stop, what there is remains
  std::string version, command;  // what made the page, as it shall say
  std::string certificate;       // the file that its caller will write the proof to; empty: none
};

class Page {
 public:
  explicit Page(PageOptions options);
  ~Page();
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  struct Added {
    bool exact = false;     // the diameter
    bool finished = false;  // the observer did not say stop
    // Of the diameter, if options name its file, and if it is exact and the time sufficed.
    std::variant<std::monostate, Certificate, PathCertificate> proof;
  };
  // Measures the graph, which need not be connected: its largest component, or its largest strong
  // component where edges have directions, is what most sections speak of.
  Added add(const LoadedGraph& graph);
  std::size_t graphs() const;
  std::string html() const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace antipode

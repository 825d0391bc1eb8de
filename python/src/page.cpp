// The page of figures, which `antipode report` writes, too.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "antipode/error.hpp"
#include "antipode/page.hpp"
#include "bind.hpp"

namespace antipode::python {

namespace {

// Whether all diameters are exact. What is interrupted leaves the page of what there is.
bool report(const std::vector<const GraphObject*>& graphs, const std::vector<std::string>& names,
            const std::string& path, const std::string& version, std::uint64_t seed,
            const Ask& ask) {
  Watch watch(ask.progress, 0);  // the limit of time is that of the page
  const auto exact = without_gil(watch, [&] {
    Page page({.engine = ask.machine.engine,
               .engine_options = ask.machine.options(),
               .time_limit = ask.time_limit,
               .seed = seed,
               .observer = &watch,
               .version = version,
               .command = "Graph.report() of antipode_graph",
               .certificate = {}});
    bool all_exact = true;
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      LoadedGraph loaded;
      loaded.graph = graphs[i]->graph();
      loaded.name = names.at(i);
      loaded.format = "in memory";
      const Page::Added added = page.add(loaded);
      all_exact = all_exact && added.exact;
      if (!added.finished) break;
    }
    write_text(path, page.html());
    return all_exact;
  });
  watch.rethrow();
  if (!exact) throw Interrupted();
  return *exact;
}

}  // namespace

void bind_page(nb::module_& module) {
  module.def("report", &report, nb::arg("graphs"), nb::arg("names"), nb::arg("path"),
             nb::arg("version"), nb::arg("seed"), nb::arg("ask"),
             "Writes the page; whether all diameters are exact.");
}

}  // namespace antipode::python

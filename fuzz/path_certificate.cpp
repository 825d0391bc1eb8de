// Fuzz target for certificates with lengths and directions, of four small graphs: any bytes are
// refused or state the truth. The fingerprint and the text of the value are corrected, so that a
// mutated certificate is checked up to its facts. The truth comes from distances between all pairs.
#include <cstddef>
#include <cstdint>

#include "antipode/error.hpp"
#include "report/report.hpp"
#include "support/path_graphs.hpp"
#include "support/path_truth.hpp"

namespace {

using namespace antipode;

struct Case {
  Graph graph;
  reference::Paths paths;
  Fingerprint fingerprint;

  // A bow tie of two circles, with ways into it and out of it, and two vertices apart.
  static Case of(bool directed, bool weighted) {
    const std::vector<reference::Arc> arcs{
        {.from = 0, .to = 1, .length = 3},  {.from = 1, .to = 2, .length = 0},
        {.from = 2, .to = 0, .length = 5},  {.from = 2, .to = 3, .length = 7},
        {.from = 3, .to = 4, .length = 2},  {.from = 4, .to = 2, .length = 2},
        {.from = 5, .to = 0, .length = 9},  {.from = 6, .to = 5, .length = 4},
        {.from = 6, .to = 1, .length = 30}, {.from = 3, .to = 7, .length = 6},
        {.from = 7, .to = 8, .length = 0},  {.from = 8, .to = 9, .length = 1},
        {.from = 9, .to = 8, .length = 11}, {.from = 10, .to = 11, .length = 12}};
    PathCase made{.order = 12, .directed = directed, .weighted = weighted, .arcs = arcs};
    if (!weighted)
      for (reference::Arc& arc : made.arcs) arc.length = 1;
    const Graph graph = made.graph();
    return {graph, made.reference(), antipode::fingerprint(graph)};
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  set_threads(1);
  static const Case cases[] = {Case::of(false, false), Case::of(false, true), Case::of(true, false),
                               Case::of(true, true)};
  std::string why;
  try {
    auto any =
        report::parse_any_certificate("fuzz", {reinterpret_cast<const char*>(data), size}, why);
    auto* certificate = any ? std::get_if<PathCertificate>(&*any) : nullptr;
    if (certificate == nullptr) return 0;
    const Case& now = cases[(certificate->directed ? 2 : 0) + (certificate->weighted ? 1 : 0)];
    certificate->graph = now.fingerprint;
    certificate->text = to_text(certificate->value, now.graph.unit());
    Observer observer;
    if (verify_paths(*certificate, now.graph, observer).accepted &&
        !is_true(*certificate, now.graph, now.paths))
      __builtin_trap();
  } catch (const InputError&) {
  }
  return 0;
}

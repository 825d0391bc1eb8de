// Fuzz target for certificates of one small graph, Zachary's karate club: any bytes are refused or
// state the truth. The fingerprint is corrected, so that a mutated certificate is checked up to its
// facts. The truth comes from searches in this file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "report/report.hpp"

namespace {

using namespace antipode;

std::vector<Distance> eccentricities_of(const Graph& graph) {
  std::vector<Distance> result;
  for (Vertex source = 0; source < graph.order(); ++source) {
    std::vector<Distance> distance(graph.order(), kUnreached);
    std::vector<Vertex> queue{source};
    distance[source] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next)
      for (const Vertex u : graph.neighbors(queue[next]))
        if (distance[u] == kUnreached) {
          distance[u] = distance[queue[next]] + 1;
          queue.push_back(u);
        }
    result.push_back(distance[queue.back()]);
  }
  return result;
}

std::vector<std::string> vertices_with(const Graph& graph, const std::vector<Distance>& all,
                                       Distance value) {
  std::vector<std::string> result;
  for (Vertex v = 0; v < graph.order(); ++v)
    if (all[v] == value) result.push_back(graph.label(v));
  std::sort(result.begin(), result.end());
  return result;
}

bool is_true(Certificate certificate, const Graph& graph, const std::vector<Distance>& all) {
  const Distance radius = *std::min_element(all.begin(), all.end());
  const Distance diameter = *std::max_element(all.begin(), all.end());
  std::sort(certificate.members.begin(), certificate.members.end());
  switch (certificate.question) {
    case Question::diameter:
      return certificate.value == diameter;
    case Question::radius:
      return certificate.value == radius;
    case Question::center:
      return certificate.value == radius &&
             certificate.members == vertices_with(graph, all, radius);
    case Question::periphery:
      return certificate.value == diameter &&
             certificate.members == vertices_with(graph, all, diameter);
    case Question::eccentricity: {
      std::vector<Vertex> counts(diameter + 1, 0);
      for (const Distance each : all) ++counts[each];
      return certificate.distribution == counts;
    }
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  set_threads(1);
  static const Graph graph = generate("karate").graph;
  static const Fingerprint whole = fingerprint(graph);
  static const std::vector<Distance> all = eccentricities_of(graph);
  std::string why;
  try {
    auto certificate =
        report::parse_certificate("fuzz", {reinterpret_cast<const char*>(data), size}, why);
    if (!certificate) return 0;
    certificate->graph = whole;
    if (verify(*certificate, graph).accepted && !is_true(*certificate, graph, all))
      __builtin_trap();
  } catch (const InputError&) {
  }
  return 0;
}

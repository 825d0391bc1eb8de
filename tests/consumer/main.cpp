// A program that has nothing but the installed library. What is between the marks stands in
// README.md as well.
#include <antipode/antipode.hpp>
#include <iostream>

int main() {
  // [README]
  const auto loaded = antipode::load_graph("gen:karate");  // or "web.mtx.gz"
  const auto answer =
      antipode::diameter(loaded.graph, {.disconnected = antipode::Disconnected::largest});
  std::cout << "diameter " << answer.lower << ":";  // exact, unless a time limit was set
  for (const std::string& label : answer.path) std::cout << " " << label;
  std::cout << "\n";

  const auto passed =
      antipode::betweenness(loaded.graph, {.disconnected = antipode::Disconnected::reachable});
  std::cout << loaded.graph.label(0) << ": " << passed.values[0] << "\n";
  // [README]
  const bool right =
      answer.exact() && answer.lower == 5 && answer.path.size() == 6 && answer.about.order == 34;
  return right && passed.exact && passed.values[0] > 231.07 && passed.values[0] < 231.08 ? 0 : 1;
}

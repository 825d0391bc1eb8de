// A program of somebody else's, with nothing but the installed library.
#include <antipode/engine.hpp>
#include <antipode/graph.hpp>
#include <antipode/io.hpp>
#include <antipode/measures.hpp>
#include <iostream>

int main() {
  const antipode::LoadedGraph loaded = antipode::load_graph("gen:karate");
  const auto engine = antipode::make_engine("auto", loaded.graph);
  antipode::Observer observer;
  const antipode::Diameter answer = antipode::diameter(*engine, {}, observer);
  std::cout << answer.lower << "\n";
  return answer.exact() && answer.lower == 5 ? 0 : 1;
}

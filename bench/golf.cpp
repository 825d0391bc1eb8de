// Times parts: one evaluation, and annealing steps a second of many chains, of as many as the
// engine would take, and of one. Prints a table.
//   bench_golf [--engine NAME] [--threads N] [ORDER DEGREE PART]…
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "antipode/golf.hpp"

namespace {

using namespace antipode;

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median_of_five(const auto& work) {
  std::vector<double> times;
  work();
  for (int run = 0; run < 5; ++run) times.push_back(seconds_of(work));
  std::sort(times.begin(), times.end());
  return times[2];
}

// Hot: every move is taken, so that every evaluation is whole, and of those tried at the same time
// one counts. Cold: most are given up as soon as they are lost.
double steps_a_second(golf::PartEngine& engine, std::vector<golf::Chain> chains, Vertex degree,
                      const golf::Schedule& schedule) {
  for (std::uint64_t steps = 1;; steps *= 4) {
    const double seconds = seconds_of([&] { engine.anneal(chains, degree, schedule, steps); });
    if (seconds > 0.2)
      return static_cast<double>(steps) * static_cast<double>(chains.size()) / seconds;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string name = "auto";
  unsigned threads = 0;
  std::vector<Vertex> numbers;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--engine" && i + 1 < argc)
      name = argv[++i];
    else if (word == "--threads" && i + 1 < argc)
      threads = static_cast<unsigned>(std::stoul(argv[++i]));
    else
      numbers.push_back(static_cast<Vertex>(std::stoul(word)));
  }
  if (numbers.empty())
    numbers = {1000000, 32,   64, 100000, 8,    32, 65536, 6,  64, 9344, 6,
               16,      4855, 15, 5,      1726, 30, 2,     50, 4,  50};
  const auto engine = golf::make_part_engine(name, threads);
  fmt::print(
      "| n, d, m | engine | one evaluation | whole evaluations a second | annealing steps a second "
      "| chains | steps of these a second | of one chain |\n|---|---|---|---|---|---|---|---|\n");
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) {
    const Vertex order = numbers[i], degree = numbers[i + 1], size = numbers[i + 2];
    const golf::Part part = golf::random_part(order, degree, size, 1);
    const double one = median_of_five([&] { engine->evaluate(part); });
    std::vector<golf::Chain> chains(engine->chains(part));
    const golf::PartScore score = engine->evaluate(part);
    for (std::size_t c = 0; c < chains.size(); ++c)
      chains[c] = {.part = part,
                   .best = part,
                   .score = score,
                   .best_score = score,
                   .seed = c + 1,
                   .places = {}};
    const golf::Schedule cold{.hottest = 1e-3, .coldest = 1e-3, .steps = 1, .aim = kUnreached},
        hot{.hottest = 1e300, .coldest = 1e300, .steps = 1, .aim = kUnreached};
    std::vector<golf::Chain> many = chains;  // so many that none is tried in vain
    if (chains.size() > 1) many.resize(std::max<std::size_t>(chains.size(), 1024), chains.front());
    const double whole = steps_a_second(*engine, many, degree, hot);
    const double all = steps_a_second(*engine, many, degree, cold),
                 usual = steps_a_second(*engine, chains, degree, cold);
    const double alone = steps_a_second(*engine, {chains.front()}, degree, cold);
    fmt::print("| {}, {}, {} | {} | {:.4f} ms | {:.0f} | {:.0f} | {} | {:.0f} | {:.0f} |\n", order,
               degree, size, engine->name(), one * 1e3, whole, all, chains.size(), usual, alone);
    std::fflush(stdout);
  }
  return 0;
}

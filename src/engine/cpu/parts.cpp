// Annealing on threads, one chain per thread.
#include <algorithm>
#include <cmath>

#include "engine/cpu/engine.hpp"
#include "engine/cpu/part_evaluator.hpp"
#include "engine/host/part_moves.hpp"
#include "graph/machine.hpp"
#include "graph/parallel.hpp"

namespace antipode::cpu {

namespace {

class Walk {
 public:
  Walk(golf::Chain& chain, Vertex degree, const golf::Schedule& schedule)
      : chain_(chain),
        degree_(degree),
        schedule_(schedule),
        evaluator_(part_evaluator(chain.part)) {}

  void step() {
    PartRandom random(chain_.seed, chain_.step);
    const double limit = static_cast<double>(energy(chain_.part, chain_.score, schedule_.aim)) +
                         temperature(schedule_, chain_.step) * random.exponential();
    ++chain_.step;
    const PartMove move = propose(chain_.part, degree_, random);
    if (!move.possible) return;
    swap_edges(move);
    const auto score = evaluator_->score(chain_.part, schedule_.aim, limit);
    if (!score) {
      swap_edges(move);
      return;
    }
    chain_.score = *score;
    ++chain_.accepted;
    if (*score < chain_.best_score) {
      chain_.best_score = *score;
      chain_.best = chain_.part;
    }
  }

 private:
  // Exchanges the edges of the part with those of the move; doing it twice restores both.
  void swap_edges(const PartMove& move) {
    for (unsigned k = 0; k < move.count; ++k)
      std::swap(chain_.part.edges[move.where[k]], move.edges[k]);
  }

  golf::Chain& chain_;
  Vertex degree_;
  const golf::Schedule& schedule_;
  std::unique_ptr<PartEvaluator> evaluator_;
};

class CpuParts final : public golf::PartEngine {
 public:
  explicit CpuParts(unsigned threads) : threads_(thread_count(threads)) {}

  std::string_view name() const override { return "cpu"; }
  golf::PartScore evaluate(const golf::Part& part) override {
    return *part_evaluator(part)->score(part, kUnreached, HUGE_VAL);
  }
  std::size_t chains(const golf::Part&) const override { return threads_; }

  void anneal(std::span<golf::Chain> chains, Vertex degree, const golf::Schedule& schedule,
              std::uint64_t steps) override {
    in_pieces(chains.size(), 1, static_cast<int>(threads_),
              [&](std::size_t begin, std::size_t end, int) {
                for (std::size_t i = begin; i < end; ++i) {
                  Walk walk(chains[i], degree, schedule);
                  for (std::uint64_t step = 0; step < steps; ++step) walk.step();
                }
              });
  }

 private:
  unsigned threads_;
};

}  // namespace

std::unique_ptr<golf::PartEngine> make_part_engine(unsigned threads) {
  return std::make_unique<CpuParts>(threads);
}

}  // namespace antipode::cpu

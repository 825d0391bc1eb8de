// Searches of voltage graphs on threads, which share the words.
#include <fmt/format.h>

#include <algorithm>

#include "engine/cpu/engine.hpp"
#include "engine/cpu/source_words.hpp"
#include "graph/limits.hpp"
#include "graph/machine.hpp"
#include "graph/parallel.hpp"

namespace antipode::cpu {

namespace {

// Counts for each bit how many words had it set: eight-bit counters, whose digits lie in eight
// words.
class BitCounts {
 public:
  void add(Word word) {
    for (Word& digits : digits_) {
      const Word carry = digits & word;
      digits ^= word;
      if ((word = carry) == 0) break;
    }
    if (++added_ == 255) collect();
  }
  PartSearches::Counts counts() {
    collect();
    return counts_;
  }

 private:
  void collect() {
    for (std::size_t k = 0; k < 8; ++k)
      for (std::size_t i = 0; digits_[k] != 0 && i < counts_.size(); ++i)
        counts_[i] += static_cast<Vertex>((digits_[k] >> i & 1) << k);
    std::fill(std::begin(digits_), std::end(digits_), 0);
    added_ = 0;
  }

  Word digits_[8] = {};
  unsigned added_ = 0;
  PartSearches::Counts counts_{};
};

class CpuPartSearches final : public PartSearches {
 public:
  CpuPartSearches(const golf::Part& part, unsigned threads)
      : part_(part),
        steps_(part),
        threads_(static_cast<int>(threads)),
        seen_(part.order),
        next_(part.order) {}

  std::string description() const override {
    return fmt::format("{} thread{}", threads_, threads_ == 1 ? "" : "s");
  }

  void begin(std::span<const Vertex> sources, FirstDistances first) override {
    std::fill(seen_.begin(), seen_.end(), 0);
    for (std::size_t i = 0; i < sources.size(); ++i) seen_[place(sources[i])] = Word{1} << i;
    distances_.assign(first == FirstDistances::stored ? part_.order : 0, kUnreached);
    if (first == FirstDistances::stored) distances_[sources[0]] = 0;
  }

  Counts next(Distance level) override {
    constexpr Vertex kChunk = 4096;  // words that a thread takes at a time
    const Vertex chunks = part_.shifts() / kChunk + 1;
    Counts total{};
    std::atomic<std::uint64_t> taken{0};
    std::mutex adding;
    in_team(threads_, [&](int) {
      BitCounts bits;
      for (std::uint64_t i; (i = taken.fetch_add(1, std::memory_order_relaxed)) <
                            std::uint64_t{part_.size} * chunks;) {
        const Vertex k = static_cast<Vertex>(i % chunks);
        advance(static_cast<Vertex>(i / chunks), k * kChunk,
                std::min((k + 1) * kChunk, part_.shifts()), level, bits);
      }
      const Counts mine = bits.counts();
      const std::lock_guard lock(adding);
      for (std::size_t b = 0; b < kLanes; ++b) total[b] += mine[b];
    });
    std::swap(seen_, next_);
    return total;
  }

  void copy_distances(std::span<Distance> distances) const override {
    std::copy(distances_.begin(), distances_.end(), distances.begin());
  }

 private:
  std::size_t place(Vertex v) const {
    return std::size_t{v % part_.size} * part_.shifts() + v / part_.size;
  }

  void advance(Vertex residue, Vertex begin, Vertex end, Distance level, BitCounts& bits) {
    const Word* const seen = seen_.data() + std::size_t{residue} * part_.shifts();
    Word* const next = next_.data() + std::size_t{residue} * part_.shifts();
    std::copy(seen + begin, seen + end, next + begin);
    gather(part_, steps_.of(residue), begin, end, seen_.data(), next);
    for (Vertex q = begin; q < end; ++q) {
      const Word fresh = next[q] ^ seen[q];
      if (fresh == 0) continue;
      bits.add(fresh);
      if (!distances_.empty() && (fresh & 1) != 0)
        distances_[std::size_t{q} * part_.size + residue] = level;
    }
  }

  const golf::Part& part_;
  PartSteps steps_;
  int threads_;
  std::vector<Word> seen_, next_;
  std::vector<Distance> distances_;
};

}  // namespace

std::unique_ptr<PartSearches> make_part_searches(const golf::Part& part,
                                                 const EngineOptions& options) {
  refuse_bytes(part_search_bytes(part.order),
               fmt::format("a search of a part's {} vertices", part.order));
  return std::make_unique<CpuPartSearches>(part, thread_count(options.threads));
}

}  // namespace antipode::cpu

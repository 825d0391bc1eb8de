#include "engine/cpu/part_evaluator.hpp"

#include <algorithm>
#include <utility>

#include "engine/cpu/source_words.hpp"
#include "graph/limits.hpp"

namespace antipode::cpu {

namespace {

// Both directions of every edge, by the residue from which they lead.
class Arcs {
 public:
  explicit Arcs(Vertex size) : starts_(size + std::size_t{1}) {}

  void take(const golf::Part& part) {
    std::fill(starts_.begin(), starts_.end(), 0);
    for (const golf::PartEdge& e : part.edges) ++starts_[e.from], ++starts_[e.to];
    std::size_t sum = 0;
    for (auto& start : starts_) sum += std::exchange(start, sum);
    list_.resize(sum);
    for (const golf::PartEdge& e : part.edges) {
      list_[starts_[e.from]++] = {e.shift, e.to};
      list_[starts_[e.to]++] = {part.negative(e.shift), e.from};
    }
    std::rotate(starts_.begin(), starts_.end() - 1, starts_.end());
    starts_[0] = 0;
  }
  std::span<const golf::PartStep> of(Vertex r) const {
    return std::span(list_).subspan(starts_[r], starts_[r + 1] - starts_[r]);
  }

 private:
  std::vector<std::size_t> starts_;
  std::vector<golf::PartStep> list_;
};

// Adds up levels; evaluation stops as soon as the energy must exceed the limit.
struct ScoreSoFar {
  std::uint64_t left;  // pairs not reached yet
  golf::PartScore score;
  double base, limit;  // base: energy of earlier batches of sources

  bool add(std::uint64_t fresh, Distance level) {
    left -= fresh;
    score.sum += fresh * level;
    if (fresh > 0) score.diameter = level, score.last = fresh;
    return base + static_cast<double>(score.sum) + static_cast<double>(left) * (level + 1) <= limit;
  }
};

// A set of shifts (a bitset), and the sets from which it gathers.
struct Gathering {
  Word* sum;
  std::size_t words;
  std::span<const golf::PartStep> arcs;
  const Word* seen;  // all sets of the same source, each stored twice in `extended` words
  std::size_t extended;
  const Vertex* reached;  // size of each set; 0: nothing to gather
  Word last;              // mask of the last word
};

// Adds the rotated sets of all neighbours; returns the size of the set.
ANTIPODE_WIDE Vertex gather_all(const Gathering& set) {
  Word* const sum = set.sum;
  const std::size_t words = set.words;
  for (const golf::PartStep& arc : set.arcs) {
    if (set.reached[arc.to] == 0) continue;
    const Word* const from = set.seen + arc.to * set.extended + arc.shift / 64;
    const unsigned down = arc.shift % 64, up = 63 - down;
#ifndef __clang__
#pragma GCC ivdep
#endif
    for (std::size_t i = 0; i < words; ++i) sum[i] |= from[i] >> down | (from[i + 1] << 1) << up;
  }
  sum[words - 1] &= set.last;
  Vertex count = 0;
  for (std::size_t i = 0; i < words; ++i)
    count += static_cast<Vertex>(__builtin_popcountll(sum[i]));
  return count;
}

class ShiftSets final : public PartEvaluator {
 public:
  explicit ShiftSets(const golf::Part& like)
      : size_(like.size),
        shifts_(like.shifts()),
        words_((std::size_t{shifts_} + 63) / 64),
        extended_((2 * std::size_t{shifts_} + 63) / 64 + 2),
        arcs_(size_),
        seen_(std::size_t{size_} * size_ * extended_),
        next_(std::size_t{size_} * size_ * words_),
        reached_(std::size_t{size_} * size_),
        fresh_(reached_.size()) {}

  std::optional<golf::PartScore> score(const golf::Part& part, Distance aim,
                                       double limit) override {
    arcs_.take(part);
    std::fill(seen_.begin(), seen_.end(), 0);
    std::fill(next_.begin(), next_.end(), 0);
    std::fill(reached_.begin(), reached_.end(), 0);
    ScoreSoFar so_far{
        .left = std::uint64_t{size_} * (part.order - 1), .score = {}, .base = 0, .limit = limit};
    if (!so_far.add(first_level(), 1)) return std::nullopt;
    for (Distance level = 2; so_far.left > 0; ++level) {
      const std::uint64_t fresh = next_level();
      if (fresh == 0) break;
      if (!so_far.add(fresh, level)) return std::nullopt;
    }
    so_far.score.unreached = so_far.left;
    if (static_cast<double>(energy(part, so_far.score, aim)) > limit) return std::nullopt;
    return so_far.score;
  }

 private:
  Word* seen(std::size_t set) { return seen_.data() + set * extended_; }
  Word* next(std::size_t set) { return next_.data() + set * words_; }

  // A set is stored twice in succession, so that a rotation is a range of it.
  void extend(std::size_t set) {
    Word* const to = seen(set);
    const Word* const from = next(set);
    std::copy(from, from + words_, to);
    const unsigned up = shifts_ % 64;
    const std::size_t whole = shifts_ / 64;
    std::fill(to + words_, to + extended_, 0);
    for (std::size_t i = 0; i < words_; ++i) {
      to[whole + i] |= from[i] << up;
      if (up != 0) to[whole + i + 1] |= from[i] >> (64 - up);
    }
  }

  std::uint64_t first_level() {
    std::uint64_t fresh = 0;
    const auto add = [&](std::size_t set, Vertex shift) {
      Word& word = next(set)[shift / 64];
      const Word bit = Word{1} << shift % 64;
      const bool is_new = (word & bit) == 0;
      word |= bit;
      reached_[set] += is_new;
      return is_new;
    };
    for (Vertex a = 0; a < size_; ++a) {
      add(std::size_t{a} * size_ + a, 0);
      for (const golf::PartStep& arc : arcs_.of(a))
        fresh += add(std::size_t{a} * size_ + arc.to, arc.shift);
    }
    for (std::size_t set = 0; set < reached_.size(); ++set)
      if (reached_[set] > 0) extend(set);
    return fresh;
  }

  std::uint64_t next_level() {
    std::uint64_t total = 0;
    const Word last = shifts_ % 64 == 0 ? ~Word{0} : (Word{1} << shifts_ % 64) - 1;
    for (std::size_t set = 0; set < reached_.size(); ++set) {
      fresh_[set] = 0;
      if (reached_[set] == shifts_) continue;
      const std::size_t first = set / size_ * size_;
      fresh_[set] = gather_all({.sum = next(set),
                                .words = words_,
                                .arcs = arcs_.of(static_cast<Vertex>(set % size_)),
                                .seen = seen(first),
                                .extended = extended_,
                                .reached = reached_.data() + first,
                                .last = last}) -
                    reached_[set];
      total += fresh_[set];
    }
    for (std::size_t set = 0; set < reached_.size(); ++set) {
      if (fresh_[set] == 0) continue;
      reached_[set] += fresh_[set];
      extend(set);
    }
    return total;
  }

  Vertex size_, shifts_;
  std::size_t words_, extended_;  // of a set, and of one stored twice
  Arcs arcs_;
  std::vector<Word> seen_, next_;  // by source and residue
  std::vector<Vertex> reached_, fresh_;
};

// Copies the new words; returns the number of new bits.
ANTIPODE_WIDE std::uint64_t copy_fresh(Word* seen, const Word* next, std::size_t words) {
  std::uint64_t fresh = 0;
  for (std::size_t i = 0; i < words; ++i) {
    fresh += static_cast<std::uint64_t>(__builtin_popcountll(next[i] & ~seen[i]));
    seen[i] = next[i];
  }
  return fresh;
}

class SourceSets final : public PartEvaluator {
 public:
  explicit SourceSets(const golf::Part& like)
      : size_(like.size),
        shifts_(like.shifts()),
        arcs_(size_),
        seen_(like.order),
        next_(like.order) {}

  std::optional<golf::PartScore> score(const golf::Part& part, Distance aim,
                                       double limit) override {
    arcs_.take(part);
    golf::PartScore total;
    for (Vertex first = 0; first < size_; first += 64) {
      const Vertex count = std::min<Vertex>(64, size_ - first);
      ScoreSoFar so_far{.left = std::uint64_t{count} * (part.order - 1),
                        .score = {},
                        .base = static_cast<double>(energy(part, total, kUnreached)),
                        .limit = limit};
      std::fill(seen_.begin(), seen_.end(), 0);
      for (Vertex a = 0; a < count; ++a) seen_[std::size_t{first + a} * shifts_] = Word{1} << a;
      for (Distance level = 1; so_far.left > 0; ++level) {
        const std::uint64_t fresh = next_level(part);
        if (fresh == 0) break;
        if (!so_far.add(fresh, level)) return std::nullopt;
      }
      total.sum += so_far.score.sum;
      total.unreached += so_far.left;
      if (so_far.score.diameter > total.diameter)
        total.diameter = so_far.score.diameter, total.last = 0;
      if (so_far.score.diameter == total.diameter) total.last += so_far.score.last;
    }
    if (static_cast<double>(energy(part, total, aim)) > limit) return std::nullopt;
    return total;
  }

 private:
  std::uint64_t next_level(const golf::Part& part) {
    std::copy(seen_.begin(), seen_.end(), next_.begin());
    for (Vertex r = 0; r < size_; ++r)
      gather(part, arcs_.of(r), 0, shifts_, seen_.data(), next_.data() + std::size_t{r} * shifts_);
    return copy_fresh(seen_.data(), next_.data(), seen_.size());
  }

  Vertex size_, shifts_;
  Arcs arcs_;
  std::vector<Word> seen_, next_;  // of each vertex: the sources that reach it
};

}  // namespace

std::unique_ptr<PartEvaluator> part_evaluator(const golf::Part& like) {
  constexpr Vertex kFewShifts = 32, kManySources = 256;
  if (like.group.size() == 1 && like.shifts() >= kFewShifts && like.size <= kManySources) {
    refuse_bytes(std::uint64_t{like.size} * like.size * (std::uint64_t{like.shifts()} / 8 * 3 + 64),
                 "this part");
    return std::make_unique<ShiftSets>(like);
  }
  refuse_bytes(std::uint64_t{like.order} * 16, "this part");
  return std::make_unique<SourceSets>(like);
}

}  // namespace antipode::cpu

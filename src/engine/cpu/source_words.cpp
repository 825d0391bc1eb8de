#include "engine/cpu/source_words.hpp"

#include <algorithm>

#include "engine/host/part_searches.hpp"

namespace antipode::cpu {

namespace {

ANTIPODE_WIDE void or_into(Word* sum, const Word* from, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) sum[i] |= from[i];
}

}  // namespace

void gather(const golf::Part& part, std::span<const golf::PartStep> steps, Vertex begin, Vertex end,
            const Word* seen, Word* next) {
  const Vertex run = run_of(part);
  for (Vertex first = begin / run * run; first < end; first += run) {
    const Vertex here = std::max(first, begin), last = std::min(first + run, end);
    for (const golf::PartStep& step : steps) {
      // From `round` on, words come from the beginning of the other run.
      const Vertex turn = step.shift % run, round = first + (run - turn);
      const Word* const from =
          seen + std::size_t{step.to} * part.shifts() + part.sum(first, step.shift) / run * run;
      const Vertex middle = std::clamp(round, here, last);
      or_into(next + here, from + turn + (here - first), middle - here);
      or_into(next + middle, from + (middle - round), last - middle);
    }
  }
}

}  // namespace antipode::cpu

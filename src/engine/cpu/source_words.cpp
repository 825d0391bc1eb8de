#include "engine/cpu/source_words.hpp"

#include <algorithm>

namespace antipode::cpu {

namespace {

ANTIPODE_WIDE void or_into(Word* sum, const Word* from, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) sum[i] |= from[i];
}

}  // namespace

void gather(const Part& part, std::span<const PartStep> steps, Vertex begin, Vertex end, const Word* seen, Word* next) {
  const Vertex run = part.group.back(), first = begin / run * run;
  for (const PartStep& step : steps) {
    const Vertex turn = step.shift % run, round = first + (run - turn);  // from there on words come from the beginning of the other run
    const Word* const from = seen + std::size_t{step.to} * part.shifts() + part.sum(first, step.shift) / run * run;
    const Vertex middle = std::clamp(round, begin, end);
    or_into(next + begin, from + turn + (begin - first), middle - begin);
    or_into(next + middle, from + (middle - round), end - middle);
  }
}

}  // namespace antipode::cpu

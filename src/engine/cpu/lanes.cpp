#include "engine/cpu/lanes.hpp"

#include <algorithm>

#include "engine/cpu/instruction_set.hpp"

namespace antipode::cpu {

namespace {

using MakeKernel = std::unique_ptr<LaneKernel> (*)(const LaneMachine&, unsigned);

MakeKernel best_kernel() {
  switch (best_instruction_set()) {
    case InstructionSet::avx512:
      return avx512_lanes;
    case InstructionSet::avx2:
      return avx2_lanes;
    default:
      return portable_lanes;
  }
}

}  // namespace

LaneKernel& Lanes::kernel_for(std::size_t sources) {
  const unsigned words = sources <= 64 ? 1 : sources <= 256 ? 4 : 8;
  if (words != words_) {
    words_ = 0;
    kernel_.reset();
    kernel_ = best_kernel()(machine_, words);
    words_ = words;
  }
  return *kernel_;
}

template <class Work>
void Lanes::in_batches(std::span<const Vertex> sources, Work work) {
  for (std::size_t begin = 0; begin < sources.size(); begin += machine_.most) {
    const auto part = sources.subspan(begin, std::min(machine_.most, sources.size() - begin));
    work(kernel_for(part.size()), part, begin);
  }
}

void Lanes::summarize(std::span<const Vertex> sources, std::span<Summary> summaries) {
  in_batches(sources, [&](LaneKernel& kernel, std::span<const Vertex> part, std::size_t begin) {
    kernel.summarize(part, summaries.subspan(begin, part.size()));
  });
}

void Lanes::count(std::span<const Vertex> sources, DistanceCounts& counts) {
  in_batches(sources, [&](LaneKernel& kernel, std::span<const Vertex> part, std::size_t begin) {
    if (counts.multiplicities.empty()) return kernel.distribution(part, counts.vertices);
    kernel.weighted_distribution(part, counts.multiplicities.subspan(begin, part.size()),
                                 counts.vertices);
  });
}

void Lanes::add_distances(std::span<const Vertex> sources, DistanceSums& sums) {
  in_batches(sources, [&](LaneKernel& kernel, std::span<const Vertex> part, std::size_t) {
    kernel.add_distances(part, sums);
  });
}

void Lanes::find_farthest(std::span<const Vertex> sources, const host::FarthestRequest& request) {
  kernel_for(sources.size()).find_farthest(sources, request);
}

}  // namespace antipode::cpu

#include "engine/cuda/lengths/passes.hpp"

#include <algorithm>
#include <numeric>

#include "antipode/error.hpp"
#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/lengths/pass_kernel.hpp"

namespace antipode::cuda {

namespace {

constexpr unsigned kThreads = 512;  // of a block; four of them are resident on a multiprocessor
constexpr unsigned kBlocksEach = 4;

// A batch takes long, and nothing interrupts a kernel: so many are launched at once.
constexpr std::size_t kBatchesOfLaunch = 16;  // for each block

}  // namespace

LengthPasses::LengthPasses(const Context& context, const LengthFolding<std::uint32_t>& folding,
                           std::function<bool()> interrupted)
    : context_(context), interrupted_(std::move(interrupted)), layout_(lay_out(folding)) {
  const auto copied = [&](const auto& values) {
    using T = typename std::decay_t<decltype(values)>::value_type;
    Buffer<T> buffer(std::max<std::size_t>(values.size(), 1));
    context_.upload(buffer.data(), std::span<const T>(values));
    return buffer;
  };
  level_begin_ = copied(layout_.level_begin);
  level_stored_ = copied(layout_.level_stored);
  offsets_ = copied(layout_.offsets);
  arcs_ = copied(layout_.arcs);
  level_of_ = copied(layout_.level_of);
  next_ = Buffer<unsigned>(1);
  const std::size_t order = layout_.place_of.size();
  const std::size_t line = order * kSources * sizeof(unsigned);
  const std::size_t most = free_memory() / 10 * 9 / std::max<std::size_t>(line, 1);
  blocks_ = static_cast<unsigned>(std::min<std::size_t>(
      most, static_cast<std::size_t>(context_.multiprocessors()) * kBlocksEach));
  if (blocks_ == 0)
    throw OutOfMemory("too little memory of the GPU for the distances of 32 sources");
}

std::vector<PathSummary> LengthPasses::summarize(std::span<const Vertex> sources) {
  std::vector<std::size_t> sequence(sources.size());
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  std::sort(sequence.begin(), sequence.end(), [&](std::size_t a, std::size_t b) {
    return layout_.rank_of[sources[a]] < layout_.rank_of[sources[b]];
  });
  std::vector<PathSummary> result(sources.size());
  const std::size_t most = sources_at_once() * kBatchesOfLaunch;
  std::vector<unsigned> places;
  std::vector<PassOutcome> outcomes;
  for (std::size_t first = 0; first < sequence.size(); first += most) {
    if (interrupted_()) throw Interrupted();
    const std::size_t count = std::min(most, sequence.size() - first);
    places.assign((count + kSources - 1) / kSources * kSources, kNoVertex);
    outcomes.resize(places.size());
    for (std::size_t i = 0; i < count; ++i)
      places[i] = layout_.place_of[sources[sequence[first + i]]];
    run(places, outcomes);
    for (std::size_t i = 0; i < count; ++i)
      result[sequence[first + i]] = {.eccentricity = outcomes[i].farthest,
                                     .reached = outcomes[i].reached,
                                     .distance_sum = outcomes[i].sum};
  }
  return result;
}

void LengthPasses::run(std::span<const unsigned> places, std::span<PassOutcome> outcomes) {
  const auto batches = static_cast<unsigned>(places.size() / kSources);
  const unsigned order = static_cast<unsigned>(layout_.place_of.size());
  const unsigned levels = static_cast<unsigned>(layout_.level_stored.size());
  const unsigned blocks = std::min(blocks_, batches);
  context_.make_room(distances_, std::size_t{blocks} * order * kSources);
  context_.make_room(places_, places.size());
  context_.make_room(outcomes_, outcomes.size());
  context_.upload(places_.data(), places);
  context_.fill_bytes(next_.data(), 0, 1);
  const std::size_t words = pass_words(order, levels);
  const std::size_t most_shared = context_.shared_bytes_per_multiprocessor() / kBlocksEach - 2048;
  const bool is_shared = words * sizeof(unsigned) <= most_shared;
  if (!is_shared) context_.make_room(marks_, words * blocks);
  const std::size_t shared = is_shared ? words * sizeof(unsigned) : 0;
  check(cudaFuncSetAttribute(pass_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared)),
        "reserving shared memory");
  pass_kernel<<<blocks, kThreads, shared, context_.stream()>>>(
      {.order = order,
       .levels = levels,
       .level_begin = level_begin_.data(),
       .level_stored = level_stored_.data(),
       .offsets = offsets_.data(),
       .arcs = arcs_.data(),
       .level_of = level_of_.data()},
      {.places = places_.data(),
       .batches = batches,
       .next = next_.data(),
       .distances = distances_.data(),
       .marks = is_shared ? nullptr : marks_.data(),
       .outcomes = outcomes_.data()});
  check(cudaGetLastError(), "launching passes");
  context_.download(outcomes, static_cast<const PassOutcome*>(outcomes_.data()));
}

}  // namespace antipode::cuda

// Searches of voltage graphs on an OpenCL device, one launch per level. Memory: 20 bytes per
// vertex.
#include <fmt/format.h>

#include <algorithm>

#include "antipode/error.hpp"
#include "engine/opencl/context.hpp"
#include "engine/opencl/engine.hpp"

namespace antipode::opencl {

namespace {

class ClPartSearches final : public PartSearches {
 public:
  ClPartSearches(const golf::Part& part, const Device& device)
      : part_(part),
        context_(device),
        program_(context_, "parts"),
        seen_(context_, part.order),
        next_(context_, part.order),
        distances_(context_, part.order),
        counts_(context_, kLanes),
        factors_(context_, std::span<const Vertex>(part.group)) {
    const PartSteps steps(part);
    starts_ = Buffer<Vertex>(context_, steps.starts);
    steps_ = Buffer<golf::PartStep>(context_, std::max<std::size_t>(1, steps.list.size()));
    steps_.upload(steps.list);
  }
  ~ClPartSearches() override {
    cl().clFinish(context_.queue());
  }  // kernels may still use the buffers

  std::string description() const override {
    return fmt::format("{} ({})", context_.device().info.name, context_.device().info.platform);
  }

  void begin(std::span<const Vertex> sources, FirstDistances first) override {
    all_ = sources.size() == kLanes ? ~cl_ulong{0} : (cl_ulong{1} << sources.size()) - 1;
    stores_distances_ = first == FirstDistances::stored;
    seen_.fill(0);
    if (stores_distances_) {
      const Distance zero = 0;
      distances_.fill(kUnreached);
      distances_.upload(std::span(&zero, 1), sources[0]);
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const std::size_t at =
          std::size_t{sources[i] % part_.size} * part_.shifts() + sources[i] / part_.size;
      const cl_ulong word = cl_ulong{1} << i;
      seen_.upload(std::span(&word, 1), at);
    }
  }

  Counts next(Distance level) override {
    constexpr std::size_t kGroups = 64;  // for each unit
    counts_.fill(0);
    const Range all = Range::over(part_.order);
    program_.run("next_level",
                 {std::min(all.items, all.group * kGroups * context_.device().units), all.group},
                 part_.order, part_.size, part_.shifts(), factors_,
                 static_cast<cl_uint>(part_.group.size()), starts_, steps_, all_, seen_, next_,
                 distances_, cl_uint{stores_distances_}, level, counts_);
    std::swap(seen_, next_);
    Counts result;
    counts_.download(result);
    return result;
  }

  void copy_distances(std::span<Distance> distances) const override {
    distances_.download(distances);
  }

 private:
  const golf::Part& part_;
  Context context_;
  Program program_;
  Buffer<cl_ulong> seen_, next_;
  Buffer<Distance> distances_;
  Buffer<Vertex> counts_, factors_, starts_;
  Buffer<golf::PartStep> steps_;
  cl_ulong all_ = 0;
  bool stores_distances_ = false;
};

}  // namespace

std::unique_ptr<PartSearches> make_part_searches(const golf::Part& part,
                                                 const EngineOptions& options) {
  const Device device = find_device(options.device);
  const std::uint64_t limit = options.memory_limit == 0
                                  ? device.info.memory
                                  : std::min(device.info.memory, options.memory_limit),
                      need = part_search_bytes(part.order);
  if (need > limit || std::uint64_t{part.order} * 8 > device.largest_buffer)
    throw OutOfMemory(
        fmt::format("the opencl engine needs about {} bytes for this part, and {} of {} may be "
                    "used: raise --memory-limit, or use --engine cpu",
                    need, limit, device.info.name));
  return std::make_unique<ClPartSearches>(part, device);
}

}  // namespace antipode::opencl

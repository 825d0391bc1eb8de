#include "cli/checkpoint.hpp"

#include <fmt/format.h>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "cli/session.hpp"

namespace antipode::cli {

void CheckpointOptions::add_to(Command command, Estimate has_estimate) {
  const Option where = add_target(command, "--checkpoint", file,
                                  "a file that holds what is done so far, written again and again");
  command.add_option("--checkpoint-every", every, "seconds between two checkpoints")
      .not_negative()
      .needs(where)
      .show_default();
  if (has_estimate == Estimate::yes)
    command.add_flag("--estimate", estimate,
                     "only say how long it would take and what memory, from a few sources");
  command.add_flag("--resume", resume, "go on from the checkpoint").needs(where);
}

// The saved state refers to vertices by number, so every adjacency must be the same, and the
// sources must be in the same order.
std::string checkpoint_key(std::string_view question, const Graph& graph,
                           std::span<const Vertex> sources) {
  std::uint64_t sum = checksum(std::as_bytes(graph.offsets()));
  sum = checksum(std::as_bytes(graph.targets()), sum);
  sum = checksum(std::as_bytes(sources), sum);
  if (graph.has_lengths()) sum = checksum(std::as_bytes(graph.adjacency().lengths), sum);
  return fmt::format("{} of {} vertices, {} edges, {:016x}", question, graph.order(), graph.size(),
                     sum);
}

CheckpointFile::CheckpointFile(const CheckpointOptions& options, std::string_view question,
                               const Graph& graph, std::span<const Vertex> sources)
    : CheckpointFile(options,
                     options.file.empty() ? "" : checkpoint_key(question, graph, sources)) {}

CheckpointFile::CheckpointFile(const CheckpointOptions& options, std::string key)
    : options_(options) {
  if (!options.file.empty() && !options.estimate)
    file_.emplace(options.file, std::move(key),
                  options.resume ? Checkpoint::Begin::resume : Checkpoint::Begin::anew);
}

bool CheckpointFile::is_due() {
  return is_active() &&
         std::chrono::duration<double>(Clock::now() - last_).count() >= options_.every;
}

void CheckpointFile::save(std::span<const unsigned char> state) {
  last_ = Clock::now();
  try {
    file_->save(state);
  } catch (const DeviceError& error) {
    say(fmt::format("warning: no checkpoint: {}; the computation goes on\n", error.what()));
  }
}

void CheckpointFile::remove() {
  if (is_active()) file_->remove();
}

std::vector<unsigned char> CheckpointFile::load() {
  if (!options_.resume || !is_active()) return {};
  auto state = file_->load();
  if (state.empty())
    say(fmt::format("warning: {}: nothing was kept before: everything is computed\n",
                    options_.file));
  return state;
}

}  // namespace antipode::cli

#include "cli/checkpoint.hpp"

#include <fmt/format.h>

#include "antipode/error.hpp"
#include "antipode/io.hpp"

namespace antipode::cli {

void CheckpointOptions::add_to(CLI::App& command) {
  auto* where = command.add_option("--checkpoint", file, "a file that holds what is done so far, written again and again");
  command.add_option("--checkpoint-every", every, "seconds between two checkpoints")->check(CLI::NonNegativeNumber)->needs(where)->capture_default_str();
  command.add_flag("--estimate", estimate, "only say how long it would take and what memory, from a few sources");
  command.add_flag("--resume", resume, "go on from the checkpoint")->needs(where);
}

CheckpointFile::CheckpointFile(const CheckpointOptions& options, std::string_view question, const Graph& graph) : options_(options) {
  if (!active()) return;
  const Fingerprint print = fingerprint(graph);
  key_ = fmt::format("{} of {} vertices, {} edges, {:016x}", question, print.order, print.size, print.hash);
}

bool CheckpointFile::due() { return active() && std::chrono::duration<double>(Clock::now() - last_).count() >= options_.every; }

void CheckpointFile::keep(std::span<const unsigned char> state) {
  save_checkpoint(options_.file, key_, state);
  last_ = Clock::now();
}

std::vector<unsigned char> CheckpointFile::kept() {
  if (!options_.resume) return {};
  return load_checkpoint(options_.file, key_);
}

}  // namespace antipode::cli

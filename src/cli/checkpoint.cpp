#include "cli/checkpoint.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "cli/session.hpp"

namespace antipode::cli {

void CheckpointOptions::add_to(CLI::App& command) {
  auto* where = add_target(command, "--checkpoint", file,
                           "a file that holds what is done so far, written again and again");
  command.add_option("--checkpoint-every", every, "seconds between two checkpoints")
      ->check(CLI::NonNegativeNumber)
      ->needs(where)
      ->capture_default_str();
  command.add_flag("--estimate", estimate,
                   "only say how long it would take and what memory, from a few sources");
  command.add_flag("--resume", resume, "go on from the checkpoint")->needs(where);
}

CheckpointFile::CheckpointFile(const CheckpointOptions& options, std::string_view question,
                               const Graph& graph, std::span<const Vertex> sources)
    : options_(options) {
  if (!active()) return;
  // What is kept goes by vertex numbers, so the graph must be the same to the last row, and the
  // sources in the same order.
  std::uint64_t sum = checksum(std::as_bytes(graph.offsets()));
  sum = checksum(std::as_bytes(graph.targets()), sum);
  sum = checksum(std::as_bytes(sources), sum);
  key_ = fmt::format("{} of {} vertices, {} edges, {:016x}", question, graph.order(), graph.size(),
                     sum);
}

bool CheckpointFile::due() {
  return active() && std::chrono::duration<double>(Clock::now() - last_).count() >= options_.every;
}

void CheckpointFile::keep(std::span<const unsigned char> state) {
  save_checkpoint(options_.file, key_, state);
  last_ = Clock::now();
}

void CheckpointFile::remove() {
  if (active()) std::remove(options_.file.c_str());
}

std::vector<unsigned char> CheckpointFile::kept() {
  if (!options_.resume) return {};
  return load_checkpoint(options_.file, key_);
}

}  // namespace antipode::cli

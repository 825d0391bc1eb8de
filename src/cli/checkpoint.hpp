// --checkpoint, --resume and --estimate of the verbs that may run for long.
#pragma once

#include <CLI/CLI.hpp>

#include <chrono>

#include "antipode/measures.hpp"

namespace antipode::cli {

struct CheckpointOptions {
  std::string file;
  double every = 60;
  bool resume = false;
  bool estimate = false;  // only say how long it would take
  void add_to(CLI::App& command);
};

// Keeps in a file. The question is the verb with those of its options that change the answer, and
// the sources where they were listed.
class CheckpointFile final : public Keeper {
 public:
  CheckpointFile(const CheckpointOptions& options, std::string_view question, const Graph& graph,
                 std::span<const Vertex> sources = {});
  bool active() const override { return !options_.file.empty(); }
  bool due() override;
  void keep(std::span<const unsigned char> state) override;
  std::vector<unsigned char> kept() override;
  void remove();  // all is done

 private:
  using Clock = std::chrono::steady_clock;

  const CheckpointOptions& options_;
  std::string key_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace antipode::cli

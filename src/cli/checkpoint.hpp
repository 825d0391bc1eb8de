// --checkpoint, --resume and --estimate of the verbs that may run for long.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "antipode/io.hpp"
#include "antipode/measures.hpp"
#include "cli/command.hpp"

namespace antipode::cli {

struct CheckpointOptions {
  std::string file;
  double every = 60;
  bool resume = false;
  bool estimate = false;            // only say how long it would take
  enum class Estimate { yes, no };  // whether the verb has --estimate, too
  void add_to(Command command, Estimate has_estimate = Estimate::yes);
  std::string resumed_from() const { return resume ? file : std::string(); }
};

// The question is the verb with those of its options that change the answer, and the sources where
// they were listed.
std::string checkpoint_key(std::string_view question, const Graph& graph,
                           std::span<const Vertex> sources = {});

// Stores checkpoints in a file. If one cannot be written, it warns and tries again later: a full
// disk does not end a computation.
class CheckpointFile final : public CheckpointStore {
 public:
  CheckpointFile(const CheckpointOptions& options, std::string_view question, const Graph& graph,
                 std::span<const Vertex> sources = {});
  CheckpointFile(const CheckpointOptions& options, std::string key);
  bool is_active() const override { return file_.has_value(); }
  bool is_due() override;
  void save(std::span<const unsigned char> state) override;
  std::vector<unsigned char> load() override;
  void remove();  // all is done

 private:
  using Clock = std::chrono::steady_clock;

  const CheckpointOptions& options_;
  std::optional<Checkpoint> file_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace antipode::cli

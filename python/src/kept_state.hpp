// A checkpoint that a caller has asked for: the state of a long measure in a file, which the
// program writes and reads for the same question.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "antipode/io.hpp"
#include "antipode/measures.hpp"

namespace antipode::python {

struct CheckpointAsk {
  std::string file;   // empty: none
  double every = 60;  // seconds
  bool resume = false;
};

class KeptState final : public CheckpointStore {
 public:
  explicit KeptState(const CheckpointAsk& ask) : ask_(ask) {}

  // Before the measure. `question`: with those of its options that change the answer. The state
  // refers to vertices by number, so the key has every adjacency.
  void open(const std::string& question, const Graph& graph);
  void remove();  // all is done

  bool is_active() const override { return file_.has_value(); }
  bool is_due() override;
  void save(std::span<const unsigned char> state) override;
  std::vector<unsigned char> load() override;

  bool is_wanted() const { return !ask_.file.empty(); }
  void warn();  // with the GIL: of what did not work and ended nothing

 private:
  using Clock = std::chrono::steady_clock;

  const CheckpointAsk& ask_;
  std::optional<Checkpoint> file_;
  Clock::time_point last_ = Clock::now();
  std::string warning_;
};

}  // namespace antipode::python

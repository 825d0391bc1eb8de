// A checkpoint in memory, and a computation that is stopped again and again.
#pragma once

#include "antipode/measures.hpp"

namespace antipode::testing {

class MemoryCheckpoint final : public CheckpointStore {
 public:
  bool is_active() const override { return true; }
  bool is_due() override { return true; }
  void save(std::span<const unsigned char> state) override {
    state_.assign(state.begin(), state.end());
  }
  std::vector<unsigned char> load() override { return state_; }

 private:
  std::vector<unsigned char> state_;
};

// Says stop after a part.
class Impatient final : public Observer {
 public:
  void progress(const Progress&) override { has_part_ = true; }
  bool stop() override { return has_part_; }

 private:
  bool has_part_ = false;
};

// run(observer, checkpoint), stopped after every part, until it is finished.
template <class Run>
auto resumed_until_finished(Run run) {
  MemoryCheckpoint checkpoint;
  for (;;) {
    Impatient observer;
    auto result = run(observer, checkpoint);
    if (result.finished) return result;
  }
}

}  // namespace antipode::testing

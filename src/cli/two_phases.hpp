// One checkpoint for eccentricities along the arcs and then against them. The state is that of the
// phase at work, after the results of the first if it is the second.
#pragma once

#include <optional>

#include "antipode/measures.hpp"
#include "antipode/path_measures.hpp"

namespace antipode::cli {

class TwoPhases {
 public:
  TwoPhases(CheckpointStore& file, Vertex order);  // an InputError for what is no such state
  const std::optional<PathEccentricities>& first() const { return first_; }
  void finish_first(PathEccentricities found);
  CheckpointStore& store() { return store_; }

 private:
  class Store final : public CheckpointStore {
   public:
    explicit Store(TwoPhases& phases) : phases_(phases) {}
    bool is_active() const override { return phases_.file_.is_active(); }
    bool is_due() override { return phases_.file_.is_due(); }
    void save(std::span<const unsigned char> state) override;
    std::vector<unsigned char> load() override { return phases_.loaded_; }

   private:
    TwoPhases& phases_;
  };

  void read_first(std::span<const unsigned char> bytes, Vertex order);

  CheckpointStore& file_;
  std::vector<unsigned char> loaded_;       // the state of the phase at work
  std::vector<unsigned char> first_bytes_;  // what stands before it
  std::optional<PathEccentricities> first_;
  Store store_{*this};
};

}  // namespace antipode::cli

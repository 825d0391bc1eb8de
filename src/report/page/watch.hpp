// The time of one graph's sections. Each has a share of the limit; what one leaves, the next may
// use.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>

#include "antipode/measures.hpp"

namespace antipode::page {

class Watch final : public Observer {
 public:
  Watch(Observer* outer, double limit) : outer_(outer), limit_(limit) {}

  // What follows is to end when this share of the limit is over, counted from the beginning.
  void until(double share) { end_ = limit_ > 0 ? share * limit_ : kEndless; }
  double end() const { return end_; }  // in seconds from the beginning
  void end_at(double seconds) { end_ = seconds; }
  void cut(double share_of_left) { end_ = seconds() + share_of_left * left(); }
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  double left() const { return std::max(0.0, end_ - seconds()); }
  bool is_interrupted() {  // by the caller: then all sections end
    if (outer_ != nullptr && outer_->stop()) interrupted_ = true;
    return interrupted_;
  }

  void progress(const Progress& progress) override {
    if (outer_ != nullptr) outer_->progress(progress);
  }
  bool stop() override { return is_interrupted() || seconds() >= end_; }

 private:
  static constexpr double kEndless = std::numeric_limits<double>::infinity();

  Observer* outer_;
  double limit_, end_ = kEndless;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<bool> interrupted_{false};
};

// While it is there, requests to the engine end with Interrupted when the time is over.
template <class AnyEngine>
class Limit {
 public:
  Limit(AnyEngine& engine, Watch& watch) : engine_(engine) {
    engine.interrupt_when([&watch] { return watch.stop(); });
  }
  ~Limit() { engine_.interrupt_when(nullptr); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  AnyEngine& engine_;
};

}  // namespace antipode::page

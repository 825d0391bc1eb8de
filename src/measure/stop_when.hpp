// While it is there, an engine's requests end with Interrupted as soon as the observer says stop,
// however a measure ends.
#pragma once

#include "antipode/measures.hpp"

namespace antipode {

template <class AnyEngine>
class StopWhen {
 public:
  StopWhen(AnyEngine& engine, Observer& observer) : engine_(engine) {
    engine.interrupt_when([&observer] { return observer.stop(); });
  }
  ~StopWhen() { end(); }
  StopWhen(const StopWhen&) = delete;
  StopWhen& operator=(const StopWhen&) = delete;
  void end() { engine_.interrupt_when(nullptr); }

 private:
  AnyEngine& engine_;
};

}  // namespace antipode

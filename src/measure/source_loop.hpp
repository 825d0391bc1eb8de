// Runs the sources of a measure in chunks, which double while one takes less than 0.2 s.
// Between chunks the observer gets the progress, a checkpoint is saved if it is due, and interrupts
// are checked. Without checkpoints an interrupt also ends a chunk early; with them it waits, since
// an incomplete chunk would spoil the state to be saved.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "antipode/error.hpp"
#include "antipode/measures.hpp"
#include "measure/cost.hpp"
#include "measure/stop_when.hpp"

namespace antipode {

// Places in 0 … most that lie apart, however many are taken: multiples of the golden section.
inline std::size_t spread_index(std::size_t which, std::size_t most) {
  const double place = 0.6180339887498949 * static_cast<double>(which + 1);
  return static_cast<std::size_t>((place - std::floor(place)) * static_cast<double>(most));
}

// work(begin, part) for the sources from number `done` on, and save() when a checkpoint is due. The
// first chunk has `size` sources. Advances `done`, and returns whether all sources are done. For an
// observer that measures times only, the chunks lie all over the sources.
template <class AnyEngine, class Work, class Save>
bool for_chunks(AnyEngine& engine, std::span<const Vertex> sources, std::size_t size, Vertex& done,
                Observer& observer, CheckpointStore& checkpoint, Work work, Save save) {
  constexpr double kShort = 0.2;  // seconds: a signal waits for twice that
  std::optional<StopWhen<AnyEngine>> stopping;
  if (!checkpoint.is_active()) stopping.emplace(engine, observer);
  bool finished = false;
  std::size_t parts = 0;
  try {
    while (done < sources.size()) {
      if (observer.stop()) {
        if (checkpoint.is_active()) save();
        throw Interrupted();
      }
      const Stopwatch stopwatch;
      const std::size_t count = std::min(size, sources.size() - done),
                        begin = observer.only_times()
                                    ? spread_index(parts++, sources.size() - count)
                                    : done;
      const auto part = sources.subspan(begin, count);
      work(begin, part);
      done += static_cast<Vertex>(part.size());
      if (stopwatch.seconds() < kShort) size *= 2;
      observer.progress(
          {.searches = done, .candidates = static_cast<Vertex>(sources.size() - done)});
      if (done < sources.size() && checkpoint.is_due()) save();
    }
    finished = true;
  } catch (const Interrupted&) {
  }
  stopping.reset();
  return finished;
}

}  // namespace antipode

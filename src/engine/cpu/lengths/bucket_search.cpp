#include "engine/cpu/lengths/bucket_search.hpp"

#include <bit>
#include <utility>

#include "antipode/error.hpp"

namespace antipode::cpu {

namespace {

constexpr std::size_t kMostBuckets = 1 << 12;
constexpr std::uint64_t kBetween = 1 << 12;  // vertices between two questions whether to stop
constexpr std::uint64_t kPatience = 4;       // labels per vertex, then the heap

struct Later {
  template <class Entry>
  bool operator()(const Entry& a, const Entry& b) const {
    return a.key > b.key;
  }
};

}  // namespace

LengthRange length_range(const Adjacency& adjacency) {
  LengthRange range;
  double sum = 0;
  for (EdgeOffset arc = 0; arc < adjacency.arcs(); ++arc) {
    range.longest = std::max(range.longest, adjacency.length(arc));
    sum += static_cast<double>(adjacency.length(arc));
  }
  if (adjacency.arcs() > 0) range.mean = sum / static_cast<double>(adjacency.arcs());
  return range;
}

BucketPlan plan_buckets(const LengthRange& range) {
  BucketPlan plan;
  while (plan.shift < 62 && static_cast<double>(Length{2} << plan.shift) <= range.mean)
    ++plan.shift;
  const std::uint64_t spanned = (range.longest >> plan.shift) + 2;
  plan.buckets = std::clamp<std::size_t>(
      std::bit_ceil(std::min<std::uint64_t>(spanned, kMostBuckets)), 4, kMostBuckets);
  return plan;
}

template <class Width>
BucketSearch<Width>::BucketSearch(const PackedArcs<Width>& arcs, const BucketPlan& plan)
    : arcs_(arcs), plan_(plan), mask_(static_cast<Key>(plan.buckets - 1)), ring_(plan.buckets) {
  for (Bucket& bucket : ring_) grow(bucket);
  grow(now_);
}

template <class Width>
void BucketSearch<Width>::grow(Bucket& bucket) {
  constexpr std::size_t kFirst = 16, kLarge = 1 << 16;
  const std::size_t capacity = std::max(kFirst, 2 * bucket.capacity);
  if (capacity >= kLarge) refuse_bytes(capacity * sizeof(Entry), "a search with lengths");
  auto room = std::make_unique_for_overwrite<Entry[]>(capacity);
  std::copy_n(bucket.room.get(), bucket.count, room.get());
  bucket.room = std::move(room);
  bucket.capacity = capacity;
}

template <class Width>
void BucketSearch<Width>::reset() {
  for (Bucket& bucket : ring_) bucket.count = 0;
  beyond_.clear();
  heap_.clear();
  at_ = 0, waiting_ = 0, popped_ = 0, asked_ = 0;
}

template <class Width>
void BucketSearch<Width>::ask(const std::function<bool()>& stop) {
  if (popped_ < asked_) return;
  asked_ = popped_ + kBetween;
  if (stop && stop()) throw Interrupted();
}

template <class Width>
void BucketSearch<Width>::put(Entry entry) {
  const Key slot = static_cast<Key>((entry.key >> plan_.shift) - at_);
  if (slot > mask_) return push_charged(beyond_, entry);
  Bucket& bucket = ring_[(entry.key >> plan_.shift) & mask_];
  bucket.room[bucket.count] = entry;
  ++waiting_;
  if (++bucket.count == bucket.capacity) grow(bucket);
}

// Appends without a branch on whether the label improves: that is hard to predict.
template <class Width>
void BucketSearch<Width>::relax(std::span<const Entry> entries) {
  const auto* const offsets = arcs_.offsets();
  const auto* const arcs = arcs_.arcs();
  Key* const distances = distances_;
  const Key at = at_, mask = mask_;
  const int shift = plan_.shift;
  std::size_t added = 0;
  for (const Entry& entry : entries) {
    if (entry.key != distances[entry.vertex]) continue;  // improved since
    const auto end = offsets[std::size_t{entry.vertex} + 1];
    for (auto arc = offsets[entry.vertex]; arc < end; ++arc) {
      const Vertex target = arcs[arc].target;
      const Key through = entry.key + arcs[arc].length, known = distances[target];
      const Key number = through >> shift;
      if (static_cast<Key>(number - at) > mask) [[unlikely]] {
        if (through < known) distances[target] = through, push_charged(beyond_, {through, target});
        continue;
      }
      Bucket& bucket = ring_[number & mask];
      bucket.room[bucket.count] = {through, target};
      const bool improves = through < known;
      distances[target] = improves ? through : known;
      bucket.count += improves;
      added += improves;
      if (bucket.count == bucket.capacity) [[unlikely]]
        grow(bucket);
    }
  }
  waiting_ += added;
}

template <class Width>
void BucketSearch<Width>::empty_bucket(Bucket& bucket, const std::function<bool()>& stop) {
  while (bucket.count > 0) {
    std::swap(now_, bucket);
    bucket.count = 0;
    const std::size_t count = now_.count;
    waiting_ -= count;
    for (std::size_t begin = 0; begin < count; begin += kBetween) {
      ask(stop);
      const std::size_t some = std::min<std::size_t>(kBetween, count - begin);
      popped_ += some;
      relax({now_.room.get() + begin, some});
    }
  }
}

// Moves what waits beyond the ring, and is still a label, to where it can be reached next.
template <class Width>
bool BucketSearch<Width>::refill() {
  std::erase_if(beyond_, [&](const Entry& e) { return e.key != distances_[e.vertex]; });
  if (beyond_.empty()) return false;
  Key least = kNoKey<Width>;
  for (const Entry& e : beyond_) least = std::min(least, e.key);
  at_ = least >> plan_.shift;
  std::vector<Entry> again;
  again.swap(beyond_);
  for (const Entry& e : again) put(e);
  return true;
}

template <class Width>
void BucketSearch<Width>::move_to_heap() {
  plan_.queue = BucketPlan::Queue::heap;
  for (Bucket& bucket : ring_) {
    for (std::size_t i = 0; i < bucket.count; ++i) push_charged(heap_, bucket.room[i]);
    bucket.count = 0;
  }
  for (const Entry& entry : beyond_) push_charged(heap_, entry);
  std::make_heap(heap_.begin(), heap_.end(), Later());
}

// [Dijkstra 1959]; labels may be too large at the beginning.
template <class Width>
auto BucketSearch<Width>::run_heap(const std::function<bool()>& stop) -> End {
  while (!heap_.empty()) {
    ask(stop);
    ++popped_;
    std::pop_heap(heap_.begin(), heap_.end(), Later());
    const Entry entry = heap_.back();
    heap_.pop_back();
    if (entry.key != distances_[entry.vertex]) continue;
    if (entry.key >= kKeyLimit<Width>) return End::too_long;
    for (const auto& arc : arcs_.of(entry.vertex)) {
      const Key through = entry.key + arc.length;
      if (through >= distances_[arc.target]) continue;
      distances_[arc.target] = through;
      push_charged(heap_, {through, arc.target});
      std::push_heap(heap_.begin(), heap_.end(), Later());
    }
  }
  return End::done;
}

template <class Width>
auto BucketSearch<Width>::run(std::span<const Entry> starts, std::span<Key> distances,
                              const std::function<bool()>& stop) -> End {
  reset();
  distances_ = distances.data();
  std::fill(distances.begin(), distances.end(), kNoKey<Width>);
  for (const Entry& start : starts)
    distances_[start.vertex] = std::min(distances_[start.vertex], start.key);
  for (const Entry& start : starts)
    if (start.key == distances_[start.vertex]) put(start);
  if (uses_heap()) {
    move_to_heap();
    return run_heap(stop);
  }
  const Key limit = kKeyLimit<Width>, too_long = limit >> plan_.shift;
  const std::uint64_t patience = kPatience * (arcs_.order() + std::uint64_t{kBetween});
  while (waiting_ > 0 || refill()) {
    for (; waiting_ > 0; ++at_) {
      Bucket& bucket = ring_[at_ & mask_];
      if (bucket.count == 0) continue;
      // All labels of this bucket are below the limit, so no sum wraps round.
      if (at_ >= too_long) return End::too_long;
      empty_bucket(bucket, stop);
      if (popped_ > patience) {
        move_to_heap();
        return run_heap(stop);
      }
    }
  }
  return End::done;
}

template class BucketSearch<Narrow>;
template class BucketSearch<Wide>;

}  // namespace antipode::cpu

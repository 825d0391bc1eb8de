// One search with lengths, by one thread: vertices wait in buckets of equal width, which lie in a
// ring; inside a bucket labels are corrected until it is empty. [Dial 1969; Meyer & Sanders 2003,
// with one processor] The width is about the mean length, a power of two. What lies beyond the ring
// waits apart until the ring is empty. Where buckets correct too many labels, a heap goes on.
// Memory: 4 or 8 bytes per vertex for the distances, and 8 or 16 per vertex that waits.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/cpu/lengths/packed_arcs.hpp"

namespace antipode::cpu {

// What suits a graph, found once.
struct BucketPlan {
  int shift = 0;            // a bucket is 2^shift wide
  std::size_t buckets = 4;  // a power of two
  enum class Queue { buckets, heap } queue = Queue::buckets;
};
struct LengthRange {
  Length longest = 0;
  double mean = 0;
};
LengthRange length_range(const Adjacency& adjacency);
BucketPlan plan_buckets(const LengthRange& range);

template <class Width>
class BucketSearch {
 public:
  using Key = typename Width::Key;
  struct Entry {
    Key key;
    Vertex vertex;
  };
  // too_long: a distance is kKeyLimit or more; the distances are of no use.
  enum class End { done, too_long };

  BucketSearch(const PackedArcs<Width>& arcs, const BucketPlan& plan);
  // `distances`: one for each vertex; kNoKey where no start leads. Throws Interrupted.
  End run(std::span<const Entry> starts, std::span<Key> distances,
          const std::function<bool()>& stop);
  // Whether the buckets were given up in some search: later searches use the heap from the start.
  bool uses_heap() const { return plan_.queue == BucketPlan::Queue::heap; }

 private:
  struct Bucket {
    std::unique_ptr<Entry[]> room;
    std::size_t count = 0, capacity = 0;  // one entry more than the count may be written
  };

  void reset();
  static void grow(Bucket& bucket);
  void put(Entry entry);
  void empty_bucket(Bucket& bucket, const std::function<bool()>& stop);
  void relax(std::span<const Entry> entries);
  bool refill();
  void move_to_heap();
  End run_heap(const std::function<bool()>& stop);
  void ask(const std::function<bool()>& stop);

  const PackedArcs<Width>& arcs_;
  BucketPlan plan_;
  Key mask_;
  std::vector<Bucket> ring_;
  Bucket now_;
  std::vector<Entry> beyond_, heap_;
  Key* distances_ = nullptr;
  Key at_ = 0;               // number of the present bucket
  std::size_t waiting_ = 0;  // in the ring
  std::uint64_t popped_ = 0, asked_ = 0;
};

extern template class BucketSearch<Narrow>;
extern template class BucketSearch<Wide>;

}  // namespace antipode::cpu

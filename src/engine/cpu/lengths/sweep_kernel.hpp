// The climb and the sweep, compiled once for each instruction set. Included inside a namespace and
// a region of target options, after all headers: this file must not include any.

#if defined(ANTIPODE_SWEEP_AVX512)
constexpr std::size_t kRegister = 64;
#elif defined(ANTIPODE_SWEEP_AVX2)
constexpr std::size_t kRegister = 32;
#else
constexpr std::size_t kRegister = 16;
#endif

template <class Key>
struct PieceOf {
  typedef Key type __attribute__((vector_size(kRegister), may_alias));
};

// A line in registers.
template <class Key>
struct Line {
  using Piece = typename PieceOf<Key>::type;
  static constexpr std::size_t kPieces = 64 / kRegister;
  Piece pieces[kPieces];

  static Line of(Key value) {
    Line line;
    for (Piece& piece : line.pieces) piece = value - Piece{};
    return line;
  }
  static Line load(const Key* from) {
    Line line;
    for (std::size_t i = 0; i < kPieces; ++i)
      line.pieces[i] = reinterpret_cast<const Piece*>(from)[i];
    return line;
  }
  void store(Key* to) const {
    for (std::size_t i = 0; i < kPieces; ++i) reinterpret_cast<Piece*>(to)[i] = pieces[i];
  }
  void lower_to(const Line& other, Key length) {
    for (std::size_t i = 0; i < kPieces; ++i) {
      const Piece through = other.pieces[i] + length;
      pieces[i] = through < pieces[i] ? through : pieces[i];
    }
  }
  void raise_to(const Line& other) {
    for (std::size_t i = 0; i < kPieces; ++i)
      pieces[i] = other.pieces[i] > pieces[i] ? other.pieces[i] : pieces[i];
  }
  void add(const Line& other) {
    for (std::size_t i = 0; i < kPieces; ++i) pieces[i] += other.pieces[i];
  }
  // Adds those that are near, counts them, and raises `most` to them.
  void add_near(const Line& other, Line& count, Line& most) {
    for (std::size_t i = 0; i < kPieces; ++i) {
      const Piece near = (Piece)(other.pieces[i] < kFar<Key>);
      const Piece value = other.pieces[i] & near;
      pieces[i] += value;
      count.pieces[i] -= near;
      most.pieces[i] = value > most.pieces[i] ? value : most.pieces[i];
    }
  }
};

// Totals in registers, and how many more distances they have room for.
template <class Key, bool kReachedAll>
class Tally {
 public:
  Tally(LaneTotals<Key>& totals, Key longest)
      : totals_(totals),
        most_(Line<Key>::load(totals.farthest)),
        room_(static_cast<Key>(~Key{0}) / std::max<Key>(longest, 1)) {}
  void add(const Line<Key>& distances) {
    if constexpr (kReachedAll) {
      sum_.add(distances);
      most_.raise_to(distances);
    } else {
      sum_.add_near(distances, count_, most_);
    }
    if (++added_ == room_) flush();
  }
  void flush() {
    alignas(64) Key sums[kLanes<Key>], counts[kLanes<Key>];
    sum_.store(sums);
    count_.store(counts);
    for (std::size_t lane = 0; lane < kLanes<Key>; ++lane) {
      totals_.sum[lane] += sums[lane];
      totals_.reached[lane] += kReachedAll ? added_ : counts[lane];
    }
    sum_ = count_ = Line<Key>::of(0);
    added_ = 0;
    most_.store(totals_.farthest);
  }

 private:
  LaneTotals<Key>& totals_;
  Line<Key> sum_ = Line<Key>::of(0), count_ = Line<Key>::of(0), most_;
  Key room_, added_ = 0;
};

template <class Key>
void climb(const LengthFolding<Key>& folding, Vertex v, Key* lines, std::uint64_t* known) {
  const Line<Key> from = Line<Key>::load(lines + v * kLanes<Key>), far = Line<Key>::of(kFar<Key>);
  for (EdgeOffset i = folding.offsets[v]; i < folding.offsets[v + 1]; ++i) {
    const auto [above, length] = folding.entries[i];
    Key* const line = lines + above * kLanes<Key>;
    const std::uint64_t bit = std::uint64_t{1} << above % 64;
    Line<Key> best = (known[above / 64] & bit) != 0 ? Line<Key>::load(line) : far;
    known[above / 64] |= bit;
    best.lower_to(from, length);
    best.store(line);
  }
}

template <class Key, bool kReachedAll>
void sweep(const SweepTask<Key>& task, LaneTotals<Key>& totals) {
  const EdgeOffset* const offsets = task.folding.offsets.data();
  const auto* const entries = task.folding.entries.data();
  Key* const lines = task.lines;
  Tally<Key, kReachedAll> tally(totals, task.longest);
  EdgeOffset at = offsets[task.begin];
  const auto finish = [&](Vertex v, Line<Key> best) {
    for (const EdgeOffset end = offsets[v + std::size_t{1}]; at < end; ++at)
      best.lower_to(Line<Key>::load(lines + entries[at].vertex * kLanes<Key>), entries[at].length);
    best.store(lines + v * kLanes<Key>);
    tally.add(best);
  };
  const Line<Key> far = Line<Key>::of(kFar<Key>);
  Vertex v = task.begin;
  for (const Vertex seed : task.seeds) {
    for (; v < seed; ++v) finish(v, far);
    finish(v, Line<Key>::load(lines + v * kLanes<Key>));
    ++v;
  }
  for (; v < task.end; ++v) finish(v, far);
  tally.flush();
}

template <class Key>
SweepKernel<Key> kernel() {
  return {.climb = climb<Key>, .sweep = sweep<Key, false>, .sweep_reached_all = sweep<Key, true>};
}

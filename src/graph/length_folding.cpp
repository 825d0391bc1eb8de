#include "graph/length_folding.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "graph/list_pool.hpp"

namespace antipode {

namespace {

// Between two questions whether to stop:
constexpr std::uint64_t kVertices = 1 << 12, kSteps = 1 << 20;
constexpr std::size_t kMostFill = 8;  // times the arcs at the beginning: it does not pay

// What a search would cost if the folding ended here: nanoseconds, roughly.
struct Stage {
  Vertex degree = 0;  // the largest taken off
  double cost = 0;
};

template <class Key>
class Folder {
  using Folding = LengthFolding<Key>;
  using Entry = typename Folding::Entry;
  // Longer than all, and a sum with a length does not wrap round.
  static constexpr Key kNone = Key{1} << (8 * sizeof(Key) - 1);

 public:
  Folder(const Adjacency& adjacency, const FoldingLimits& limits)
      : limits_(limits),
        order_(adjacency.order()),
        lists_(order_, adjacency.arcs()),
        index_(order_, 0),
        is_off_(order_, 0) {
    for (Vertex v = 0; v < order_; ++v) {
      lists_.create(v, std::max<std::size_t>(adjacency.degree(v), 1));
      for (EdgeOffset arc = adjacency.offsets[v]; arc < adjacency.offsets[v + 1]; ++arc)
        if (const Length length = adjacency.length(arc); length <= limits_.longest)
          lists_.append(v, {adjacency.targets[arc], static_cast<Key>(length)});
      arcs_ += lists_.count(v);
    }
    begin_.reserve(std::size_t{order_} + 1);
    begin_.push_back(0);
    taken_.reserve(order_);
    entries_.reserve(2 * arcs_);
    for (Vertex v = order_; v-- > 0;) enqueue(v);
  }

  // True: all that the limits allow was taken off; false: it does not pay, see best().
  bool run() {
    const std::uint64_t most_arcs = kMostFill * arcs_ + (1 << 12);
    Stage stage = here(0);
    best_ = stage;
    for (std::size_t degree = 0; degree < waiting_.size();) {
      if (waiting_[degree].empty()) {
        ++degree;
        continue;
      }
      if (degree > limits_.most_degree) break;
      const Vertex v = waiting_[degree].back();
      waiting_[degree].pop_back();
      if (is_off_[v] || lists_.count(v) != degree) continue;
      if (degree > stage.degree) {
        stage = here(static_cast<Vertex>(degree) - 1);
        if (stage.cost < best_.cost) best_ = stage;
        stage.degree = static_cast<Vertex>(degree);
      }
      ask(taken_.size());
      degree = std::min<std::size_t>(degree, take_off(v));
      if (arcs_ > most_arcs || steps_ > limits_.most_steps) return false;
    }
    return true;
  }

  Stage best() const { return best_; }
  bool is_out_of_steps() const { return steps_ > limits_.most_steps; }
  Folding result();

 private:
  void ask(std::size_t turn) {
    if (turn % kVertices != 0 && steps_ < ask_at_) return;
    ask_at_ = steps_ + kSteps;
    if (limits_.stop && limits_.stop()) throw Interrupted();
  }

  void enqueue(Vertex v) {
    const Vertex degree = lists_.count(v);
    if (degree >= waiting_.size()) waiting_.resize(degree + std::size_t{1});
    waiting_[degree].push_back(v);
  }

  Stage here(Vertex degree) const {
    const double core = static_cast<double>(order_ - taken_.size());
    return {.degree = degree,
            .cost = 0.12 * static_cast<double>(entries_.size()) + 10 * core +
                    2.2 * static_cast<double>(arcs_)};
  }

  std::size_t take_off(Vertex v);
  void bypass(Vertex v, std::size_t self);
  void prune(Folding& folding, std::size_t at);
  void find_pairs(const Folding& folding, std::span<const Entry> mine);

  const FoldingLimits& limits_;
  Vertex order_;
  ListPool<Entry> lists_;
  std::vector<Vertex> index_;  // place among the neighbours at hand; 0: none of them
  std::vector<unsigned char> is_off_;
  std::vector<std::vector<Vertex>> waiting_;  // by degree; may be out of date
  std::vector<Vertex> taken_;                 // in this order
  std::vector<std::uint64_t> begin_;          // of their entries
  std::vector<Entry> entries_;
  std::vector<Entry> around_;       // the neighbours at hand, from place 1
  std::vector<std::uint64_t> met_;  // of each of them: the last round that met it
  std::uint64_t round_ = 0, steps_ = 0, ask_at_ = kSteps;
  std::uint64_t arcs_ = 0;  // of those left
  Stage best_;
  struct Pair {
    Vertex a, b;
    Key length;
  };
  std::vector<Pair> pairs_;
  std::size_t pair_count_ = 0;
  std::vector<unsigned char> stays_;
};

// The least degree among the neighbours afterwards.
template <class Key>
std::size_t Folder<Key>::take_off(Vertex v) {
  const Vertex degree = lists_.count(v);
  around_.assign(1, {kNoVertex, kNone});
  around_.insert(around_.end(), lists_.of(v), lists_.of(v) + degree);
  lists_.free(v);
  is_off_[v] = 1;
  for (Vertex i = 1; i <= degree; ++i) push_charged(entries_, around_[i]);
  taken_.push_back(v);
  begin_.push_back(entries_.size());
  arcs_ -= degree;
  if (met_.size() <= degree) met_.resize(std::size_t{2} * degree + 1, 0);
  for (Vertex i = 1; i <= degree; ++i) index_[around_[i].vertex] = i;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (Vertex i = 1; i <= degree; ++i) {
    const Vertex a = around_[i].vertex, before = lists_.count(a);
    bypass(v, i);
    const Vertex after = lists_.count(a);
    if (after != before) enqueue(a);
    arcs_ += after, arcs_ -= before;
    steps_ += before + degree;
    least = std::min<std::size_t>(least, after);
  }
  for (Vertex i = 1; i <= degree; ++i) index_[around_[i].vertex] = 0;
  return least;
}

// Replaces v in the list of one of its neighbours by shortcuts to the others. Whether an entry
// leads to another neighbour is hard to predict, so there is no branch on it: what does not has
// place 0, whose length shortens nothing.
template <class Key>
void Folder<Key>::bypass(Vertex v, std::size_t self) {
  const auto [a, to_v] = around_[self];
  const Entry* const around = around_.data();
  const Vertex* const index = index_.data();
  std::uint64_t* const met = met_.data();
  const std::uint64_t round = ++round_;
  const Vertex count = lists_.count(a), degree = static_cast<Vertex>(around_.size() - 1);
  Entry* entries = lists_.of(a);
  std::size_t hole = 0;
  Vertex missing = degree - 1;
  met[self] = round;
  for (Vertex i = 0; i < count; ++i) {
    const Vertex at = index[entries[i].vertex];
    hole = entries[i].vertex == v ? i : hole;
    missing -= at != 0;
    met[at] = round;
    entries[i].length = std::min<Key>(entries[i].length, to_v + around[at].length);
  }
  entries[hole] = entries[count - 1];
  lists_.ensure_room(a, count - std::size_t{1} + missing + 1);
  entries = lists_.of(a);
  Vertex next = count - 1;
  for (Vertex i = 1; i <= degree; ++i) {
    const Key through = to_v + around[i].length;
    entries[next] = {around[i].vertex, through};
    next += met[i] != round && through <= limits_.longest;
  }
  lists_.set_count(a, next);
}

// Entries of the lists above `mine`, between two vertices of `mine`.
template <class Key>
void Folder<Key>::find_pairs(const Folding& folding, std::span<const Entry> mine) {
  Vertex* const index = index_.data();
  const std::size_t most = mine.size() * (mine.size() + 1) / 2 + 1;
  if (pairs_.size() < most) pairs_.resize(2 * most);
  Pair* next = pairs_.data();
  for (std::size_t i = 0; i < mine.size(); ++i) index[mine[i].vertex] = static_cast<Vertex>(i) + 1;
  const std::size_t count = taken_.size();
  for (std::size_t i = 1; i < mine.size(); ++i) {  // nothing of `mine` is above the first
    if (mine[i].vertex < folding.core) continue;
    const std::size_t turn = count - 1 - (mine[i].vertex - folding.core);
    const Entry* const end = entries_.data() + begin_[turn + 1];
    for (const Entry* entry = entries_.data() + begin_[turn]; entry < end; ++entry) {
      const Vertex at = index[entry->vertex];
      *next = {static_cast<Vertex>(i), at - 1, entry->length};
      next += at != 0;
    }
    steps_ += begin_[turn + 1] - begin_[turn];
  }
  for (const Entry& each : mine) index[each.vertex] = 0;
  pair_count_ = static_cast<std::size_t>(next - pairs_.data());
}

// Shortens the entries of the vertex taken off at that turn to distances, as far as those above
// tell them, and appends those that must stay.
template <class Key>
void Folder<Key>::prune(Folding& folding, std::size_t turn) {
  const std::span<Entry> mine(entries_.data() + begin_[turn], begin_[turn + 1] - begin_[turn]);
  for (Entry& each : mine) each.vertex = folding.place[each.vertex];
  if (mine.size() == 1) return folding.entries.push_back(mine[0]);
  std::sort(mine.begin(), mine.end(),
            [](const Entry& a, const Entry& b) { return a.vertex < b.vertex; });
  find_pairs(folding, mine);
  for (const auto& [a, b, length] : std::span(pairs_).first(pair_count_)) {
    mine[a].length = std::min<Key>(mine[a].length, mine[b].length + length);
    mine[b].length = std::min<Key>(mine[b].length, mine[a].length + length);
  }
  stays_.assign(mine.size(), 1);
  for (const auto& [a, b, length] : std::span(pairs_).first(pair_count_)) {
    if (!stays_[a] || !stays_[b]) continue;
    if (mine[b].length + length <= mine[a].length)
      stays_[a] = 0;
    else if (mine[a].length + length <= mine[b].length)
      stays_[b] = 0;
  }
  for (std::size_t i = 0; i < mine.size(); ++i)
    if (stays_[i]) folding.entries.push_back(mine[i]);
}

template <class Key>
LengthFolding<Key> Folder<Key>::result() {
  Folding folding;
  const std::size_t count = taken_.size();
  folding.core = order_ - static_cast<Vertex>(count);
  refuse_bytes((entries_.size() + arcs_) * sizeof(Entry) + order_ * std::uint64_t{16},
               "folding a graph with lengths");
  folding.place.resize(order_);
  folding.old.reserve(order_);
  for (Vertex v = 0; v < order_; ++v)
    if (!is_off_[v]) folding.old.push_back(v);
  folding.old.insert(folding.old.end(), taken_.rbegin(), taken_.rend());
  for (Vertex v = 0; v < order_; ++v) folding.place[folding.old[v]] = v;
  folding.offsets.reserve(std::size_t{order_} + 1);
  folding.entries.reserve(entries_.size() + arcs_);
  folding.offsets.push_back(0);
  for (Vertex v = 0; v < folding.core; ++v) {
    const Vertex old = folding.old[v];
    for (Vertex i = 0; i < lists_.count(old); ++i)
      folding.entries.push_back(
          {folding.place[lists_.of(old)[i].vertex], lists_.of(old)[i].length});
    folding.offsets.push_back(folding.entries.size());
  }
  for (std::size_t turn = count; turn-- > 0;) {
    ask(turn);
    prune(folding, turn);
    folding.offsets.push_back(folding.entries.size());
  }
  return folding;
}

}  // namespace

template <class Key>
LengthFolding<Key> fold_lengths(const Adjacency& adjacency, const FoldingLimits& limits) {
  refuse_bytes(adjacency.arcs() * 4 * sizeof(typename LengthFolding<Key>::Entry) +
                   adjacency.order() * std::uint64_t{40},
               "folding a graph with lengths");
  FoldingLimits less = limits;
  auto ended = LengthFolding<Key>::Ended::as_it_should;
  {
    Folder<Key> folder(adjacency, limits);
    if (folder.run()) return folder.result();
    if (folder.is_out_of_steps()) ended = LengthFolding<Key>::Ended::out_of_steps;
    less.most_degree = folder.best().degree;
    less.most_steps = ~std::uint64_t{0};
  }
  Folder<Key> folder(adjacency, less);
  folder.run();
  auto folding = folder.result();
  folding.ended = ended;
  return folding;
}

template LengthFolding<std::uint32_t> fold_lengths(const Adjacency&, const FoldingLimits&);
template LengthFolding<std::uint64_t> fold_lengths(const Adjacency&, const FoldingLimits&);

}  // namespace antipode

#include "graph/length_folding.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "graph/list_pool.hpp"

namespace antipode {

namespace {

constexpr std::uint64_t kBetween = 1 << 12;  // vertices between two questions whether to stop
constexpr std::size_t kMostFill = 4;         // more arcs than at the beginning: it does not pay

// What a search would cost if the folding ended here: nanoseconds, roughly.
struct Stage {
  Vertex degree = 0;  // the largest taken off
  double cost = 0;
};

template <class Key>
class Folder {
  using Folding = LengthFolding<Key>;
  using Entry = typename Folding::Entry;

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
    begin_.push_back(0);
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
      if (taken_.size() % kBetween == 0 && limits_.stop && limits_.stop()) throw Interrupted();
      degree = std::min<std::size_t>(degree, take_off(v));
      if (arcs_ > most_arcs || steps_ > limits_.most_steps) return false;
    }
    return true;
  }

  Stage best() const { return best_; }
  Folding result();

 private:
  void enqueue(Vertex v) {
    const Vertex degree = lists_.count(v);
    if (degree >= waiting_.size()) waiting_.resize(degree + std::size_t{1});
    waiting_[degree].push_back(v);
  }

  Stage here(Vertex degree) const {
    const double core = static_cast<double>(order_ - taken_.size());
    return {.degree = degree,
            .cost = 0.2 * static_cast<double>(entries_.size()) + 25 * core +
                    6 * static_cast<double>(arcs_)};
  }

  std::size_t take_off(Vertex v);
  void bypass(Vertex v, std::size_t self);
  void prune(Folding& folding, std::size_t at);
  void find_pairs(const Folding& folding, std::span<const Entry> mine);

  const FoldingLimits& limits_;
  Vertex order_;
  ListPool<Entry> lists_;
  std::vector<Vertex> index_;  // 1 + position among the neighbours at hand; 0: none of them
  std::vector<unsigned char> is_off_;
  std::vector<std::vector<Vertex>> waiting_;  // by degree; may be out of date
  std::vector<Vertex> taken_;                 // in this order
  std::vector<std::uint64_t> begin_;          // of their entries
  std::vector<Entry> entries_;
  std::vector<Entry> around_;
  std::vector<std::uint64_t> met_;  // of each neighbour at hand: the last round that met it
  std::uint64_t round_ = 0, steps_ = 0;
  std::uint64_t arcs_ = 0;  // of those left
  Stage best_;
  struct Pair {
    Vertex a, b;
    Key length;
  };
  std::vector<Pair> pairs_;
  std::vector<unsigned char> stays_;
};

// The least degree among the neighbours afterwards.
template <class Key>
std::size_t Folder<Key>::take_off(Vertex v) {
  const Vertex degree = lists_.count(v);
  around_.assign(lists_.of(v), lists_.of(v) + degree);
  lists_.free(v);
  is_off_[v] = 1;
  for (const Entry& each : around_) push_charged(entries_, each);
  taken_.push_back(v);
  begin_.push_back(entries_.size());
  arcs_ -= degree;
  if (met_.size() < degree) met_.resize(degree, 0);
  for (Vertex i = 0; i < degree; ++i) index_[around_[i].vertex] = i + 1;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (Vertex i = 0; i < degree; ++i) {
    const Vertex a = around_[i].vertex, before = lists_.count(a);
    bypass(v, i);
    if (lists_.count(a) != before) enqueue(a);
    arcs_ += lists_.count(a), arcs_ -= before;
    steps_ += before + degree;
    least = std::min<std::size_t>(least, lists_.count(a));
  }
  for (const Entry& each : around_) index_[each.vertex] = 0;
  return least;
}

// Replaces v in the list of one of its neighbours by shortcuts to the others.
template <class Key>
void Folder<Key>::bypass(Vertex v, std::size_t self) {
  const auto [a, to_v] = around_[self];
  Entry* const entries = lists_.of(a);
  const Vertex count = lists_.count(a);
  ++round_;
  std::size_t hole = 0;
  for (Vertex i = 0; i < count; ++i) {
    if (entries[i].vertex == v) {
      hole = i;
    } else if (const Vertex at = index_[entries[i].vertex]; at != 0) {
      met_[at - 1] = round_;
      entries[i].length = std::min<Key>(entries[i].length, to_v + around_[at - 1].length);
    }
  }
  lists_.remove(a, hole);
  for (std::size_t j = 0; j < around_.size(); ++j)
    if (const Key through = to_v + around_[j].length;
        j != self && met_[j] != round_ && through <= limits_.longest)
      lists_.append(a, {around_[j].vertex, through});
}

// Entries of the lists above `mine`, between two vertices of `mine`.
template <class Key>
void Folder<Key>::find_pairs(const Folding& folding, std::span<const Entry> mine) {
  pairs_.clear();
  for (std::size_t i = 0; i < mine.size(); ++i) index_[mine[i].vertex] = static_cast<Vertex>(i) + 1;
  const std::size_t count = taken_.size();
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (mine[i].vertex < folding.core) continue;
    const std::size_t turn = count - 1 - (mine[i].vertex - folding.core);
    for (std::uint64_t j = begin_[turn]; j < begin_[turn + 1]; ++j)
      if (const Vertex at = index_[entries_[j].vertex]; at != 0)
        pairs_.push_back({static_cast<Vertex>(i), at - 1, entries_[j].length});
    steps_ += begin_[turn + 1] - begin_[turn];
  }
  for (const Entry& each : mine) index_[each.vertex] = 0;
}

// Shortens the entries of the vertex taken off at that turn to distances, as far as those above
// tell them, and appends those that must stay.
template <class Key>
void Folder<Key>::prune(Folding& folding, std::size_t turn) {
  const std::span<Entry> mine(entries_.data() + begin_[turn], begin_[turn + 1] - begin_[turn]);
  for (Entry& each : mine) each.vertex = folding.place[each.vertex];
  std::sort(mine.begin(), mine.end(),
            [](const Entry& a, const Entry& b) { return a.vertex < b.vertex; });
  find_pairs(folding, mine);
  for (const auto& [a, b, length] : pairs_) {
    mine[a].length = std::min<Key>(mine[a].length, mine[b].length + length);
    mine[b].length = std::min<Key>(mine[b].length, mine[a].length + length);
  }
  stays_.assign(mine.size(), 1);
  for (const auto& [a, b, length] : pairs_) {
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
    if (turn % kBetween == 0 && limits_.stop && limits_.stop()) throw Interrupted();
    prune(folding, turn);
    folding.offsets.push_back(folding.entries.size());
  }
  folding.steps = steps_;
  return folding;
}

}  // namespace

template <class Key>
LengthFolding<Key> fold_lengths(const Adjacency& adjacency, const FoldingLimits& limits) {
  refuse_bytes(adjacency.arcs() * 4 * sizeof(typename LengthFolding<Key>::Entry) +
                   adjacency.order() * std::uint64_t{40},
               "folding a graph with lengths");
  Stage best;
  {
    Folder<Key> folder(adjacency, limits);
    if (folder.run()) return folder.result();
    best = folder.best();
  }
  FoldingLimits less = limits;
  less.most_degree = best.degree;
  Folder<Key> folder(adjacency, less);
  folder.run();
  return folder.result();
}

template LengthFolding<std::uint32_t> fold_lengths(const Adjacency&, const FoldingLimits&);
template LengthFolding<std::uint64_t> fold_lengths(const Adjacency&, const FoldingLimits&);

}  // namespace antipode

#include "cli/rows.hpp"

#include <algorithm>

#include "antipode/error.hpp"
#include "cli/paths.hpp"
#include "graph/limits.hpp"

namespace antipode::cli {

namespace {

Vertex first_of(const Components& parts, Vertex which) {
  return static_cast<Vertex>(std::find(parts.of.begin(), parts.of.end(), which) - parts.of.begin());
}

class EdgeRows final : public Rows {
 public:
  explicit EdgeRows(Engine& engine) : engine_(engine) {}

  // Twice an eccentricity in the largest component, and as many as a path has vertices in the
  // others. Arcs may lead round all of it.
  Length most(const Components& parts) override {
    const Vertex largest = parts.largest();
    if (engine_.graph().is_directed()) return parts.orders[largest] - 1;
    const Vertex first = first_of(parts, largest);
    Length most =
        std::min<Length>(2 * Length{engine_.search(first).eccentricity}, parts.orders[largest] - 1);
    for (Vertex part = 0; part < parts.count(); ++part)
      if (part != largest) most = std::max(most, Length{parts.orders[part]} - 1);
    return most;
  }

  void some(std::span<const Vertex> sources,
            const std::function<void(std::vector<Length>)>& sink) override {
    engine_.distances(sources, [&](Vertex, std::span<const Distance> found) {
      std::vector<Length> row;
      for (const Distance d : found) row.push_back(d == kUnreached ? kNoPath : Length{d});
      sink(std::move(row));
    });
  }

  bool all(std::span<const Vertex> sources, Vertex& done, DistanceFile* file, Observer& observer,
           CheckpointStore& checkpoint, const std::function<void()>& keep) override {
    const auto sink = [&](Vertex, std::span<const Distance> row) {
      if (file != nullptr) file->append(row);
    };
    return all_distances(engine_, sources, done, sink, observer, checkpoint, keep);
  }

 private:
  Engine& engine_;
};

// A path engine gives the rows of a batch in any order, so that a batch is held in memory.
class LengthRows final : public Rows {
 public:
  explicit LengthRows(PathEngine& engine) : engine_(engine), order_(engine.graph().order()) {
    constexpr std::uint64_t kBytes = std::uint64_t{64} << 20;
    batch_ = std::clamp<std::uint64_t>(kBytes / sizeof(Length) / order_, 1, engine.costs().batch);
    refuse_bytes(batch_ * order_ * sizeof(Length), "rows of distances");
    block_.resize(batch_ * order_);
  }

  // Of the largest component twice an eccentricity, of the others the longest edge for every edge
  // of a path.
  Length most(const Components& parts) override {
    const Graph& graph = engine_.graph();
    const Length whole = longest_possible(graph);
    if (graph.is_directed() || graph.order() == 1) return whole;
    const Length longest_edge = whole / (graph.order() - 1);
    const Vertex largest = parts.largest();
    const PathSearch found =
        engine_.search(first_of(parts, largest), Along::arcs, std::span(block_).first(order_));
    Length most = std::min(2 * found.eccentricity, whole);
    for (Vertex part = 0; part < parts.count(); ++part)
      if (part != largest) most = std::max(most, (parts.orders[part] - 1) * longest_edge);
    return most;
  }

  void some(std::span<const Vertex> sources,
            const std::function<void(std::vector<Length>)>& sink) override {
    for (std::size_t begin = 0; begin < sources.size(); begin += batch_) {
      const auto part =
          sources.subspan(begin, std::min<std::size_t>(batch_, sources.size() - begin));
      search(part);
      for (std::size_t i = 0; i < part.size(); ++i) sink({row(i).begin(), row(i).end()});
    }
  }

  bool all(std::span<const Vertex> sources, Vertex& done, DistanceFile* file, Observer& observer,
           CheckpointStore& checkpoint, const std::function<void()>& keep) override {
    engine_.interrupt_when([&] { return observer.stop(); });
    try {
      while (done < sources.size()) {
        if (observer.stop()) throw Interrupted();
        const auto part =
            sources.subspan(done, std::min<std::size_t>(batch_, sources.size() - done));
        search(part);
        for (std::size_t i = 0; i < part.size() && file != nullptr; ++i) file->append(row(i));
        done += static_cast<Vertex>(part.size());
        observer.progress({0, 0, done, static_cast<Vertex>(sources.size() - done)});
        if (done < sources.size() && checkpoint.is_due()) keep();
      }
    } catch (const Interrupted&) {
      if (checkpoint.is_active()) keep();
    }
    engine_.interrupt_when(nullptr);
    return done == sources.size();
  }

 private:
  std::span<Length> row(std::size_t i) { return std::span(block_).subspan(i * order_, order_); }

  void search(std::span<const Vertex> part) {
    engine_.rows(part, Along::arcs, [&](Vertex source, std::span<const Length> found) {
      for (std::size_t i = 0; i < part.size(); ++i)
        if (part[i] == source) std::copy(found.begin(), found.end(), row(i).begin());
    });
  }

  PathEngine& engine_;
  std::size_t order_, batch_ = 1;
  std::vector<Length> block_;
};

}  // namespace

std::unique_ptr<Rows> rows_of(Engine& engine) { return std::make_unique<EdgeRows>(engine); }
std::unique_ptr<Rows> rows_of(PathEngine& engine) { return std::make_unique<LengthRows>(engine); }

}  // namespace antipode::cli

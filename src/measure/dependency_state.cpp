// The state of a DependencySum in a checkpoint. A state that is restored is not trusted: sums must
// be in range, their totals must follow from the distances of their sources, and a few sources are
// added again.
#include <algorithm>
#include <numeric>

#include "measure/dependency_sum.hpp"

namespace antipode {

namespace {

constexpr double kRounding = 1e-9;

}  // namespace

std::vector<unsigned char> DependencySum::state(Vertex done) const {
  StateWriter writer;
  writer.put(done);
  for (const Dependencies* each : {&all_done_, &from_rounds_, &from_heavy_})
    writer.put(each->vertices).put(each->arcs);
  return writer.sealed();
}

void DependencySum::restore(const std::vector<unsigned char>& saved, Vertex& done) {
  const std::size_t vertices = all_done_.vertices.size(), arcs = all_done_.arcs.size();
  StateReader reader(saved);
  reader.get(done);
  for (Dependencies* each : {&all_done_, &from_rounds_, &from_heavy_})
    reader.get(each->vertices).get(each->arcs);
  reader.finish();
  reader.require(done <= sources().size(), "it has more sources than there are");
  reader.require(done == sources().size() || done % kFirstRound == 0,
                 "it ends within a part of the sources");
  const auto past = after(done);
  counted_ = past == order_.rounds.begin() ? 0 : (past - 1)->end;
  const auto require_size = [&](const Dependencies& sums, bool there) {
    const bool fits =
        sums.vertices.size() == (there ? vertices : 0) && sums.arcs.size() == (there ? arcs : 0);
    reader.require(fits, "it has sums for another number of vertices or edges");
  };
  require_size(all_done_, true);
  require_size(from_rounds_, counted_ > 0);
  require_size(from_heavy_, sample_size(Stratum::heavy) > 0);
  check_range(reader, done);
  check_totals(reader, done);
  check_again(reader, done);
}

// A source contributes its weight times that of each other vertex, and to a vertex at most once.
void DependencySum::check_range(const StateReader& reader, Vertex done) const {
  double sent = 0;
  for (const Vertex source : sources().first(done)) sent += core_.weight[source];
  const double most =
      sent * std::accumulate(core_.weight.begin(), core_.weight.end(), 0.0) * (1 + kRounding);
  const auto check = [&](const std::vector<double>& all, const std::vector<double>& rounds,
                         const std::vector<double>& heavy) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      reader.require(all[i] >= 0 && all[i] <= most, "a sum is out of range");
      if (!rounds.empty())
        reader.require(rounds[i] >= 0 && rounds[i] <= all[i], "some sources gave more than all");
      if (!heavy.empty())
        reader.require(heavy[i] >= 0 && heavy[i] <= rounds[i], "some sources gave more than all");
    }
  };
  check(all_done_.vertices, from_rounds_.vertices, from_heavy_.vertices);
  check(all_done_.arcs, from_rounds_.arcs, from_heavy_.arcs);
}

// The totals of the saved sums follow from the distances of their sources: of all done, of those
// counted and of the heavy ones. A wrong number of sources shows here.
void DependencySum::check_totals(const StateReader& reader, Vertex done) {
  std::vector<Vertex> heavy, light;
  std::size_t begin = 0;
  for (const Round& round : order_.rounds)
    for (; begin < std::min(round.end, counted_); ++begin)
      (round.stratum == Stratum::heavy ? heavy : light).push_back(order_.sources[begin]);
  from_.check(reader, {{{heavy, &from_heavy_},
                        {light, &from_rounds_},
                        {sources().subspan(counted_, done - counted_), &all_done_}}});
}

// No sum is smaller than the contribution of a few of its sources.
void DependencySum::check_again(const StateReader& reader, Vertex done) {
  const auto again = any_of(sources().first(done));
  Dependencies some{.vertices = std::vector<double>(all_done_.vertices.size(), 0),
                    .arcs = std::vector<double>(all_done_.arcs.size(), 0),
                    .weights = core_.weight};
  from_.add(again, some);
  const auto check = [&](const std::vector<double>& least, const std::vector<double>& all) {
    for (std::size_t i = 0; i < all.size(); ++i)
      reader.require(least[i] <= all[i] * (1 + kRounding) + kRounding,
                     "a sum is smaller than its sources make it");
  };
  check(some.vertices, all_done_.vertices);
  check(some.arcs, all_done_.arcs);
}

}  // namespace antipode

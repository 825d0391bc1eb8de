// The state of a search in a checkpoint. A state that is restored is not trusted: every part and
// every score is checked.
#include <algorithm>
#include <cmath>

#include "antipode/golf.hpp"
#include "measure/state.hpp"

namespace antipode::golf {

namespace {

void put(StateWriter& writer, const Part& part) {
  writer.put(part.order).put(part.size).put(part.group).put(part.edges);
}
void get(StateReader& reader, Part& part) {
  reader.get(part.order).get(part.size).get(part.group).get(part.edges);
}

void check(const StateReader& reader, const Schedule& schedule, const Options& options) {
  const bool cools = std::isfinite(schedule.hottest) && schedule.coldest > 0 &&
                     schedule.coldest <= schedule.hottest;
  reader.require(cools, "its temperatures are no temperatures");
  reader.require(schedule.steps >= 1 && (options.steps == 0 || schedule.steps <= options.steps),
                 "it has another number of steps");
}

// Requires a part that the options allow and that an engine can take: every edge has two ends, and
// no residue exceeds the degree.
void check(const StateReader& reader, const Part& part, const Options& options) {
  reader.require(part.order == options.order && part.size > 0 && part.order % part.size == 0,
                 "a part has another order");
  reader.require(options.part == 0 || part.size == options.part, "a part has another size");
  std::uint64_t shifts = 1;
  for (const Vertex factor : part.group)
    shifts = std::min<std::uint64_t>(shifts * factor, kNoVertex);
  reader.require(!part.group.empty() && shifts == part.shifts(), "a part has another group");
  for (const PartEdge& e : part.edges) {
    reader.require(e.from < part.size && e.to < part.size && e.shift < part.shifts(),
                   "an edge leads nowhere");
    reader.require(e.from != e.to || part.negative(e.shift) != e.shift,
                   "an edge is its own way back");
  }
  const auto ends = part.ends();
  reader.require(*std::max_element(ends.begin(), ends.end()) <= options.degree,
                 "a degree is too high");
}

void check(const StateReader& reader, const Chain& chain, const Options& options,
           std::uint64_t steps) {
  check(reader, chain.part, options);
  check(reader, chain.best, options);
  reader.require(chain.best.size == chain.part.size && chain.best.group == chain.part.group,
                 "its parts do not go together");
  reader.require(chain.accepted <= chain.step && chain.step <= steps,
                 "it has taken other steps than there are");
  if (chain.places.empty()) return;
  reader.require(chain.places.size() == 2 * chain.part.edges.size(),
                 "it has other ends than edges");
  std::vector<bool> taken(std::size_t{chain.part.size} * options.degree, false);
  for (std::size_t i = 0; i < chain.places.size(); ++i) {
    const PartEdge& e = chain.part.edges[i / 2];
    const Vertex place = chain.places[i];
    const bool free = place < taken.size() && !taken[place] &&
                      place / options.degree == (i % 2 == 0 ? e.from : e.to);
    reader.require(free, "the end of an edge has no place");
    taken[place] = true;
  }
}

}  // namespace

Search::Search(PartEngine& engine, const Options& options, std::vector<unsigned char> state)
    : engine_(engine), options_(options) {
  StateReader reader(std::move(state));
  std::uint64_t count = 0;
  reader.get(schedule_).get(count);
  check(reader, schedule_, options_);
  reader.require(count >= 1 && (options_.chains == 0 || count <= options_.chains),
                 "it has another number of chains");
  // One by one: a wrong count is found before memory is allocated for it.
  for (std::uint64_t i = 0; i < count; ++i) {
    Chain& chain = chains_.emplace_back();
    get(reader, chain.part);
    get(reader, chain.best);
    reader.get(chain.score)
        .get(chain.best_score)
        .get(chain.seed)
        .get(chain.step)
        .get(chain.accepted)
        .get(chain.places);
    const bool alike = chain.part.size == chains_.front().part.size &&
                       chain.part.group == chains_.front().part.group;
    reader.require(alike && chain.step == chains_.front().step, "its chains do not go together");
    check(reader, chain, options_, schedule_.steps);
    reader.require(engine.evaluate(chain.part) == chain.score &&
                       engine.evaluate(chain.best) == chain.best_score,
                   "a score is not that of its part");
  }
  reader.finish();
}

std::vector<unsigned char> Search::state() const {
  StateWriter writer;
  writer.put(schedule_).put(std::uint64_t{chains_.size()});
  for (const Chain& chain : chains_) {
    put(writer, chain.part);
    put(writer, chain.best);
    writer.put(chain.score)
        .put(chain.best_score)
        .put(chain.seed)
        .put(chain.step)
        .put(chain.accepted)
        .put(chain.places);
  }
  return writer.sealed();
}

}  // namespace antipode::golf

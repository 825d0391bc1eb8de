// Diameter and radius: their bounds, the path between the ends, and how search by search the bounds
// of the diameter closed.
#include <fmt/format.h>

#include <algorithm>

#include "antipode/error.hpp"
#include "antipode/path_measures.hpp"
#include "report/page/sections.hpp"

namespace antipode::page {

namespace {

// Bounds after each search, as the measure reports them. Of many, every second is dropped again and
// again.
class Trace final : public Observer {
 public:
  explicit Trace(Watch& watch) : watch_(watch) {}
  bool stop() override { return watch_.stop(); }
  void progress(const Progress& now) override {
    watch_.progress(now);
    if (seen_++ % every_ != 0) {
      pending_ = now;
      return;
    }
    pending_.reset();
    points_.push_back(now);
    if (points_.size() < 2 * kMost) return;
    for (std::size_t i = 0; i < kMost; ++i) points_[i] = points_[2 * i];
    points_.resize(kMost);
    every_ *= 2;
  }

  // [searches, lower, upper], the last of them the final bounds.
  Json json(const Part& part, std::uint64_t searches, Length lower, Length upper) {
    if (pending_) points_.push_back(*pending_);
    points_.push_back({lower, upper, searches, 0});
    std::vector<Json> result;
    for (const Progress& each : points_)
      result.push_back(Json::array({each.searches, part.in_units(each.lower),
                                    part.in_units(std::min(each.upper, kEndless))}));
    return result;
  }

 private:
  static constexpr std::size_t kMost = 100;
  static constexpr Length kEndless = Length{1} << 62;

  Watch& watch_;
  std::vector<Progress> points_;
  std::optional<Progress> pending_;
  std::uint64_t seen_ = 0, every_ = 1;
};

std::string sentence(const Part& part, const Step& step) {
  const auto vertex = [&] { return part.label(step.vertex); };
  switch (step.rule) {
    case Step::Rule::eccentricity:
      return fmt::format("{} has eccentricity {}", vertex(), step.value);
    case Step::Rule::reach:
      return fmt::format("every candidate is within {} of {}", step.value, vertex());
    case Step::Rule::reach_outside:
      return fmt::format("every candidate outside the ball is within {} of {}", step.value,
                         vertex());
    case Step::Rule::batch:
      return fmt::format("in a batch: every candidate is within {} of {}", step.value, vertex());
    case Step::Rule::ball:
      return step.group.size() > 1 ? fmt::format("the ball is around {}, widened by a clique of {}",
                                                 vertex(), step.group.size())
                                   : fmt::format("the ball is around {}", vertex());
    case Step::Rule::twins:
      return "of candidates with the same neighbours one stays";
    case Step::Rule::pendant_paths:
      return "candidates where pendant paths are attached are dropped";
  }
  return "";
}

std::string sentence(const Part& part, const PathStep& step) {
  const auto text = [&](Length length) {
    return length == kNoPath ? std::string("∞") : to_text(length, part.graph.unit());
  };
  const std::string vertex = step.vertex == kNoVertex ? "" : part.label(step.vertex);
  switch (step.rule) {
    case PathStep::Rule::eccentricity:
      return part.graph.is_directed()
                 ? fmt::format("{} has eccentricity {} along the arcs, {} against them", vertex,
                               text(step.value), text(step.other))
                 : fmt::format("{} has eccentricity {}", vertex, text(step.value));
    case PathStep::Rule::hub:
    case PathStep::Rule::hub_outside: {
      const char* const which = step.rule == PathStep::Rule::hub ? "" : " outside the split";
      return fmt::format("every candidate{} is within {} from {}, or {} to it", which,
                         text(step.value), vertex, text(step.other));
    }
    case PathStep::Rule::split:
      return fmt::format("the candidates are split by their distance to {}", vertex);
    case PathStep::Rule::tails:
      return fmt::format("{} first vertices were searched: none has a longer path",
                         step.group.size());
    case PathStep::Rule::heads:
      return fmt::format("{} last vertices were searched: none has a longer path",
                         step.group.size());
    case PathStep::Rule::components:
      return "bounds along the strong components close";
  }
  return "";
}

// The first and the last steps as sentences.
template <class AnyStep>
Json sentences(const Part& part, const std::vector<AnyStep>& steps) {
  constexpr std::size_t kMost = 24;
  std::vector<Json> shown;
  const std::size_t left_out = steps.size() > kMost ? steps.size() - kMost : 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (i < kMost / 2 || i >= kMost / 2 + left_out)
      shown.push_back(Json::array({i + 1, sentence(part, steps[i])}));
  return shown;
}

template <class Found>
Extent extent_of(const Part& part, Trace& trace, Found found) {
  const std::uint64_t searches = found.searches + found.lanes;
  Extent extent;
  extent.exact = found.exact();
  extent.lower = found.lower;
  extent.upper = found.upper;
  extent.json = Json::object({{"state", found.exact() ? "exact" : "bounds"},
                              {"lower", part.in_units(found.lower)},
                              {"upper", part.in_units(found.upper)},
                              {"searches", searches},
                              {"trace", trace.json(part, searches, found.lower, found.upper)},
                              {"steps", sentences(part, found.steps)},
                              {"all_steps", found.steps.size()}});
  extent.longest = std::move(found.witness.path);
  if (!extent.longest.empty()) extent.center = extent.longest[extent.longest.size() / 2];
  return extent;
}

}  // namespace

namespace {

template <class AnyEngine, class Certify>
void prove(AnyEngine& engine, Watch& watch, Certify certify, Extent& extent) {
  const Limit limit(engine, watch);
  try {
    extent.proof = certify();
    std::visit(
        [&](const auto& proof) {
          if constexpr (requires { proof.facts; }) extent.json.add("facts", proof.facts.size());
        },
        extent.proof);
  } catch (const Interrupted&) {
  }
}

}  // namespace

Extent diameter(Part& part, Watch& watch, Proof proof, double share_of_proof) {
  if (part.graph.order() == 0) {
    Extent none;
    none.json = Json::object({{"state", "undefined"}});
    none.exact = true;
    return none;
  }
  Trace trace(watch);
  const auto proved = [&](const auto& found, auto& engine, auto certify) {
    Extent extent = extent_of(part, trace, found);
    if (proof == Proof::none || !extent.exact) return extent;
    watch.until(share_of_proof);
    prove(
        engine, watch, [&] { return certify(found); }, extent);
    return extent;
  };
  const Graph& whole = part.loaded.graph;
  if (part.paths)
    return proved(diameter(*part.paths, trace), *part.paths, [&](const PathDiameter& found) {
      return certify_paths(*part.paths, whole, found, watch);
    });
  DiameterOptions options;
  if (proof == Proof::certificate) options.concurrent = 1;  // few searches: quick to check
  return proved(diameter(*part.engine, options, trace), *part.engine,
                [&](const Diameter& found) { return certify(*part.engine, whole, found); });
}

void add_radius(Part& part, Watch& watch, Extent& extent) {
  if (part.graph.order() == 0) return;
  Length lower = 0, upper = 0;
  std::uint64_t searches = 0;
  if (part.paths) {
    const PathCenter found = center(*part.paths, Question::radius, watch);
    lower = found.lower, upper = found.upper, searches = found.searches;
    if (!found.center.empty()) extent.center = found.center.front();
  } else {
    const Eccentricities found =
        eccentricities(*part.engine, Question::radius, Selection::together, watch);
    lower = found.radius_lower(), upper = found.radius_upper(), searches = found.searches;
    if (searches > 0)
      extent.center = static_cast<Vertex>(std::min_element(found.upper.begin(), found.upper.end()) -
                                          found.upper.begin());
  }
  extent.json.add("radius", Json::object({{"state", lower == upper ? "exact" : "bounds"},
                                          {"lower", part.in_units(lower)},
                                          {"upper", part.in_units(upper)},
                                          {"searches", searches}}));
}

}  // namespace antipode::page

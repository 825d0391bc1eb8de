// The checker. It trusts nothing but the graph: it searches with a plain queue of its own,
// recomputes every fact, and draws the conclusion itself. Rules and their proofs:
// docs/definitions.md, "Certificates". One file on purpose: a reader who doubts a certificate finds
// here all the code that accepts it.
#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "measure/connected.hpp"

namespace antipode {

namespace {

using Distances = std::vector<Distance>;

struct Refused {
  std::string reason;
};

template <class... Parts>
void require(bool holds, fmt::format_string<Parts...> format, Parts&&... parts) {
  if (!holds) throw Refused{fmt::format(format, std::forward<Parts>(parts)...)};
}

class Checker {
 public:
  Checker(const Certificate& certificate, const Graph& graph, Observer& observer)
      : claim_(certificate), graph_(graph), observer_(observer) {}

  std::uint64_t searches() const { return searches_; }

  void check() {
    check_graph();
    check_path();
    if (claim_.question == Question::diameter) {
      check_elimination();
    } else {
      check_bounding();
    }
    const bool lists =
        claim_.question == Question::center || claim_.question == Question::periphery;
    require(lists || claim_.members.empty(), "members are listed, but the question has none");
    require(claim_.question == Question::eccentricity || claim_.distribution.empty(),
            "a distribution is given, but the question has none");
  }

 private:
  // Called with the work done since: asks from time to time whether to go on.
  void work(std::uint64_t steps) {
    constexpr std::uint64_t kBetween = 1 << 16;
    if ((steps_ += steps) < kBetween) return;
    steps_ = 0;
    if (observer_.stop()) throw Interrupted();
  }

  void tell(const Fact& fact) {
    const auto done = static_cast<std::uint64_t>(&fact - claim_.facts.data());
    observer_.progress(
        {.searches = done, .candidates = static_cast<Vertex>(claim_.facts.size() - done)});
  }

  void check_graph() {
    if (observer_.stop()) throw Interrupted();
    require(fingerprint(graph_) == claim_.graph,
            "the certificate is about another graph (fingerprints differ)");
    require(!claim_.path.empty(), "the path is empty");
    index_labels();
    home_ = distances(vertex(claim_.path.front()));
    Vertex order = 0;
    EdgeOffset arcs = 0;
    for (Vertex v = 0; v < graph_.order(); ++v)
      if (home_[v] != kUnreached) ++order, arcs += graph_.degree(v);
    require(order == claim_.component_order, "the component has {} vertices, not {}", order,
            claim_.component_order);
    require(arcs / 2 == claim_.component_size, "the component has {} edges, not {}", arcs / 2,
            claim_.component_size);
    require(home_[start_of_largest()] != kUnreached,
            "the path does not lie in the largest component (of equal ones that with the first "
            "label)");
  }

  void check_path() {
    require(claim_.question == Question::eccentricity ||
                claim_.path.size() == std::size_t{claim_.value} + 1,
            "the path has {} edges, not {}", claim_.path.size() - 1, claim_.value);
    for (std::size_t i = 1; i < claim_.path.size(); ++i) {
      const Vertex from = vertex(claim_.path[i - 1]), to = vertex(claim_.path[i]);
      require(adjacent(from, to), "the path uses {} – {}, which is no edge", claim_.path[i - 1],
              claim_.path[i]);
      require(home_[to] == i,
              "the path is not a shortest one: {} is at distance {} from its start, not {}",
              claim_.path[i], home_[to], i);
    }
    require(eccentricity(home_) == claim_.path.size() - 1,
            "the path's start has eccentricity {}, not {}", eccentricity(home_),
            claim_.path.size() - 1);
  }

  // Diameter: every vertex is a candidate; facts remove those that end no path longer than the
  // value.
  void check_elimination() {
    candidate_.assign(graph_.order(), false);
    for (Vertex v = 0; v < graph_.order(); ++v) candidate_[v] = home_[v] != kUnreached;
    outside_ = candidate_;
    for (const Fact& fact : claim_.facts) {
      tell(fact);
      work(graph_.order());
      apply(fact);
      require(fact.left == count_left(fact.rule), "{} at {} leaves {} candidates, not {}",
              rule_name(fact.rule), name(fact), count_left(fact.rule), fact.left);
    }
    require(count(outside_) == 0, "{} candidates are left, so the diameter may be larger than {}",
            count(outside_), claim_.value);
  }

  void apply(const Fact& fact) {
    const Distance limit = claim_.value;
    switch (fact.rule) {
      case Fact::Rule::eccentricity:
      case Fact::Rule::reach:
      case Fact::Rule::reach_outside: {
        require(fact.vertices.size() == 1, "{} names {} sources, not one", rule_name(fact.rule),
                fact.vertices.size());
        const Distances& row = distances_from(vertex(fact.vertices.front()));
        const bool inside_only = fact.rule == Fact::Rule::reach_outside;
        const Distance reach = fact.rule == Fact::Rule::eccentricity
                                   ? eccentricity(row)
                                   : largest(row, inside_only ? outside_ : candidate_);
        require(fact.value == reach, "{} of {} is {}, not {}", rule_name(fact.rule), name(fact),
                reach, fact.value);
        for (Vertex v = 0; v < graph_.order(); ++v)
          if (candidate_[v] && !(inside_only && outside_[v]) &&
              std::uint64_t{row[v]} + reach <= limit)
            candidate_[v] = outside_[v] = false;
        break;
      }
      case Fact::Rule::ball:
        require(fact.vertices.size() == 1, "a ball has one centre, not {}", fact.vertices.size());
        require(fact.value == limit / 2, "the ball at {} must have radius {}, not {}", name(fact),
                limit / 2, fact.value);
        set_ball(fact);
        break;
      case Fact::Rule::clique_ball:
        require(limit % 2 == 1 && fact.value == limit / 2,
                "a ball around a clique needs an odd value and radius {}", limit / 2);
        check_clique(fact);
        set_ball(fact);
        break;
      case Fact::Rule::twins:
        check_twins(fact);
        break;
      case Fact::Rule::pendant_paths:
        check_stems(fact);
        break;
    }
  }

  void set_ball(const Fact& fact) {
    require(!fact.vertices.empty(), "a ball without a centre");
    std::vector<Vertex> centers;
    for (const auto& label : fact.vertices) centers.push_back(vertex(label));
    const Distances row = distances(centers);
    for (Vertex v = 0; v < graph_.order(); ++v) outside_[v] = candidate_[v] && row[v] > fact.value;
  }

  void check_clique(const Fact& fact) {
    for (std::size_t i = 0; i < fact.vertices.size(); ++i, work(16 * i))
      for (std::size_t j = 0; j < i; ++j)
        require(adjacent(vertex(fact.vertices[i]), vertex(fact.vertices[j])),
                "{} and {} of the clique are not adjacent", fact.vertices[i], fact.vertices[j]);
  }

  void check_twins(const Fact& fact) {
    require(claim_.value >= 2, "twins are two apart, more than the value {}", claim_.value);
    require(fact.value == 0, "twins have no value");
    require(fact.vertices.size() >= 2, "twins need two vertices");
    std::set<Vertex> distinct;
    const auto same = graph_.neighbors(vertex(fact.vertices.front()));
    for (const auto& label : fact.vertices) {
      const Vertex v = vertex(label);
      const auto around = graph_.neighbors(v);
      work(around.size());
      require(distinct.insert(v).second, "twin {} is named twice", label);
      require(std::equal(same.begin(), same.end(), around.begin(), around.end()),
              "{} is no twin of {}", label, fact.vertices.front());
      require(candidate_[v], "twin {} is no candidate any more", label);
      if (label != fact.vertices.front()) candidate_[v] = outside_[v] = false;
    }
  }

  void check_stems(const Fact& fact) {
    require(claim_.value >= 2,
            "pendant paths may be dropped only if the value is at least 2, not {}", claim_.value);
    require(fact.vertices.empty() && fact.value == 0,
            "the fact 'stems' has neither vertices nor a value");
    for (Vertex leaf = 0; leaf < graph_.order(); ++leaf) {
      if (home_[leaf] == kUnreached || graph_.degree(leaf) != 1) continue;
      Vertex before = leaf, v = graph_.neighbors(leaf).front();
      while (graph_.degree(v) > 1) {
        candidate_[v] = outside_[v] = false;
        if (graph_.degree(v) > 2) break;
        const Vertex next = graph_.neighbors(v).front() == before ? graph_.neighbors(v).back()
                                                                  : graph_.neighbors(v).front();
        before = v;
        v = next;
      }
    }
  }

  // Radius, center, periphery, eccentricity: facts bound every eccentricity from both sides.
  void check_bounding() {
    Distances lower(graph_.order(), 0), upper(graph_.order(), kUnreached);
    for (const Fact& fact : claim_.facts) {
      tell(fact);
      require(fact.rule == Fact::Rule::eccentricity && fact.vertices.size() == 1,
              "only eccentricities prove this question");
      const Distances row = distances(vertex(fact.vertices.front()));
      const Distance e = eccentricity(row);
      require(fact.value == e, "the eccentricity of {} is {}, not {}", name(fact), e, fact.value);
      Vertex left = 0;
      for (Vertex v = 0; v < graph_.order(); ++v) {
        if (row[v] == kUnreached) continue;
        lower[v] = std::max({lower[v], row[v], e > row[v] ? e - row[v] : 0});
        upper[v] = std::min(upper[v], e + row[v]);
        left += undecided(lower[v], upper[v]) ? 1 : 0;
      }
      require(fact.left == left, "{} vertices are undecided after {}, not {}", left, name(fact),
              fact.left);
    }
    conclude(lower, upper);
  }

  bool undecided(Distance lower, Distance upper) const {
    switch (claim_.question) {
      case Question::radius:
        return lower < claim_.value;
      case Question::center:
        return !(lower > claim_.value || upper <= claim_.value);
      case Question::periphery:
        return !(upper < claim_.value || lower >= claim_.value);
      default:
        return lower != upper;
    }
  }

  void conclude(const Distances& lower, const Distances& upper) {
    std::set<Vertex> members;
    for (const auto& label : claim_.members)
      require(members.insert(vertex(label)).second, "member {} is named twice", label);
    std::vector<Vertex> distribution;
    Distance most = 0;
    for (Vertex v = 0; v < graph_.order(); ++v) {
      if (home_[v] == kUnreached) {
        require(!members.contains(v), "member {} lies in another component", graph_.label(v));
        continue;
      }
      require(!undecided(lower[v], upper[v]),
              "nothing decides {}: its eccentricity is between {} and {}", graph_.label(v),
              lower[v], upper[v]);
      if (claim_.question == Question::center) {
        require(lower[v] >= claim_.value, "{} may have an eccentricity below {}", graph_.label(v),
                claim_.value);
        require(members.contains(v) == (upper[v] <= claim_.value),
                "{} is wrongly in or out of the center", graph_.label(v));
      } else if (claim_.question == Question::periphery) {
        require(upper[v] <= claim_.value, "{} may have an eccentricity above {}", graph_.label(v),
                claim_.value);
        require(members.contains(v) == (lower[v] >= claim_.value),
                "{} is wrongly in or out of the periphery", graph_.label(v));
      } else if (claim_.question == Question::eccentricity) {
        distribution.resize(std::max<std::size_t>(distribution.size(), std::size_t{lower[v]} + 1),
                            0);
        ++distribution[lower[v]];
        most = std::max(most, lower[v]);
      }
    }
    if (claim_.question != Question::eccentricity) return;
    require(distribution == claim_.distribution,
            "the distribution of eccentricities is another one");
    require(most == claim_.value, "the largest eccentricity is {}, not {}", most, claim_.value);
    require(claim_.path.size() == std::size_t{most} + 1, "the path is not one of length {}", most);
  }

  Distances distances(std::span<const Vertex> sources) {
    ++searches_;
    Distances row(graph_.order(), kUnreached);
    std::vector<Vertex> queue;
    for (const Vertex s : sources)
      if (row[s] == kUnreached) row[s] = 0, queue.push_back(s);
    for (std::size_t head = 0; head < queue.size(); work(1 + graph_.degree(queue[head++])))
      for (const Vertex u : graph_.neighbors(queue[head]))
        if (row[u] == kUnreached) row[u] = row[queue[head]] + 1, queue.push_back(u);
    return row;
  }
  Distances distances(Vertex source) { return distances(std::span(&source, 1)); }

  // Proofs name a source again when fewer candidates are left, so its distances are stored.
  const Distances& distances_from(Vertex source) {
    constexpr std::size_t kStored = 64;  // searches
    const auto found = stored_.find(source);
    if (found != stored_.end()) return found->second;
    if (stored_.size() == kStored) stored_.clear();
    return stored_.emplace(source, distances(source)).first->second;
  }

  // A vertex of the component with most vertices. Among equally large ones, the component with the
  // first label.
  Vertex start_of_largest() {
    const auto earlier = [this](Vertex a, Vertex b) {
      return graph_.labels().is_before(graph_.origin(a), graph_.origin(b));
    };
    std::vector<bool> visited(graph_.order(), false);
    std::vector<Vertex> queue;
    std::size_t most = 0;
    Vertex result = kNoVertex;
    for (Vertex start = 0; start < graph_.order(); ++start) {
      if (visited[start]) continue;
      visited[start] = true;
      queue.assign(1, start);
      for (std::size_t head = 0; head < queue.size(); work(1 + graph_.degree(queue[head++])))
        for (const Vertex u : graph_.neighbors(queue[head]))
          if (!visited[u]) visited[u] = true, queue.push_back(u);
      if (queue.size() < most) continue;
      const Vertex first = *std::min_element(queue.begin(), queue.end(), earlier);
      if (queue.size() > most || earlier(first, result)) result = first;
      most = queue.size();
    }
    return result;
  }

  Distance eccentricity(const Distances& row) const {
    Distance most = 0;
    for (const Distance d : row)
      if (d != kUnreached) most = std::max(most, d);
    return most;
  }

  Distance largest(const Distances& row, const std::vector<bool>& among) const {
    Distance most = 0;
    for (Vertex v = 0; v < graph_.order(); ++v)
      if (among[v]) most = std::max(most, row[v]);
    return most;
  }

  static Vertex count(const std::vector<bool>& set) {
    return static_cast<Vertex>(std::count(set.begin(), set.end(), true));
  }
  Vertex count_left(Fact::Rule rule) const {
    return count(rule == Fact::Rule::ball || rule == Fact::Rule::clique_ball ? outside_
                                                                             : candidate_);
  }

  bool adjacent(Vertex a, Vertex b) const {
    const auto around = graph_.neighbors(a);
    return std::binary_search(around.begin(), around.end(), b);
  }

  void index_labels() {
    const auto want = [this](const std::string& label) { vertex_of_.emplace(label, kNoVertex); };
    for (const auto& label : claim_.path) want(label);
    for (const auto& label : claim_.members) want(label);
    for (const Fact& fact : claim_.facts)
      std::for_each(fact.vertices.begin(), fact.vertices.end(), want);
    for (Vertex v = 0; v < graph_.order(); ++v) {
      work(1);
      const auto wanted = vertex_of_.find(graph_.label(v));
      if (wanted != vertex_of_.end()) wanted->second = v;
    }
  }

  Vertex vertex(const std::string& label) const {
    const Vertex v = vertex_of_.at(label);
    require(v != kNoVertex, "the graph has no vertex {}", label);
    require(home_.empty() || home_[v] != kUnreached, "vertex {} lies in another component", label);
    return v;
  }

  static std::string name(const Fact& fact) {
    return fact.vertices.empty() ? "nothing" : fact.vertices.front();
  }
  static std::string_view rule_name(Fact::Rule rule) {
    switch (rule) {
      case Fact::Rule::eccentricity:
        return "the eccentricity";
      case Fact::Rule::reach:
        return "the reach";
      case Fact::Rule::reach_outside:
        return "the reach outside the ball";
      case Fact::Rule::ball:
        return "the ball";
      case Fact::Rule::clique_ball:
        return "the ball around the clique";
      case Fact::Rule::twins:
        return "the twins";
      case Fact::Rule::pendant_paths:
        return "the pendant paths";
    }
    return "";
  }

  const Certificate& claim_;
  const Graph& graph_;
  Observer& observer_;
  std::uint64_t searches_ = 0, steps_ = 0;
  std::unordered_map<std::string, Vertex> vertex_of_;
  Distances home_;  // distances from the path's start: reached means in the component
  std::vector<bool> candidate_, outside_;
  std::map<Vertex, Distances> stored_;
};

}  // namespace

Verdict verify(const Certificate& certificate, const Graph& whole) {
  Observer observer;
  return verify(certificate, whole, observer);
}

Verdict verify(const Certificate& certificate, const Graph& whole, Observer& observer) {
  require_undirected(whole, "a certificate");
  Checker checker(certificate, whole, observer);
  try {
    checker.check();
    return {true, {}, checker.searches()};
  } catch (const Refused& refused) {
    return {false, refused.reason, checker.searches()};
  }
}

}  // namespace antipode

// The annealing engine on the GPU: converts chains, chooses between shared memory and teams of
// blocks, and passes parts that suit neither to the CPU.
#include "engine/cuda/golf/part_engine.hpp"

#include <algorithm>
#include <cmath>

#include "antipode/error.hpp"
#include "engine/cuda/golf/engines.hpp"
#include "engine/cuda/golf/part_steps.hpp"

namespace antipode::cuda {

namespace {

// Ports of the edges: those that `places` names, or the next free ones. A walk depends on which
// ports its edges have.
std::vector<Port> ports_of(const golf::Part& part, Vertex degree,
                           const std::vector<Vertex>& places) {
  std::vector<Port> ports(std::size_t{part.size} * degree, Port{kFree, 0, 0});
  std::vector<Vertex> used(part.size, 0);
  const auto port_at = [&](Vertex residue) {
    if (used[residue] == degree)
      throw UsageError("a vertex of the part has more edges than its degree allows");
    return residue * degree + used[residue]++;
  };
  const bool placed = places.size() == 2 * part.edges.size();
  for (std::size_t i = 0; i < part.edges.size(); ++i) {
    const golf::PartEdge& e = part.edges[i];
    const Vertex p = placed ? places[2 * i] : port_at(e.from),
                 q = placed ? places[2 * i + 1] : port_at(e.to);
    ports[p] = {static_cast<unsigned short>(q), static_cast<unsigned short>(e.to), e.shift};
    ports[q] = {static_cast<unsigned short>(p), static_cast<unsigned short>(e.from),
                part.negative(e.shift)};
  }
  return ports;
}

std::vector<golf::PartEdge> edges_of(std::span<const Port> ports, Vertex degree,
                                     std::vector<Vertex>& places) {
  std::vector<golf::PartEdge> edges;
  places.clear();
  for (std::size_t p = 0; p < ports.size(); ++p) {
    if (ports[p].mate == kFree || ports[p].mate < p) continue;
    edges.push_back({static_cast<Vertex>(p / degree), ports[p].to, ports[p].shift});
    places.push_back(static_cast<Vertex>(p));
    places.push_back(ports[p].mate);
  }
  return edges;
}

WalkScore device_score(const golf::PartScore& score) {
  return {.unreached = score.unreached,
          .sum = score.sum,
          .diameter = score.diameter,
          .last = static_cast<unsigned>(score.last)};
}
golf::PartScore host_score(const WalkScore& score) {
  return {.unreached = score.unreached,
          .diameter = score.diameter,
          .sum = score.sum,
          .last = score.last};
}

class CudaParts final : public golf::PartEngine {
 public:
  explicit CudaParts(unsigned threads) : host_(golf::make_part_engine("cpu", threads)) {}

  std::string_view name() const override { return "cuda"; }

  golf::PartScore evaluate(const golf::Part& part) override {
    const auto degrees = part.ends();
    const Vertex degree = *std::max_element(degrees.begin(), degrees.end());
    if (!suits(part, degree)) return host_->evaluate(part);
    std::vector<golf::Chain> chain(1);
    chain[0].part = chain[0].best = part;
    run(chain, degree, {.hottest = 1, .coldest = 1, .steps = 1, .aim = 0}, 0);
    return chain[0].score;
  }

  std::size_t chains(const golf::Part& like) const override {
    const WalkJob job = shape(like, std::max<Vertex>(1, most_degree(like)));
    return fits_shared(context_, job) ? chains_at_once(context_, job) : 1;
  }

  void anneal(std::span<golf::Chain> chains, Vertex degree, const golf::Schedule& schedule,
              std::uint64_t steps) override {
    if (chains.empty() || steps == 0) return;
    if (!suits(chains.front().part, degree)) return host_->anneal(chains, degree, schedule, steps);
    run(chains, degree, schedule, steps);
  }

 private:
  static Vertex most_degree(const golf::Part& part) {
    const auto degrees = part.ends();
    return degrees.empty() ? 0 : *std::max_element(degrees.begin(), degrees.end());
  }
  static WalkJob shape(const golf::Part& part, Vertex degree) {
    WalkJob job{};
    job.order = part.order, job.size = part.size, job.shifts = part.shifts(), job.degree = degree,
    job.ports = part.size * degree;
    job.factor_count =
        static_cast<unsigned>(std::min<std::size_t>(part.group.size(), kMostFactors));
    std::copy_n(part.group.begin(), job.factor_count, job.factors);
    return job;
  }
  // The host anneals parts with involutions, since these have only one end.
  bool suits(const golf::Part& part, Vertex degree) const {
    const WalkJob job = shape(part, degree);
    const bool small = job.ports < kFree && part.group.size() <= kMostFactors && degree > 0;
    const bool two_ends =
        std::none_of(part.edges.begin(), part.edges.end(), [&](const golf::PartEdge& e) {
          return e.from == e.to && part.negative(e.shift) == e.shift;
        });
    return small && two_ends &&
           (fits_shared(context_, job) ||
            (part.size <= kMostTeamSources &&
             job.ports * sizeof(Port) + 1024 <= context_.shared_bytes()));
  }

  void run(std::span<golf::Chain> chains, Vertex degree, const golf::Schedule& schedule,
           std::uint64_t steps) {
    WalkJob job = shape(chains.front().part, degree);
    upload(chains, degree, job);
    job.chains = static_cast<unsigned>(chains.size());
    job.steps = steps;
    job.all_steps = schedule.steps;
    job.aim = schedule.aim;
    job.hottest = static_cast<float>(std::min(schedule.hottest, 1e18));
    job.log_cooling = static_cast<float>(std::log2(schedule.coldest / schedule.hottest));
    if (votes_.size() < chains.size()) votes_ = Buffer<TeamVote>(chains.size());
    if (fits_shared(context_, job)) {
      walk_in_shared(context_, job, votes_.data());
    } else {
      const std::size_t teams = teams_for(context_, job), words = 3 * teams * job.order;
      if (words_.size() < words) words_ = Buffer<unsigned long long>(words);
      if (cells_.size() < teams) cells_ = Buffer<TeamCells>(teams);
      walk_in_teams(context_, job, {words_.data(), cells_.data(), votes_.data()});
    }
    download(chains, degree, job);
  }

  // Copies scores, ports and best ports of all chains to the GPU.
  void upload(std::span<const golf::Chain> chains, Vertex degree, WalkJob& job) {
    const std::size_t port_count = std::size_t{job.ports} * chains.size();
    if (states_.size() < chains.size()) states_ = Buffer<WalkState>(chains.size());
    if (now_.size() < port_count) now_ = Buffer<Port>(port_count), best_ = Buffer<Port>(port_count);
    std::vector<WalkState> states;
    std::vector<Port> now, best;
    for (const golf::Chain& chain : chains) {
      states.push_back({.score = device_score(chain.score),
                        .best = device_score(chain.best_score),
                        .seed = chain.seed,
                        .step = chain.step,
                        .accepted = chain.accepted});
      const auto now_ports = ports_of(chain.part, degree, chain.places),
                 best_ports = ports_of(chain.best, degree, {});
      now.insert(now.end(), now_ports.begin(), now_ports.end());
      best.insert(best.end(), best_ports.begin(), best_ports.end());
    }
    context_.upload(states_.data(), std::span<const WalkState>(states));
    context_.upload(now_.data(), std::span<const Port>(now));
    context_.upload(best_.data(), std::span<const Port>(best));
    context_.finish();  // before the vectors are destroyed
    job.states = states_.data(), job.now = now_.data(), job.best = best_.data();
  }

  void download(std::span<golf::Chain> chains, Vertex degree, const WalkJob& job) const {
    const std::size_t port_count = std::size_t{job.ports} * chains.size();
    std::vector<WalkState> states(chains.size());
    std::vector<Port> now(port_count), best(port_count);
    context_.download(std::span<WalkState>(states), states_.data());
    context_.download(std::span<Port>(now), now_.data());
    context_.download(std::span<Port>(best), best_.data());
    for (std::size_t i = 0; i < chains.size(); ++i) {
      golf::Chain& chain = chains[i];
      chain.score = host_score(states[i].score), chain.best_score = host_score(states[i].best);
      chain.step = states[i].step, chain.accepted = states[i].accepted;
      std::vector<Vertex> best_places;
      const auto ports_of_chain = [&](const std::vector<Port>& ports) {
        return std::span(ports).subspan(i * job.ports, job.ports);
      };
      chain.part.edges = edges_of(ports_of_chain(now), degree, chain.places);
      chain.best.edges = edges_of(ports_of_chain(best), degree, best_places);
    }
  }

  Context context_;
  std::unique_ptr<golf::PartEngine> host_;
  Buffer<WalkState> states_;
  Buffer<Port> now_, best_;
  Buffer<unsigned long long> words_;
  Buffer<TeamCells> cells_;
  Buffer<TeamVote> votes_;
};

}  // namespace

std::unique_ptr<golf::PartEngine> make_part_engine(unsigned threads) {
  return std::make_unique<CudaParts>(threads);
}

}  // namespace antipode::cuda

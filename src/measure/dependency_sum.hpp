// The sum of dependencies over sources in their order (source_order.hpp), and what follows from it
// if only some sources are done. With k of the m sources of a stratum done, the estimate is
//   sum over strata of m / k · dependencies of the k.
// Its mean is the exact value, since each of the m is among the k with probability k / m.
// Memory: 24 bytes per vertex, and per arc if edges are requested.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "measure/source_order.hpp"
#include "measure/state.hpp"

namespace antipode {

// Where dependencies come from.
class DependencySource {
 public:
  struct Part {
    std::span<const Vertex> sources;
    const Dependencies* sums;  // of the sources of this part and of the parts before
  };
  virtual ~DependencySource() = default;
  virtual void add(std::span<const Vertex> sources, Dependencies& sums) = 0;
  // Refuses saved sums that are not those of their sources, as far as this can be told in a small
  // part of the time.
  virtual void check(const StateReader& reader, const std::array<Part, 3>& parts) = 0;
};

class DependencySum {
 public:
  enum class Arcs { none, counted };
  DependencySum(DependencySource& from, const Core& core, const BetweennessOptions& options,
                Arcs arcs);

  std::span<const Vertex> sources() const { return order_.sources; }
  // Number of sources that an estimate is from: complete rounds of every stratum.
  std::size_t sample_size() const { return counted_; }
  bool has_estimate() const;

  void add(std::size_t begin, std::span<const Vertex> part);
  // The estimate of the sum over all sources; exact if all are counted.
  Dependencies scale() const;
  // Of a normalized value, as Betweenness::epsilon: no value is below 0 or above 1.
  double epsilon(double delta) const;

  // For checkpoints; `done` is the number of sources added.
  std::vector<unsigned char> state(Vertex done) const;
  void restore(const std::vector<unsigned char>& saved, Vertex& done);

 private:
  std::vector<Round>::const_iterator after(std::size_t at) const;
  void finish(const Round& round);

  std::size_t size(Stratum stratum) const {
    return stratum == Stratum::heavy ? order_.heavy : core_.graph.order() - order_.heavy;
  }
  std::size_t sample_size(Stratum stratum) const;
  double scale(Stratum stratum) const {
    return static_cast<double>(size(stratum)) / static_cast<double>(sample_size(stratum));
  }
  std::vector<Stratum> strata() const;  // of every vertex of the core

  void check_range(const StateReader& reader, Vertex done) const;
  void check_totals(const StateReader& reader, Vertex done);
  void check_again(const StateReader& reader, Vertex done);

  DependencySource& from_;
  const Core& core_;
  bool edges_;
  SourceOrder order_;
  Dependencies all_done_;     // spoiled by an interrupted request
  Dependencies from_rounds_;  // of the sources counted
  Dependencies from_heavy_;   // of the heavy ones among these
  std::size_t counted_ = 0;
};

// The values of a betweenness whose sources are done.
void finish_betweenness(const DependencySum& sum, const Core& core,
                        const BetweennessOptions& options, Betweenness& result);
std::uint64_t betweenness_bytes(const Graph& core, const BetweennessOptions& options);

}  // namespace antipode

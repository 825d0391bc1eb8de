// The order in which betweenness adds its sources, in two strata.
//
// Sources come in random rounds, so the complete rounds of a stopped run are a sample without
// replacement. A source s of the 2-core counts weight(s) times. An estimate would depend on whether
// the few sources with large pendant trees are in the sample, so these *heavy* sources are a
// stratum of their own. The order is: a round of heavy sources; a round of others, after which
// there is an estimate; all other heavy sources, whose part is exact from then on; all the rest.
//
// Within a round sources are sorted by number: searches from neighbours are alike, and run up to a
// third faster one after the other on roads. Rounds double up to an eighth of the sources, so that
// a run that is stopped within a round loses little.
#pragma once

#include <vector>

#include "antipode/measures.hpp"

namespace antipode {

// Rounds have 32, 64, … sources. An engine adds so many at a time that short rounds cost nothing.
inline constexpr std::size_t kFirstRound = 32;

enum class Stratum { light, heavy };

struct Round {
  std::size_t end;  // in the sources; a multiple of kFirstRound, except for the last
  Stratum stratum;
};

struct SourceOrder {
  std::vector<Vertex> sources;
  std::size_t heavy = 0;  // number of heavy ones
  std::vector<Round> rounds;
};

SourceOrder source_order(const Core& core, const BetweennessOptions& options);

}  // namespace antipode

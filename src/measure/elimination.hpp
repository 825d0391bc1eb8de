// Exact diameter by elimination. L is the length of the longest shortest path seen. A vertex is a
// candidate while it may end a longer one; a vertex searched at distance d that has every candidate
// within e proves that candidates with d + e <= L are none. The ball of radius L/2 around any
// vertex holds no two ends of a longer path, so only the candidates outside it need searching.
// Proof: docs/definitions.md. [Takes & Kosters 2011; Crescenzi et al. 2013, iFUB; F-Diam 2025; the
// free choice of the ball is ours]
#pragma once

#include "antipode/measures.hpp"

namespace antipode {

// With Strategy::sweep: a double sweep, then one candidate after the other. With
// Strategy::automatic: also the midpoint of the longest path, the ball re-chosen after every search
// and widened around a clique, central sources in turn with candidates, and hundreds of candidates
// searched at once when that is expected to be faster.
Diameter eliminate(Engine& engine, const DiameterOptions& options, Observer& observer);

}  // namespace antipode

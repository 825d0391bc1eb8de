// A chain of searches, interpreted step by step on the host.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "antipode/engine.hpp"

namespace antipode::host {

// A search, its effect on the candidates, and its retained distances.
Probe search_and_apply(Engine& engine, Vertex source, Distance lower,
                       std::span<const DistanceHandle> centers);

using SearchAndApply =
    std::function<Probe(Vertex source, Distance lower, std::span<const DistanceHandle> centers)>;
std::vector<Probe> interpret(Engine& engine, const SearchChain& chain, const SearchAndApply& step);

}  // namespace antipode::host

// Proofs of answers with lengths or directions that someone else can check, as certificate.hpp has
// them for numbers of edges. Rules and their proofs: docs/paths.md, "Certificates". Vertices are
// named by the file's labels.
#pragma once

#include <string>
#include <vector>

#include "antipode/certificate.hpp"
#include "antipode/path_measures.hpp"

namespace antipode {

// A *tail* may be the first vertex of a path longer than the value, a *head* the last. Without
// directions every candidate is both, and counts once.
struct PathFact {
  enum class Rule {
    hub,  // every head is within `value` from `vertex`, every tail left within `other` to it
    hub_outside,  // the same of those outside the split; drops those inside
    split,        // inside: tails within `value` to `vertex`, heads within the rest of the answer
    tails,        // the largest distance from one of `group` is `value`: they are no tails
    heads,        // the same to one of `group`
    components,   // bounds along strong components close beside `vertex`; `group` was searched
    lower,        // distances to the vertices of `group` bound eccentricities from below
    upper         // eccentricities `values` of `group` bound the others from above
  };
  // Beside a vertex: those that do not reach it are no tails, or those it does not reach no heads.
  enum class Side { tails, heads };
  Rule rule = Rule::hub;
  std::string vertex = {};    // hubs, split, components
  Side side = Side::tails;    // components
  Along along = Along::arcs;  // components: the direction of the bounds
  Length value = 0, other = 0;
  std::vector<std::string> group = {};
  std::vector<Length> values = {};
  std::uint64_t left = 0;  // tails and heads left after it; of a split: outside; none of bounds
};

struct PathCertificate {
  // All pairs with a path, or those in the largest component: strongly connected where edges have
  // directions; of the largest ones that with the first label.
  enum class Scope { reachable, largest };
  Question question = Question::diameter;
  Fingerprint graph;  // of the whole graph as read
  bool directed = false, weighted = false;
  Scope scope = Scope::reachable;
  Vertex order = 0;  // of the scope
  EdgeOffset size = 0;
  Along along = Along::arcs;      // of eccentricities
  Length value = 0;               // diameter, radius, or the largest eccentricity
  std::string text;               // the same in the unit of the file
  std::vector<std::string> path;  // a shortest one of length `value`; empty: there is no radius
  std::vector<PathFact> facts;
  Vertex reach_all = 0;              // radius and center: so many vertices reach all others
  std::vector<std::string> members;  // center and periphery
  std::uint64_t digest = 0;          // eccentricity: of all of them, see eccentricity_digest
};

// Of exact answers. `whole` is the graph as read; the engine holds it, or its largest component.
// Steps are replayed with the final value, and what they leave open is searched. Interrupted when
// the observer says stop.
PathCertificate certify_paths(PathEngine& engine, const Graph& whole, const PathDiameter& answer,
                              Observer& observer);
PathCertificate certify_paths(PathEngine& engine, const Graph& whole, Along along,
                              const PathEccentricities& answer, Observer& observer);
// `question`: radius or center.
PathCertificate certify_paths(PathEngine& engine, const Graph& whole, Question question,
                              const PathCenter& answer, Observer& observer);
PathCertificate certify_paths(PathEngine& engine, const Graph& whole, const PathPeriphery& answer,
                              Observer& observer);

// Checks every fact with code of its own (nothing of engine/ or of the measures). Distances are
// proved by one scan of all arcs. Interrupted when the observer says stop.
Verdict verify_paths(const PathCertificate& certificate, const Graph& whole, Observer& observer);

// The same for the same labels and eccentricities in any order.
std::uint64_t eccentricity_digest(const Graph& graph, std::span<const Length> eccentricities);

}  // namespace antipode

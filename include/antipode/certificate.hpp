// Proofs that someone else can check. A certificate is a list of small facts, each of which one
// search confirms or refutes, and from which the answer follows by the rules of
// docs/definitions.md. Vertices are named by the file's labels.
#pragma once

#include <string>
#include <vector>

#include "antipode/engine.hpp"
#include "antipode/graph.hpp"
#include "antipode/measures.hpp"

namespace antipode {

struct Fact {
  enum class Rule { eccentricity, reach, reach_outside, ball, clique_ball, twins, pendant_paths };
  Rule rule = Rule::eccentricity;
  std::vector<std::string>
      vertices;  // source, center, clique, twins of which the first stays; none for pendant paths
  Distance value = 0;  // eccentricity, reach or radius; unused for twins and pendant paths
  Vertex left = 0;     // candidates left after it (outside the ball where there is one)
};

struct Certificate {
  Question question = Question::diameter;
  Fingerprint graph;           // of the whole graph as read
  Vertex component_order = 0;  // of its largest component, of which the certificate speaks
  EdgeOffset component_size = 0;
  Distance value = 0;  // diameter or radius; unused for eccentricity
  std::vector<std::string>
      path;  // of length value: a shortest path, from a vertex of eccentricity value
  std::vector<Fact> facts;
  std::vector<std::string> members;  // center and periphery
  std::vector<Vertex> distribution;  // eccentricity: vertices of eccentricity 0, 1, …
};

// Replays the steps of a finished answer against its final value and records what each step shows.
// `whole` is the graph as read; the engine holds the component.
Certificate certify(Engine& engine, const Graph& whole, const Diameter& answer);
Certificate certify(Engine& engine, const Graph& whole, Question question,
                    const Eccentricities& answer);

struct Verdict {
  bool accepted = false;
  std::string reason;  // what is false or does not follow
  std::uint64_t searches = 0;
};

// Checks every fact with code of its own (nothing of engine/ or of the measures), in one search per
// source named.
Verdict verify(const Certificate& certificate, const Graph& whole);
// The same, and Interrupted as soon as the observer says stop: then nothing is decided.
Verdict verify(const Certificate& certificate, const Graph& whole, Observer& observer);

}  // namespace antipode

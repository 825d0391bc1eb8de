// Answers as text for people and as JSON for programs: the only code that formats them. Vertices
// appear under the file's own labels.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "antipode/certificate.hpp"
#include "antipode/golf.hpp"
#include "antipode/graph.hpp"
#include "antipode/measures.hpp"
#include "antipode/path_averages.hpp"
#include "antipode/path_certificate.hpp"
#include "antipode/path_measures.hpp"
#include "engine/host/edge_search.hpp"

namespace antipode::report {

enum class Style { text, json };
enum class Form { page, line, csv };  // of JSON: with line ends, on one line, or what fits a row

// What was read and is not in the graph.
struct Dropped {
  std::uint64_t loops = 0, repeats = 0;
  bool lengths_dropped = false;     // the file has lengths, and the answer counts edges
  bool directions_dropped = false;  // the file has directions, and the answer goes both ways
  bool takes_directed = false;      // the verb has --directed
};

// What every answer says beside itself: which graph, which part of it, on what, how long.
struct Context : Dropped {
  std::string measure;  // the verb
  Form form = Form::page;
  std::string graph_name, format;
  bool directed = false;
  bool weighted = false;  // distances are sums of lengths, whole numbers of this unit
  LengthUnit unit;
  Vertex vertices = 0, components = 0;
  EdgeOffset edges = 0;
  std::optional<Vertex> strong_components;  // where the answer is about one of them
  Vertex used_vertices = 0;                 // the component the answer is about
  EdgeOffset used_edges = 0;
  std::optional<WiderComponent>
      elsewhere;             // farther apart than the diameter of the one asked about
  bool surely_wider = true;  // whatever that diameter turns out to be
  double sample = 1;         // the share of the edges that an estimate is from
  std::vector<std::string> notices;
  std::string engine, engine_detail;
  std::vector<std::pair<std::string, double>> seconds;
  std::uint64_t peak_memory = 0;
  std::string certificate;  // the file written, if any
  std::string unwritten;    // the file of all values, if the run was stopped before they were known
  bool whole_path = false;  // in text, however long it is
  std::string resumed;      // the checkpoint gone on from, if any: then there is no rate
};

struct ComponentDiameter {
  Graph graph;
  PathDiameter diameter;
};
PathDiameter in_lengths(const Diameter& diameter);  // without the steps

// Ordered pairs of different vertices without a path from the first to the second.
struct Unreachable {
  std::optional<std::uint64_t> pairs;  // nothing: they were not counted
};

struct DiameterReport {
  enum class Kind { value, undefined, infinite, per_component };
  Kind kind = Kind::value;
  std::vector<ComponentDiameter>
      parts;              // one for `value`; all for `per_component`, largest component first
  Vertex unsearched = 0;  // components left when it was stopped
  Length widest_unsearched = 0;  // none of their diameters is larger
  bool exact() const;
  Vertex trivial_components = 0;  // of one vertex, diameter 0, not listed in parts
  struct Apart {
    Graph graph;
    Vertex from = kNoVertex, to = kNoVertex;
  };
  Apart apart;                             // infinite: two vertices without a path
  std::optional<Unreachable> unreachable;  // where pairs without a path do not count
};

struct EccentricityReport {
  Question question = Question::eccentricity;
  bool undefined = false;
  Graph graph;
  Eccentricities eccentricities;
  Witness witness;
  std::vector<Vertex> members;  // center and periphery, in the file's order
};

struct AverageReport {
  bool undefined = false;
  Vertex order = 0;
  Average average;
};

// Of lengths, which are in the unit of the context.
struct PathAverageReport {
  bool undefined = false;
  Vertex order = 0;
  PathAverage average;
};

// A place in a list and what is there.
struct Ranked {
  std::size_t place = 0;
  double value = 0;
};
// The highest values, highest first; of equal ones the first of the list.
std::vector<Ranked> highest(const std::vector<double>& values, std::size_t most);

struct ClosenessReport {
  Graph graph;
  std::string formula;          // wasserman-faust, classic or harmonic
  std::vector<Ranked> ranking;  // vertices, the nearest first
  std::uint64_t searches = 0;
  bool finished = true;
};

struct BetweennessReport {
  Graph graph;
  Betweenness betweenness;
  bool edges = false, normalized = false;
  std::optional<std::pair<double, double>>
      guarantee;  // every value is within the first, but with probability of at most the second
  std::size_t top = 10;  // so many are shown
};

struct DistancesReport {
  std::string file, format;
  std::uint64_t rows = 0, columns = 0, bytes = 0, searches = 0, checksum = 0;
  bool finished = false;
};

// Of a file with a row for every vertex.
struct TableReport {
  std::string file, format;
  std::uint64_t rows = 0, searches = 0;
  std::vector<std::string> columns,
      incomplete;           // measures that were stopped before they were known
  std::size_t samples = 0;  // of betweenness; 0: exact
  bool finished() const { return incomplete.empty(); }
};

// Of a measure that was not carried out: how long it would take, from a few of its sources. Memory
// is what they needed, too.
struct EstimateReport {
  std::uint64_t sources = 0, timed = 0;
  double seconds = 0;
  double factor = 0;             // by which it may take less or more; 0: see at_most
  bool may_take_longer = false;  // than at_most, which is what it hardly ever exceeds
  double at_most = 0;  // where bounds decide how many sources it takes: if it took all of them; 0:
                       // nothing is open
  const char* of = "sources";  // or what else is timed
  std::uint64_t memory = 0;    // 0: what was used until now is what it takes
  std::uint64_t file = 0;      // bytes that would be written
};

// Of a graph that was written.
struct WrittenReport {
  std::string file;
};

struct GolfReport {
  Dropped dropped;
  std::string file;                        // where the graph is, or was written to
  Vertex order = 0, degree = 0, part = 0;  // part 0: it is no part
  bool connected = true;
  Distance diameter = 0;
  golf::Fraction average;
  std::optional<golf::MooreBounds> bounds;
  struct Effort {
    std::uint64_t evaluations = 0;
    std::size_t chains = 0;
    double seconds = 0;
    std::string engine;
    bool finished = true;
  };
  std::optional<Effort> effort;  // of a search
};
std::string render(const GolfReport& answer, Style style);
std::string render(Vertex order, Vertex degree, const golf::MooreBounds& bounds, Style style);

struct ArcInfo {
  Vertex strong_components = 0, largest_vertices = 0;
  EdgeOffset largest_arcs = 0;
  EdgeOffset both_ways = 0;  // arcs whose reverse is there
  Vertex most_out = 0, most_in = 0;
  Vertex reach_all = 0, reached_by_all = 0;  // vertices
};

struct LengthInfo {
  Length least = 0, most = 0;
  EdgeOffset zeros = 0;  // edges of length 0
};

// Of a directed graph, as if its arcs went both ways, but for `arcs`.
struct InfoReport {
  EdgeOffset edges = 0;
  std::optional<ArcInfo> arcs;
  std::optional<LengthInfo> lengths;
  Vertex largest_vertices = 0;
  EdgeOffset largest_edges = 0;
  std::uint64_t triangles = 0, largest_triangles = 0;
  double clustering = 0;  // mean of the local coefficients
  Vertex least_degree = 0, most_degree = 0, median_degree = 0, isolated = 0;
  double mean_degree = 0;
  std::vector<std::pair<Vertex, Vertex>> degrees;  // degree, how many vertices have it
  Fingerprint fingerprint;
};

struct SearchReport {
  Graph graph;
  Search search;
};

// A search without levels: it has no distances to report.
struct RelaxedReport {
  Graph graph;
  Vertex source = kNoVertex;
  Relaxed search;
};

using AnyCertificate = std::variant<Certificate, PathCertificate>;
struct VerdictReport {
  std::optional<AnyCertificate> certificate;  // none where a file is not one
  Verdict verdict;
  bool stopped = false;  // then there is no verdict
};

std::string render(const Context& context, const DiameterReport& answer, Style style);
std::string render(const Context& context, const EccentricityReport& answer, Style style);
std::string render(const Context& context, const AverageReport& answer, Style style);
std::string render(const Context& context, const PathAverageReport& answer, Style style);
std::string render(const Context& context, const ClosenessReport& answer, Style style);
std::string render(const Context& context, const BetweennessReport& answer, Style style);
std::string render(const Context& context, const DistancesReport& answer, Style style);
std::string render(const Context& context, const TableReport& answer, Style style);
std::string render(const Context& context, const EstimateReport& answer, Style style);
std::string render(const Context& context, const WrittenReport& answer, Style style);
std::string render(const Context& context, const InfoReport& answer, Style style);
std::string render(const Context& context, const SearchReport& answer, Style style);
std::string render(const Context& context, const RelaxedReport& answer, Style style);
std::string render(const Context& context, const VerdictReport& answer, Style style);
std::string render(const std::vector<EngineInfo>& engines, Style style);

// Rows of several answers: the line before the first one, if the form has one, and what takes the
// place of an answer that there is not. Columns depend on the measure alone; a measure without any
// is a UsageError.
std::string csv_header(Form form, std::string_view measure);
std::string render_failure(Form form, std::string_view measure, const std::string& graph,
                           const std::string& message);

// Certificates as JSON. parse_certificate throws InputError for text that is no JSON, and returns
// nothing, with the reason in `why`, for JSON that is no certificate. It calls `pause` now and
// then, which may throw.
std::string to_json(const Certificate& certificate);
std::optional<Certificate> parse_certificate(const std::string& name, const std::string& text,
                                             std::string& why,
                                             const std::function<void()>& pause = nullptr);
std::string to_json(const PathCertificate& certificate);
// The same of either kind, which the field 'schema' tells.
std::optional<AnyCertificate> parse_any_certificate(const std::string& name,
                                                    const std::string& text, std::string& why,
                                                    const std::function<void()>& pause = nullptr);

std::string_view question_name(Question question);

}  // namespace antipode::report

// WebGraph's BVGraph (P. Boldi and S. Vigna, "The WebGraph Framework I: Compression Techniques",
// WWW 2004): x.graph is a stream of records of bits, x.offsets says where each begins, and
// x.properties names sizes and codings. A record is the outdegree of a node, then its arcs: copied
// in blocks from the list of a node a few before, as intervals, and as residuals, which are gaps.
//
// Reading: the beginnings and outdegrees of all records, from the offsets, or, if they are missing,
// by a pass over the stream that copies nothing. The sum of the outdegrees is compared with the
// properties before memory is allocated for arcs. Then all threads expand pieces of the nodes. A
// node that refers to another piece waits, and so do those that refer to it, until all pieces are
// done. Offsets are not trusted: each record must end where the next begins.
// Memory: the stream, 16 bytes per node, 8 per arc, and those that building needs.
#include "io/bvgraph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"
#include "io/bvgraph_records.hpp"

namespace antipode {

namespace {

constexpr std::size_t kCheckNodes = 1 << 12;  // nodes between two checks for an interrupt
constexpr Vertex kManyArcs = 1 << 16;         // a node of so many is followed by one

void check_now_and_then(Vertex node, Vertex degree) {
  if (node % kCheckNodes == 0 || degree >= kManyArcs) stop_if_asked();
}

class BvParser {
 public:
  explicit BvParser(const BvFiles& files)
      : files_(files),
        properties_(parse_bv_properties(files.name + ".properties", files.properties)),
        order_(properties_.order) {}

  ParsedGraph run() {
    refuse_impossible_sizes();
    if (!files_.offsets) {
      scan();
      expand();
      return result();
    }
    read_offsets();
    try {
      read_degrees();
      expand();
    } catch (const InputError&) {
      compare_offsets();  // they may be at fault
      throw;
    }
    return result();
  }

 private:
  std::string graph_file() const { return files_.name + ".graph"; }
  std::string offsets_file() const { return files_.name + ".offsets"; }

  // Before anything is allocated: a record has one bit at least.
  void refuse_impossible_sizes() {
    const std::uint64_t bits = 8 * std::uint64_t{files_.graph.size()};
    if (order_ > bits)
      throw InputError(graph_file(),
                       fmt::format("{} bytes for the {} nodes of the properties: the file is "
                                   "truncated, or of another graph",
                                   files_.graph.size(), order_));
    if (properties_.arcs > std::uint64_t{order_} * order_)
      throw InputError(files_.name + ".properties",
                       fmt::format("{} arcs between {} nodes", properties_.arcs, order_));
    refuse_bytes((std::uint64_t{order_} + 1) * (sizeof(std::uint64_t) + sizeof(EdgeOffset)),
                 graph_file());
    begins_.resize(std::size_t{order_} + 1);
    first_arc_.resize(std::size_t{order_} + 1);
  }

  [[noreturn]] void refuse_arcs(Vertex node) const {
    throw InputError(graph_file(),
                     fmt::format("node {}: {} arcs up to it; the properties say {} in all", node,
                                 first_arc_[node + 1], properties_.arcs));
  }
  void check_sum() const {
    if (first_arc_.back() != properties_.arcs)
      throw InputError(graph_file(), fmt::format("{} arcs of all {} nodes; the properties say {}",
                                                 first_arc_.back(), order_, properties_.arcs));
  }
  void check_end(RecordReader& records) const {
    if (!records.ends_in_zeros())
      throw InputError(graph_file(),
                       fmt::format("something follows node {}, the last of the properties",
                                   static_cast<std::int64_t>(order_) - 1));
  }

  // begins_ and first_arc_ from the stream alone.
  void scan() {
    RecordReader records(files_, properties_);
    for (Vertex v = 0; v < order_; ++v) {
      begins_[v] = records.at();
      records.head(v, first_arc_);
      records.skip_residuals(v);
      first_arc_[v + 1] = first_arc_[v] + records.degree();
      if (first_arc_[v + 1] > properties_.arcs) refuse_arcs(v);
      check_now_and_then(v, records.degree());
    }
    begins_[order_] = records.at();
    check_end(records);
    check_sum();
  }

  void read_offsets() {
    Bits bits(*files_.offsets);
    const std::uint64_t end = 8 * std::uint64_t{files_.graph.size()};
    constexpr char kRebuilt[] = "remove the file, and they are rebuilt";
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < begins_.size(); ++i) {
      if (i % kCheckNodes == 0) stop_if_asked();
      std::uint64_t gap = 0;
      try {
        gap = bits.read(properties_.offsets, properties_.k);
      } catch (const BitFault&) {
        throw InputError(offsets_file(), fmt::format("{} of {} offsets, and no more: {}", i,
                                                     begins_.size(), kRebuilt));
      }
      if ((i == 0) != (gap == 0) || gap > end - sum)
        throw InputError(offsets_file(),
                         fmt::format("node {}: an offset that is not between that of the node "
                                     "before and the end of the graph: {}",
                                     i, kRebuilt));
      begins_[i] = sum += gap;
    }
    if (!bits.ends_in_zeros())
      throw InputError(offsets_file(), fmt::format("something follows the offset of node {}: {}",
                                                   order_, kRebuilt));
  }

  // first_arc_ from where the offsets say that records begin.
  void read_degrees() {
    in_pieces(order_, kCheckNodes, threads_for(order_),
              [&](std::size_t begin, std::size_t end, int) {
                RecordReader records(files_, properties_);
                for (std::size_t v = begin; v < end; ++v) {
                  records.seek(begins_[v]);
                  records.read_degree(static_cast<Vertex>(v));
                  first_arc_[v + 1] = records.degree();
                }
              });
    for (Vertex v = 0; v < order_; ++v)
      if ((first_arc_[v + 1] += first_arc_[v]) > properties_.arcs) refuse_arcs(v);
    check_sum();
  }

  // The offsets are refused if the stream says other ones.
  void compare_offsets() {
    refuse_bytes(begins_.size() * sizeof(std::uint64_t), offsets_file());
    const std::vector<std::uint64_t> said = begins_;
    std::fill(first_arc_.begin(), first_arc_.end(), 0);
    scan();
    const auto [differs, is] = std::mismatch(said.begin(), said.end(), begins_.begin());
    if (differs == said.end()) return;
    throw InputError(offsets_file(),
                     fmt::format("node {} begins at bit {} of the graph, not {}: the offsets are "
                                 "of another graph, or damaged; remove the file, and they are "
                                 "rebuilt",
                                 differs - said.begin(), *is, *differs));
  }

  void expand() {
    constexpr std::size_t kLeast = 1 << 12, kMost = 1 << 17, kEach = 8;
    grain_ = std::clamp(order_ / (kEach * threads()), kLeast, kMost);
    refuse_bytes(properties_.arcs * sizeof(Edge), graph_file());
    lists_.resize((order_ + grain_ - 1) / grain_);
    waiting_.resize(lists_.size());
    in_pieces(order_, grain_, threads_for(properties_.arcs + order_),
              [&](std::size_t begin, std::size_t end, int) {
                expand_piece(static_cast<Vertex>(begin), static_cast<Vertex>(end));
              });
    RecordReader records(files_, properties_);
    for (const auto& piece : waiting_)
      for (const Vertex v : piece) {
        records.seek(begins_[v]);
        records.head(v, first_arc_);
        records.expand(v, arcs_of(v - records.reference()), arcs_of(v));
        check_now_and_then(v, kManyArcs);
      }
    records.seek(begins_[order_]);
    check_end(records);
  }

  Edge* arcs_of(Vertex node) {
    const std::size_t piece = node / grain_;
    return lists_[piece].data() + (first_arc_[node] - first_arc_[piece * grain_]);
  }

  void expand_piece(Vertex begin, Vertex end) {
    RecordReader records(files_, properties_);
    lists_[begin / grain_].resize(first_arc_[end] - first_arc_[begin]);
    auto& waiting = waiting_[begin / grain_];
    std::vector<bool> waits(end - begin);
    records.seek(begins_[begin]);
    for (Vertex v = begin; v < end; ++v) {
      records.head(v, first_arc_);
      if (records.degree() != first_arc_[v + 1] - first_arc_[v]) refuse_record(v);
      const Vertex from = v - records.reference();
      if (from < begin || waits[from - begin]) {
        waits[v - begin] = true;
        push_charged(waiting, v);
        records.skip_residuals(v);
      } else {
        records.expand(v, arcs_of(from), arcs_of(v));
      }
      if (records.at() != begins_[v + 1]) refuse_record(v);
      check_now_and_then(v, records.degree());
    }
  }

  [[noreturn]] void refuse_record(Vertex node) const {
    throw InputError(graph_file(),
                     fmt::format("node {}: its record does not end where the next begins", node));
  }

  ParsedGraph result() {
    ParsedGraph graph;
    graph.order = order_;
    graph.edges = std::move(lists_);
    graph.labels = Labels::sequential(0, order_);
    graph.lists_both_ends = true;
    graph.has_directions = true;
    return graph;
  }

  const BvFiles& files_;
  BvProperties properties_;
  Vertex order_;
  std::vector<std::uint64_t> begins_;     // bits before each record; of all at the end
  std::vector<EdgeOffset> first_arc_;     // arcs before those of each node
  std::size_t grain_ = 1;                 // nodes of a piece
  std::vector<std::vector<Edge>> lists_;  // of each piece
  std::vector<std::vector<Vertex>> waiting_;
};

}  // namespace

ParsedGraph parse_bvgraph(const BvFiles& files) { return BvParser(files).run(); }

}  // namespace antipode

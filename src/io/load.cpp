// Loads a graph: generator or file, format, parsing, building (build.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "graph/limits.hpp"
#include "io/blocks.hpp"
#include "io/build.hpp"
#include "io/bvgraph.hpp"
#include "io/detect.hpp"
#include "io/output.hpp"

namespace antipode {

namespace {

ParsedGraph parse_with(const FormatEntry& entry, Input& input, const std::string& columns) {
  if (columns.empty()) return entry.read(input);
  if (entry.read_columns == nullptr)
    throw UsageError(
        fmt::format("--columns: {} is a file of format {}, which has no columns to choose from",
                    input.name(), entry.format.name));
  return entry.read_columns(input, columns);
}

// Formats in which a prefix of the file is a graph, too.
bool has_order_in_header(std::string_view format) {
  return format == "mtx" || format == "gr" || format == "metis";
}
bool can_be_cut(std::string_view format) {
  return format == "snap" || format == "names" || format == "csv" || format == "el" ||
         format == "golf" || format == "konect";
}

// Halves the largest size in the spec of a generated graph. Returns the share of the vertices that
// remains; 1 if there is no size to halve.
double halve(std::string& spec) {
  std::size_t at = std::string::npos, end = 0;
  std::uint64_t size = 0;
  bool power = false;
  for (const std::string_view key : {"n", "rows", "cols", "scale"})
    for (const char before : {'?', '&'}) {
      const std::string wanted = fmt::format("{}{}=", before, key);
      const std::size_t found = spec.find(wanted);
      if (found == std::string::npos) continue;
      const std::size_t value = found + wanted.size();
      const std::size_t past = std::min(spec.find('&', value), spec.size());
      std::uint64_t number = 0;
      std::from_chars(spec.data() + value, spec.data() + past, number);
      if (number > size) at = value, end = past, size = number, power = key == "scale";
    }
  if (size < 2) return 1;
  const std::uint64_t half = power ? size - 1 : size / 2;
  spec.replace(at, end - at, std::to_string(half));
  return power ? 0.5 : static_cast<double>(half) / static_cast<double>(size);
}

void take_generated(LoadedGraph& loaded, const BuiltGraph& made, const LoadOptions& options) {
  if (options.lengths == Lengths::used && !made.graph.has_lengths())
    throw UsageError(loaded.name + " has no lengths: add lengths=1..1000, or leave out --weighted");
  loaded.lengths_dropped = made.graph.has_lengths() && options.lengths == Lengths::ignored;
  loaded.directions_dropped = made.is_directed_kind && options.direction == Direction::none;
  loaded.graph = loaded.lengths_dropped ? made.graph.without_lengths() : made.graph;
}

LoadedGraph sample_of_generated(const std::string& where, const LoadOptions& options) {
  const std::string whole = where.substr(4);
  std::string small = whole;
  LoadedGraph loaded;
  loaded.name = where;
  loaded.format = "generated";
  while (expected_edges(small) * sizeof(Edge) > static_cast<double>(options.sample)) {
    const double share = halve(small);
    if (share == 1) break;
    loaded.vertex_share *= share;
  }
  loaded.edge_share = expected_edges(small) / expected_edges(whole);
  if (small == whole) {  // it has no size to halve
    const GeneratedSample sample = sample_generated(whole);
    loaded.edge_share = sample.share;
    take_generated(loaded, {.graph = sample.graph}, options);
    if (options.direction == Direction::forward)
      loaded.graph = loaded.graph.with_entering_arcs(loaded.graph);
  } else {
    take_generated(loaded, generate(small, options.direction), options);
  }
  return loaded;
}

LoadedGraph read(Input& input, const std::string& name, const LoadOptions& options) {
  Clock clock;
  const FormatEntry& entry = format_of(input, options.format, options.columns);
  const bool has_header = has_order_in_header(entry.format.name);
  if (has_header || can_be_cut(entry.format.name)) input.end_after(options.sample);
  input.want_lengths(options.lengths);
  ParsedGraph parsed = parse_with(entry, input, options.columns);
  LoadedGraph loaded;
  if (input.was_cut()) {
    loaded.edge_share = input.share_read();
    loaded.vertex_share = has_header ? 1 : loaded.edge_share;
  }
  loaded.name = name;
  loaded.format = entry.format.name;
  loaded.read_seconds = clock.lap();
  return build(std::move(loaded), std::move(parsed), options, clock);
}

}  // namespace

void check_id(std::uint64_t id, std::uint64_t first, Vertex order, const char* at) {
  if (id < first || id - first >= order)
    throw Fault{
        at, fmt::format("vertex {} in a graph of {} vertices, numbered from {}", id, order, first)};
}

Vertex checked_order(std::uint64_t order, const std::string& where) {
  if (order > kMaxOrder)
    throw InputError(where,
                     fmt::format("{} vertices; at most {} can be numbered", order, kMaxOrder));
  return static_cast<Vertex>(order);
}

LoadedGraph load_graph(const std::string& where, const LoadOptions& options) {
  if (where.starts_with("gen:")) {
    if (!options.columns.empty())
      throw UsageError("--columns: " + where + " has no columns to choose from");
    if (options.sample != 0 &&
        expected_edges(where.substr(4)) * sizeof(Edge) > static_cast<double>(options.sample))
      return sample_of_generated(where, options);
    Clock clock;
    const BuiltGraph made = generate(where.substr(4), options.direction);
    LoadedGraph loaded;
    loaded.name = where;
    take_generated(loaded, made, options);
    loaded.format = "generated";
    loaded.loops = made.loops;
    loaded.repeats = made.repeats;
    loaded.build_seconds = clock.lap();
    return loaded;
  }
  const auto bvgraph = bvgraph_name(where, options.format);
  Input input = Input::open(bvgraph ? *bvgraph + ".properties" : where);
  return read(input, where, options);
}

LoadedGraph load_graph(const std::string& where, std::string_view format, Direction direction) {
  return load_graph(
      where, LoadOptions{.format = std::string(format), .direction = direction, .columns = {}});
}

LoadedGraph parse_graph(const std::string& name, std::string_view bytes,
                        const LoadOptions& options) {
  Input input = Input::from_memory(name, bytes);
  return read(input, name, options);
}

LoadedGraph parse_graph(const std::string& name, std::string_view bytes, std::string_view format,
                        Direction direction) {
  return parse_graph(
      name, bytes,
      LoadOptions{.format = std::string(format), .direction = direction, .columns = {}});
}

namespace {

void refuse_no_text(const std::string& name, std::string_view bytes) {
  if (bytes.find('\0') != std::string_view::npos)
    throw InputError(name, "has bytes that are no text");
}

}  // namespace

std::string text_of(Input& input, const TextLimits& limits) {
  std::string text, piece(std::size_t{1} << 16, '\0');
  while (const std::size_t count = input.bytes(piece.data(), piece.size())) {
    refuse_no_text(input.name(), std::string_view(piece).substr(0, count));
    if (text.size() + count > limits.most)
      throw InputError(input.name(), fmt::format("has more than {} bytes", limits.most));
    refuse_bytes(limits.memory_per_byte * (text.size() + count), input.name());
    text.append(piece, 0, count);
  }
  return text;
}

std::string text_of(const std::string& path, const TextLimits& limits) {
  Input input = Input::open(path);
  return text_of(input, limits);
}

void for_each_line(const std::string& path, const std::function<void(std::string_view)>& line) {
  Input input = Input::open(path);
  input.skip_byte_order_mark();
  refuse_no_text(input.name(), input.head());
  while (const auto text = input.line()) line(*text);
}

std::vector<std::string> write_graph(const Graph& graph, const std::string& path,
                                     std::string_view format) {
  return format_for_writing(path, format).write(graph, path);
}

std::uint64_t written_size(const Graph& graph, const std::string& path, std::string_view format) {
  const OutputFile::Counting counting;
  write_graph(graph, path, format);
  return counting.bytes();
}

}  // namespace antipode

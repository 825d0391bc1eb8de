// Antipode's own binary graph (.apg): the adjacency and labels as they lie in memory, so that
// reading needs no parsing.
//
//   header      128 bytes: magic, version, byte order, counts, label kind, checksums
//   offsets     order + 1 × 64 bit
//   targets     arcs × 32 bit, padded to 8 bytes
//   lengths     arcs × 64 bit, if the header says so
//   labels      integers: order × 64 bit; names: order × 64-bit ends, then the text, padded to 8
//   bytes checksums   one 64-bit hash for each MiB of the above after the header
//
// Version 2 has flags: lengths, with their unit, and directions, where the adjacency is of leaving
// arcs, and those of entering arcs follow from them. Other graphs are written as version 1.
//
// Reading uses all threads and checks every hash, the form of every adjacency, and that each edge
// is listed at both ends with one length: engines rely on these. The file is not mapped: a mapped
// file that is truncated or written to while it is in use would end the program or change the
// answer (docs/decisions/0003-opening-apg-checks-everything.md).
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "antipode/error.hpp"
#include "graph/buffer.hpp"
#include "graph/hash.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"
#include "io/apg_check.hpp"
#include "io/formats.hpp"
#include "io/names.hpp"
#include "io/output.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

constexpr std::uint32_t kPlain = 1, kVersion = 2;  // of the format
constexpr std::uint64_t kHasLengths = 1, kHasDirections = 2;
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::uint64_t kChecked = 1 << 20;

struct Header {
  std::array<char, 8> magic{'A', 'N', 'T', 'I', 'P', 'O', 'D', 'E'};
  std::uint32_t version = kPlain;
  std::uint32_t byte_order = kByteOrder;
  std::uint64_t order = 0, arcs = 0;
  std::uint64_t label_kind = 0, first_label = 0,
                label_text = 0;  // label_text: bytes of all names together
  std::uint64_t table_hash = 0;
  std::uint64_t flags = 0;  // from here to `halvings`: of version 2
  std::uint64_t factor = 0;
  std::int64_t decimals = 0, halvings = 0;
  std::array<std::uint64_t, 3> reserved{};
  std::uint64_t header_hash = 0;  // of all before it

  bool has(std::uint64_t flag) const { return version == kVersion && (flags & flag) != 0; }
  std::uint64_t own_hash() const { return hash_bytes(this, offsetof(Header, header_hash)); }
};
static_assert(sizeof(Header) == 128);

std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

// Offsets of the sections. They are computed, so that a file cannot claim others.
struct Layout {
  std::uint64_t offsets, targets, lengths, label_values, label_text, table, end;

  explicit Layout(const Header& header) {
    const bool has_values =
        header.label_kind != static_cast<std::uint64_t>(Labels::Kind::sequential);
    offsets = sizeof(Header);
    targets = offsets + (header.order + 1) * 8;
    lengths = targets + padded(header.arcs * 4);
    label_values = lengths + (header.has(kHasLengths) ? header.arcs * 8 : 0);
    label_text = label_values + (has_values ? header.order * 8 : 0);
    table = label_text + padded(header.label_text);
    end = table + blocks() * 8;
  }
  std::uint64_t blocks() const { return (table - sizeof(Header) + kChecked - 1) / kChecked; }
};

// work(block, offset, bytes) for every block of the body that has a checksum.
template <class Work>
void for_blocks(std::uint64_t size, Work work) {
  in_pieces((size + kChecked - 1) / kChecked, 1, static_cast<int>(threads()),
            [&](std::size_t first, std::size_t last, int) {
              for (std::size_t b = first; b < last; ++b) {
                stop_if_asked();
                work(b, b * kChecked, std::min(kChecked, size - b * kChecked));
              }
            });
}

std::vector<std::uint64_t> block_hashes(const char* body, std::uint64_t size) {
  std::vector<std::uint64_t> hashes((size + kChecked - 1) / kChecked);
  for_blocks(size, [&](std::size_t block, std::uint64_t begin, std::uint64_t bytes) {
    hashes[block] = hash_bytes(body + begin, bytes, block);
  });
  return hashes;
}

// All that follows the header. The graph keeps this memory alive. Words, for alignment.
struct Body {
  Buffer<std::uint64_t> words;
  std::uint64_t size;
  explicit Body(std::uint64_t bytes) : words((bytes + 7) / 8), size(bytes) {}
  char* at(std::uint64_t place) {
    return reinterpret_cast<char*>(words.begin()) + (place - sizeof(Header));
  }
};

[[noreturn]] void refuse_size(const std::string& name, std::uint64_t size, std::uint64_t wanted) {
  throw InputError(name,
                   fmt::format("{} bytes where the header asks for {}: {}", size, wanted,
                               size < wanted ? "the file is cut short" : "something was appended"));
}

// The flags and the unit of version 2. Units as the readers of text make them.
bool makes_sense(const Header& header) {
  constexpr std::int64_t kMost = 2000;
  const bool has_lengths = header.has(kHasLengths);
  const auto is_power = [=](std::int64_t power) { return power >= -kMost && power <= kMost; };
  return header.flags > 0 && header.flags <= (kHasLengths | kHasDirections) &&
         (header.factor > 0) == has_lengths && is_power(header.decimals) &&
         is_power(header.halvings) &&
         (has_lengths || (header.decimals == 0 && header.halvings == 0)) &&
         header.reserved == Header().reserved;
}

Header read_header(Input& input) {
  const std::string& name = input.name();
  Header header;
  if (input.bytes(reinterpret_cast<char*>(&header), sizeof header) < sizeof header)
    throw InputError(name, "shorter than the header of an .apg file: it is truncated");
  if (header.magic != Header().magic) throw InputError(name, "not an .apg file");
  if (header.byte_order != kByteOrder)
    throw InputError(name, "written on a machine of other byte order; convert it there to text");
  if (header.version != kPlain && header.version != kVersion)
    throw InputError(
        name, fmt::format(
                  ".apg version {}; this program reads versions up to {}: convert the graph again",
                  header.version, kVersion));
  if (header.header_hash != header.own_hash())
    throw InputError(name, "the header is damaged (its checksum differs)");
  if (header.order > kMaxOrder || header.arcs > std::uint64_t{1} << 56 ||
      header.label_text > std::uint64_t{1} << 56 || header.label_kind > 2 ||
      (header.version == kVersion && !makes_sense(header)))
    throw InputError(name, "the header makes no sense");
  return header;
}

bool read_at(int descriptor, char* into, std::uint64_t count, std::uint64_t from) {
  while (count > 0) {
    const ssize_t got = pread(descriptor, into, count, static_cast<off_t>(from));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    into += got, from += static_cast<std::uint64_t>(got), count -= static_cast<std::uint64_t>(got);
  }
  return true;
}

// Files are read by all threads, and each block is hashed while it is in cache; pipes are read in
// order.
std::vector<std::uint64_t> read_body(Input& input, Body& body, const Layout& layout) {
  const std::string& name = input.name();
  const std::uint64_t checked = layout.table - sizeof(Header);
  if (const int descriptor = input.regular_file(); descriptor >= 0) {
    struct stat status {};
    fstat(descriptor, &status);
    if (static_cast<std::uint64_t>(status.st_size) != layout.end)
      refuse_size(name, static_cast<std::uint64_t>(status.st_size), layout.end);
    std::vector<std::uint64_t> hashes((checked + kChecked - 1) / kChecked);
    const auto read = [&](std::uint64_t place, std::uint64_t bytes) {
      if (!read_at(descriptor, body.at(place), bytes, place))
        throw InputError(name, "was cut short while it was read, or cannot be read");
    };
    std::atomic<std::uint64_t> done{0};
    for_blocks(checked, [&](std::size_t block, std::uint64_t begin, std::uint64_t bytes) {
      read(sizeof(Header) + begin, bytes);
      const std::uint64_t have = done += bytes;
      tell_loading(
          {.bytes = have, .share = static_cast<double>(have) / static_cast<double>(checked)});
      hashes[block] = hash_bytes(body.at(sizeof(Header) + begin), bytes, block);
    });
    read(layout.table, layout.end - layout.table);
    return hashes;
  }
  std::uint64_t have = sizeof(Header);
  for (std::uint64_t more = 1; have < layout.end && more > 0; have += more)
    more = input.bytes(body.at(have), std::min(kChecked, layout.end - have));
  char beyond = 0;
  if (have < layout.end || input.bytes(&beyond, 1) > 0)
    refuse_size(name, have < layout.end ? have : have + 1, layout.end);
  return block_hashes(body.at(sizeof(Header)), checked);
}

void check_hashes(Body& body, const std::vector<std::uint64_t>& hashes, const Header& header,
                  const Layout& layout, const std::string& name) {
  if (hash_bytes(body.at(layout.table), layout.blocks() * 8) != header.table_hash)
    throw InputError(name, "the table of checksums is damaged");
  for (std::size_t b = 0; b < hashes.size(); ++b) {
    std::uint64_t expected = 0;
    std::memcpy(&expected, body.at(layout.table + b * 8), 8);
    if (hashes[b] != expected)
      throw InputError(name,
                       fmt::format("damaged between bytes {} and {} (checksums differ)",
                                   sizeof(Header) + b * kChecked,
                                   std::min(layout.table, sizeof(Header) + (b + 1) * kChecked)));
  }
}

Labels labels_from(const std::shared_ptr<Body>& body, const Header& header, const Layout& layout,
                   const std::string& name) {
  const auto kind = static_cast<Labels::Kind>(header.label_kind);
  if (kind == Labels::Kind::sequential)
    return Labels::sequential(header.first_label, static_cast<Vertex>(header.order));
  const std::span values(reinterpret_cast<const std::uint64_t*>(body->at(layout.label_values)),
                         header.order);
  refuse_bytes(header.order * 16, "comparing the labels of " + name);
  if (kind == Labels::Kind::integers) {
    if (!differ({values.begin(), values.end()}))
      throw InputError(name, "two vertices have the same label");
    return Labels::integers(body, values);
  }
  if (!std::is_sorted(values.begin(), values.end()) ||
      (values.empty() ? 0 : values.back()) != header.label_text)
    throw InputError(name, "the names make no sense");
  Labels names =
      Labels::names(body, values, std::string_view(body->at(layout.label_text), header.label_text));
  for (Vertex v = 0; v < names.count(); ++v)
    if (!is_utf8(names.of(v)))
      throw InputError(name, "the name " + show(names.of(v)) + " is not UTF-8");
  if (!differ(names)) throw InputError(name, "two vertices have the same name");
  return names;
}

// The labels in the order of the vertices, even if the graph was extracted or renumbered.
struct StoredLabels {
  Labels::Kind kind;
  std::uint64_t first = 0;
  std::vector<std::uint64_t> values;
  std::string text;

  explicit StoredLabels(const Graph& graph) : kind(graph.labels().kind()) {
    const Labels& labels = graph.labels();
    if (kind == Labels::Kind::sequential && !graph.is_derived()) {
      first = labels.first();
      return;
    }
    for (Vertex v = 0; v < graph.order(); ++v) {
      const Vertex at = graph.origin(v);
      if (kind == Labels::Kind::names) {
        text += labels.of(at);
        values.push_back(text.size());
      } else {
        values.push_back(kind == Labels::Kind::integers ? labels.values()[at]
                                                        : labels.first() + at);
      }
    }
    if (kind == Labels::Kind::sequential) kind = Labels::Kind::integers;
  }
};

Graph with_lengths(const Graph& graph, std::span<const Length> lengths, const Header& header,
                   const std::string& name) {
  try {
    return graph.with_lengths({lengths.begin(), lengths.end()},
                              {.factor = header.factor,
                               .decimals = static_cast<int>(header.decimals),
                               .halvings = static_cast<int>(header.halvings)});
  } catch (const UsageError& error) {
    throw InputError(name, error.what());
  }
}

}  // namespace

ParsedGraph read_apg(Input& input) {
  const Header header = read_header(input);
  const Layout layout(header);
  refuse_bytes(layout.end, input.name());
  const auto body = std::make_shared<Body>(layout.end - sizeof(Header));
  check_hashes(*body, read_body(input, *body, layout), header, layout, input.name());
  const std::span offsets(reinterpret_cast<const EdgeOffset*>(body->at(layout.offsets)),
                          header.order + 1);
  const std::span targets(reinterpret_cast<const Vertex*>(body->at(layout.targets)), header.arcs);
  const std::span lengths(reinterpret_cast<const Length*>(body->at(layout.lengths)),
                          header.has(kHasLengths) ? header.arcs : 0);
  const bool directed = header.has(kHasDirections);
  check_adjacencies({offsets, targets, lengths}, directed ? Direction::forward : Direction::none,
                    input.name());
  ParsedGraph parsed;
  parsed.order = static_cast<Vertex>(header.order);
  Graph graph(body, offsets, targets, labels_from(body, header, layout, input.name()));
  if (header.has(kHasLengths)) {
    refuse_bytes(lengths.size_bytes(), input.name());
    graph = with_lengths(graph, lengths, header, input.name());
  }
  parsed.has_lengths = graph.has_lengths();
  parsed.has_directions = directed;
  parsed.graph = directed ? graph.with_entering_arcs(entering_arcs(graph)) : graph;
  return parsed;
}

std::vector<std::string> write_apg(const Graph& graph, const std::string& path) {
  const StoredLabels labels(graph);
  Header header;
  header.order = graph.order();
  header.arcs = graph.arcs();
  header.label_kind = static_cast<std::uint64_t>(labels.kind);
  header.first_label = labels.first;
  header.label_text = labels.text.size();
  if (graph.has_lengths() || graph.is_directed()) {
    header.version = kVersion;
    header.flags =
        (graph.has_lengths() ? kHasLengths : 0) | (graph.is_directed() ? kHasDirections : 0);
    if (graph.has_lengths()) header.factor = graph.unit().factor;
    header.decimals = graph.unit().decimals;
    header.halvings = graph.unit().halvings;
  }
  const Layout layout(header);

  refuse_bytes(layout.end, "writing " + path);
  std::vector<std::uint64_t> body((layout.table - sizeof(Header)) / 8, 0);
  auto* bytes = reinterpret_cast<char*>(body.data());
  const auto place = [&](std::uint64_t at, const void* data, std::size_t size) {
    if (size > 0) std::memcpy(bytes + (at - sizeof(Header)), data, size);
  };
  place(layout.offsets, graph.offsets().data(), graph.offsets().size_bytes());
  place(layout.targets, graph.targets().data(), graph.targets().size_bytes());
  place(layout.lengths, graph.adjacency().lengths.data(), graph.adjacency().lengths.size_bytes());
  place(layout.label_values, labels.values.data(), labels.values.size() * 8);
  place(layout.label_text, labels.text.data(), labels.text.size());
  const auto table = block_hashes(bytes, body.size() * 8);
  header.table_hash = hash_bytes(table.data(), table.size() * 8);
  header.header_hash = header.own_hash();

  OutputFile file(path);
  file.write(&header, sizeof header);
  for (std::uint64_t at = 0; at < body.size() * 8; at += kChecked) {
    stop_if_asked();
    file.write(bytes + at, std::min(kChecked, body.size() * 8 - at));
  }
  file.write(table.data(), table.size() * 8);
  file.commit();
  return {};
}

}  // namespace antipode

// Antipode's own binary graph (.apg): the rows and labels as they lie in memory, so that opening is
// mapping.
//
//   header      128 bytes: magic, version, byte order, counts, label kind, checksums
//   offsets     order + 1 × 64 bit
//   targets     arcs × 32 bit, padded to 8 bytes
//   labels      integers: order × 64 bit; names: order × 64-bit ends, then the text, padded to 8
//   bytes checksums   one 64-bit hash for each MiB of the above after the header
//
// Opening checks every hash and the shape of every row, on all threads at memory speed: a damaged
// file is refused, and nothing the engines rely on is taken on trust except that each edge stands
// in both rows.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "antipode/error.hpp"
#include "graph/hash.hpp"
#include "graph/parallel.hpp"
#include "io/formats.hpp"
#include "io/output.hpp"

namespace antipode {

namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::uint64_t kChecked = 1 << 20;

struct Header {
  std::array<char, 8> magic{'A', 'N', 'T', 'I', 'P', 'O', 'D', 'E'};
  std::uint32_t version = kVersion;
  std::uint32_t byte_order = kByteOrder;
  std::uint64_t order = 0, arcs = 0;
  std::uint64_t label_kind = 0, first_label = 0,
                label_text = 0;  // label_text: bytes of all names together
  std::uint64_t table_hash = 0;
  std::array<std::uint64_t, 7> reserved{};
  std::uint64_t header_hash = 0;  // of all before it

  std::uint64_t own_hash() const { return hash_bytes(this, offsetof(Header, header_hash)); }
};
static_assert(sizeof(Header) == 128);

std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

// Where the sections lie; computed, so that a file cannot claim otherwise.
struct Layout {
  std::uint64_t offsets, targets, label_values, label_text, table, end;

  explicit Layout(const Header& header) {
    const bool has_values =
        header.label_kind != static_cast<std::uint64_t>(Labels::Kind::sequential);
    offsets = sizeof(Header);
    targets = offsets + (header.order + 1) * 8;
    label_values = targets + padded(header.arcs * 4);
    label_text = label_values + (has_values ? header.order * 8 : 0);
    table = label_text + padded(header.label_text);
    end = table + blocks() * 8;
  }
  std::uint64_t blocks() const { return (table - sizeof(Header) + kChecked - 1) / kChecked; }
};

std::vector<std::uint64_t> block_hashes(const char* body, std::uint64_t size) {
  std::vector<std::uint64_t> hashes((size + kChecked - 1) / kChecked);
#pragma omp parallel for schedule(static) if (hashes.size() > 1)
  for (std::size_t b = 0; b < hashes.size(); ++b)
    hashes[b] = hash_bytes(body + b * kChecked, std::min(kChecked, size - b * kChecked), b);
  return hashes;
}

// Memory that a graph keeps alive: a mapped file, or bytes that came through a pipe.
struct Image {
  const char* data = nullptr;
  std::uint64_t size = 0;
  void* mapped = nullptr;
  std::vector<std::uint64_t> copied;  // words, for alignment
  ~Image() {
    if (mapped != nullptr) munmap(mapped, size);
  }
};

std::shared_ptr<Image> mapped_image(const std::string& path) {
  auto image = std::make_shared<Image>();
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw InputError(path, std::strerror(errno));
  struct stat status {};
  fstat(descriptor, &status);
  image->size = static_cast<std::uint64_t>(status.st_size);
  void* data = image->size == 0 ? MAP_FAILED
                                : mmap(nullptr, image->size, PROT_READ, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  if (data == MAP_FAILED) throw InputError(path, "cannot be mapped into memory");
  image->mapped = data;
  image->data = static_cast<const char*>(data);
  return image;
}

std::shared_ptr<Image> copied_image(Input& input) {
  auto image = std::make_shared<Image>();
  constexpr std::size_t kWords = 1 << 17;
  for (;;) {
    image->copied.resize(image->size / 8 + kWords);
    const std::size_t more =
        input.bytes(reinterpret_cast<char*>(image->copied.data()) + image->size, kWords * 8 - 8);
    image->size += more;
    if (more < kWords * 8 - 8) break;
  }
  image->data = reinterpret_cast<const char*>(image->copied.data());
  return image;
}

Header checked_header(const Image& image, const std::string& name) {
  if (image.size < sizeof(Header))
    throw InputError(name, "shorter than the header of an .apg file: it is truncated");
  Header header;
  std::memcpy(&header, image.data, sizeof header);
  if (header.magic != Header().magic) throw InputError(name, "not an .apg file");
  if (header.byte_order != kByteOrder)
    throw InputError(name, "written on a machine of other byte order; convert it there to text");
  if (header.version != kVersion)
    throw InputError(
        name, fmt::format(".apg version {}; this program reads version {}: convert the graph again",
                          header.version, kVersion));
  if (header.header_hash != header.own_hash())
    throw InputError(name, "the header is damaged (its checksum differs)");
  if (header.order > kMaxOrder || header.arcs > std::uint64_t{1} << 56 ||
      header.label_text > std::uint64_t{1} << 56 || header.label_kind > 2)
    throw InputError(name, "the header makes no sense");
  return header;
}

void check_hashes(const Image& image, const Header& header, const Layout& layout,
                  const std::string& name) {
  if (image.size != layout.end) {
    throw InputError(
        name,
        fmt::format("{} bytes where the header asks for {}: {}", image.size, layout.end,
                    image.size < layout.end ? "the file is cut short" : "something was appended"));
  }
  if (hash_bytes(image.data + layout.table, layout.blocks() * 8) != header.table_hash)
    throw InputError(name, "the table of checksums is damaged");
  const auto hashes = block_hashes(image.data + sizeof(Header), layout.table - sizeof(Header));
  for (std::size_t b = 0; b < hashes.size(); ++b) {
    std::uint64_t expected = 0;
    std::memcpy(&expected, image.data + layout.table + b * 8, 8);
    if (hashes[b] != expected)
      throw InputError(name,
                       fmt::format("damaged between bytes {} and {} (checksums differ)",
                                   sizeof(Header) + b * kChecked,
                                   std::min(layout.table, sizeof(Header) + (b + 1) * kChecked)));
  }
}

void check_rows(std::span<const EdgeOffset> offsets, std::span<const Vertex> targets,
                const std::string& name) {
  const Vertex order = static_cast<Vertex>(offsets.size() - 1);
  bool sound = offsets.front() == 0 && offsets.back() == targets.size() && targets.size() % 2 == 0;
#pragma omp parallel for schedule(static) reduction(&& : sound) if (order > kWorthThreads)
  for (Vertex v = 0; v < order; ++v)
    sound = sound && offsets[v] <= offsets[v + 1] && offsets[v + 1] <= targets.size();
  if (!sound) throw InputError(name, "the rows' offsets make no sense");
#pragma omp parallel for schedule(dynamic, 4096) reduction(&& : sound) if (targets.size() > kWorthThreads)
  for (Vertex v = 0; v < order; ++v) {
    const Vertex* row = targets.data() + offsets[v];
    const std::size_t degree = offsets[v + 1] - offsets[v];
    unsigned faults = 0;  // without branches, so that it vectorizes
    for (std::size_t i = 0; i < degree; ++i) faults |= static_cast<unsigned>(row[i] == v);
    for (std::size_t i = 1; i < degree; ++i) faults |= static_cast<unsigned>(row[i - 1] >= row[i]);
    sound = sound && faults == 0 &&
            (degree == 0 || row[degree - 1] < order);  // the last is the largest
  }
  if (!sound) throw InputError(name, "a row is not a sorted list of other vertices");
}

Labels labels_from(const std::shared_ptr<Image>& image, const Header& header, const Layout& layout,
                   const std::string& name) {
  const auto kind = static_cast<Labels::Kind>(header.label_kind);
  if (kind == Labels::Kind::sequential)
    return Labels::sequential(header.first_label, static_cast<Vertex>(header.order));
  const std::span values(reinterpret_cast<const std::uint64_t*>(image->data + layout.label_values),
                         header.order);
  if (kind == Labels::Kind::integers) return Labels::integers(image, values);
  if (!std::is_sorted(values.begin(), values.end()) ||
      (values.empty() ? 0 : values.back()) != header.label_text)
    throw InputError(name, "the names make no sense");
  return Labels::names(image, values,
                       std::string_view(image->data + layout.label_text, header.label_text));
}

// The labels in the order of the graph's vertices, whatever was extracted or renumbered before.
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

}  // namespace

ParsedGraph read_apg(Input& input) {
  const auto image =
      input.is_file() && !input.compressed() ? mapped_image(input.name()) : copied_image(input);
  const Header header = checked_header(*image, input.name());
  const Layout layout(header);
  check_hashes(*image, header, layout, input.name());
  const std::span offsets(reinterpret_cast<const EdgeOffset*>(image->data + layout.offsets),
                          header.order + 1);
  const std::span targets(reinterpret_cast<const Vertex*>(image->data + layout.targets),
                          header.arcs);
  check_rows(offsets, targets, input.name());
  ParsedGraph parsed;
  parsed.order = static_cast<Vertex>(header.order);
  parsed.graph = Graph(image, offsets, targets, labels_from(image, header, layout, input.name()));
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
  const Layout layout(header);

  std::vector<std::uint64_t> body((layout.table - sizeof(Header)) / 8, 0);
  auto* bytes = reinterpret_cast<char*>(body.data());
  const auto place = [&](std::uint64_t at, const void* data, std::size_t size) {
    if (size > 0) std::memcpy(bytes + (at - sizeof(Header)), data, size);
  };
  place(layout.offsets, graph.offsets().data(), graph.offsets().size_bytes());
  place(layout.targets, graph.targets().data(), graph.targets().size_bytes());
  place(layout.label_values, labels.values.data(), labels.values.size() * 8);
  place(layout.label_text, labels.text.data(), labels.text.size());
  const auto table = block_hashes(bytes, body.size() * 8);
  header.table_hash = hash_bytes(table.data(), table.size() * 8);
  header.header_hash = header.own_hash();

  OutputFile file(path);
  file.write(&header, sizeof header);
  file.write(bytes, body.size() * 8);
  file.write(table.data(), table.size() * 8);
  file.commit();
  return {};
}

}  // namespace antipode

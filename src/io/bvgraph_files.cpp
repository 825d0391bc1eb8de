// Finds and reads the files of a BVGraph. `x.graph` is also what METIS calls its text files: there
// must be properties beside it that name a class of WebGraph's, and it must not be such a text.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "io/bvgraph.hpp"
#include "io/streams.hpp"

namespace antipode {

namespace {

constexpr std::string_view kGraph = ".graph", kOffsets = ".offsets", kProperties = ".properties";

bool is_file(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::uint64_t size_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    throw InputError(path, errno == ENOENT ? "no such file" : std::strerror(errno));
  if (!S_ISREG(status.st_mode)) throw InputError(path, "is not an ordinary file");
  return static_cast<std::uint64_t>(status.st_size);
}

// As they are: a stream of bits may begin as compressed files do.
PaddedBytes bytes_of(const std::string& path) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  const std::uint64_t size = size_of(path);
  refuse_bytes(size, path);
  PaddedBytes bytes(size);
  const auto stream = file_stream(path);
  for (std::size_t have = 0; have < size;) {
    stop_if_asked();
    const std::size_t more = stream->read(reinterpret_cast<char*>(bytes.data()) + have,
                                          std::min<std::size_t>(kAtOnce, size - have));
    if (more == 0) throw InputError(path, "was cut short while it was read");
    have += more;
    tell_loading({.bytes = have, .share = static_cast<double>(have) / static_cast<double>(size)});
  }
  return bytes;
}

std::string first_bytes(const std::string& path) {
  std::string bytes(std::size_t{1} << 16, '\0');
  bytes.resize(file_stream(path)->read(bytes.data(), bytes.size()));
  return bytes;
}

bool is_text_of_metis(const std::string& bytes) {
  const bool has_comments = bytes.starts_with('%');
  return !bytes.empty() && std::all_of(bytes.begin(), bytes.end(), [&](char c) {
    return (c >= '0' && c <= '9') || c == ' ' || c == '\n' || c == '\t' || c == '\r' ||
           (has_comments && c >= ' ');
  });
}

std::string without_ending(const std::string& path) {
  for (const std::string_view ending : {kGraph, kOffsets, kProperties})
    if (path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  return path;
}

}  // namespace

std::optional<std::string> bvgraph_name(const std::string& where, std::string_view format) {
  if ((format != "auto" && format != "bvgraph") || where == "-") return std::nullopt;
  const std::string name = without_ending(where);
  if (format == "bvgraph") return name;
  if (name == where && is_file(where)) return std::nullopt;
  const std::string properties = name + std::string(kProperties);
  if (!is_file(properties) || bv_graph_class(first_bytes(properties)).empty()) return std::nullopt;
  if (where.ends_with(kGraph) && is_file(where) && is_text_of_metis(first_bytes(where)))
    return std::nullopt;
  return name;
}

// `input`: the properties. The other files are beside them.
ParsedGraph read_bvgraph(Input& input) {
  if (input.regular_file() < 0 || !input.name().ends_with(kProperties))
    throw InputError(input.name(),
                     "a BVGraph is three files, .graph, .offsets and .properties: give the path of "
                     "one of them, uncompressed");
  const std::string name = without_ending(input.name());
  std::string properties = text_of(input, {.most = std::size_t{1} << 24});
  BvFiles files{.name = name,
                .properties = std::move(properties),
                .graph = bytes_of(name + std::string(kGraph)),
                .offsets = std::nullopt};
  if (const std::string offsets = name + std::string(kOffsets); is_file(offsets))
    files.offsets = bytes_of(offsets);
  return parse_bvgraph(files);
}

}  // namespace antipode

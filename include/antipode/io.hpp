// Graphs in and out of files. Formats are recognized by name and by content; .gz and .zst by
// content, whatever the name.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

struct Format {
  std::string_view name, endings, summary;
  bool writable;
};
std::span<const Format> formats();

struct LoadedGraph {
  Graph graph;
  std::string name;  // the file's name, or the generator's text
  std::string format;
  std::uint64_t loops = 0, repeats = 0;
  std::vector<std::string> notices;  // what a careful reader would want to know
  double read_seconds = 0, build_seconds = 0;
};

// `where` is a file, "-" for standard input, or "gen:…"; `format` is a name from formats() or
// "auto". With a direction edges are arcs from the first vertex to the second; where the format
// says that they have none, both ways.
LoadedGraph load_graph(const std::string& where, std::string_view format = "auto",
                       Direction direction = Direction::none);
// The same from bytes in memory, named `name` in messages.
LoadedGraph parse_graph(const std::string& name, std::string_view bytes,
                        std::string_view format = "auto", Direction direction = Direction::none);

// Writes under a temporary name and renames: the file is complete or it is not there. "-" is
// standard output. Returns notices on what the format cannot hold.
std::vector<std::string> write_graph(const Graph& graph, const std::string& path,
                                     std::string_view format = "auto");

// The bytes that it would write; nothing is written.
std::uint64_t written_size(const Graph& graph, const std::string& path,
                           std::string_view format = "auto");
// A DeviceError where nothing can be written.
void check_target(const std::string& path);

// Writes text in the same way.
void write_text(const std::string& path, std::string_view text);

// The checksum that our files carry: it finds accidents, not adversaries.
std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed = 0);

// What a long computation has so far, under a key that says what it computes of which graph;
// written in the same way, with a checksum. load_checkpoint throws InputError for a file that is
// damaged or has another key.
void save_checkpoint(const std::string& path, std::string_view key,
                     std::span<const unsigned char> state);
std::vector<unsigned char> load_checkpoint(const std::string& path, std::string_view key);

// Rows of distances, one after the other, under a temporary name until all are there. What was
// flushed can be gone on with.
//   npy      NumPy's format: 32-bit numbers, -1 where there is no path
//   compact  16 bytes "antipode rows 1\n"; rows, columns, bytes a distance and a checksum as 64-bit
//   numbers; the distances, all bits set where
//            there is no path
//   text     a row a line, distances between tabs, inf where there is no path
class RowFile {
 public:
  // `most` bounds the distances; `done` rows are there already, flushed with this checksum.
  RowFile(std::string path, std::string_view format, std::uint64_t rows, std::uint64_t columns,
          Distance most, std::uint64_t done = 0, std::uint64_t checksum = 0);
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  static std::uint64_t bytes(std::string_view format, std::uint64_t rows, std::uint64_t columns,
                             Distance most);  // of text: at most
  void append(std::span<const Distance> row);
  std::uint64_t
  flush();  // to the disk, where it stays from now on; returns the checksum of the rows so far
  std::uint64_t commit();  // all rows are there; the same checksum

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace antipode

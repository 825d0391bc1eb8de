// Graphs in and out of files. Formats are recognized by name and by content; .gz and .zst by
// content, whatever the name. What is written to a name that ends so is packed.
#pragma once

#include <cstddef>
#include <functional>
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
  bool lengths_dropped = false;      // the file has lengths, and every edge here has length 1
  bool directions_dropped = false;   // the file has directions, and edges here go both ways
  std::vector<std::string> notices;  // what a careful reader would want to know
  double read_seconds = 0, build_seconds = 0;
  double edge_share = 1,
         vertex_share = 1;  // of a sample: about which part of the file's edges and vertices it has
};

struct LoadOptions {
  std::string format = "auto";  // or a name from formats()
  Direction direction = Direction::none;
  std::string columns;  // "source,target[,weight]": names in the file's header, or numbers from 1
  std::uint64_t sample =
      0;  // bytes: of longer texts, and of generated graphs with more edges, only so much; 0: all
};

// `where` is a file, "-" for standard input, or "gen:…"; `format` is a name from formats() or
// "auto". With a direction edges are arcs from the first vertex to the second; where the format
// says that they have none, both ways.
LoadedGraph load_graph(const std::string& where, std::string_view format = "auto",
                       Direction direction = Direction::none);
LoadedGraph load_graph(const std::string& where, const LoadOptions& options);
// The same from bytes in memory, named `name` in messages.
LoadedGraph parse_graph(const std::string& name, std::string_view bytes,
                        std::string_view format = "auto", Direction direction = Direction::none);
LoadedGraph parse_graph(const std::string& name, std::string_view bytes,
                        const LoadOptions& options);

// Writes under a temporary name and renames: the file is complete or it is not there. "-" is
// standard output. Returns notices on what the format cannot hold.
std::vector<std::string> write_graph(const Graph& graph, const std::string& path,
                                     std::string_view format = "auto");

// The bytes that it would write; nothing is written.
std::uint64_t written_size(const Graph& graph, const std::string& path,
                           std::string_view format = "auto");
// A DeviceError where nothing can be written.
void check_target(const std::string& path);

// Which file a path leads to, however it is spelled; of one that is not there yet, its name and the
// folder it would be in.
struct FileIdentity {
  std::uint64_t device = 0, number = 0;
  std::string name;
  friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};
FileIdentity identity_of(const std::string& path);

// A UsageError where a label would break the line of `path` in which it stands; an empty path has
// no lines.
void check_labels(const Graph& graph, const std::string& path);

// Writes text in the same way.
void write_text(const std::string& path, std::string_view text);

// Other text files than graphs, "-" and unpacking included. Bytes that are no text are an
// InputError; what does not fit the memory limit is a DeviceError, however long it goes on.
struct TextLimits {
  std::uint64_t most = std::uint64_t{1} << 30;  // bytes
  std::uint64_t memory_per_byte = 2;            // that whatever is made of it will take
};
std::string text_of(const std::string& path, const TextLimits& limits = {});
void for_each_line(const std::string& path, const std::function<void(std::string_view)>& line);

// The checksum that our files carry: it finds accidents, not adversaries.
std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed = 0);

// Removes what is written under temporary names and gives up the locks held: for an end of the
// program that runs no destructors.
void abandon_files() noexcept;

// What a long computation has so far, under a key that says what it computes of which graph;
// written in the same way, with a checksum. The file is there, empty at first, and locked from
// beginning to end: no other run can have it meanwhile. It is left only if it has a state, and no
// file is ever replaced or removed that is neither empty nor a checkpoint.
class Checkpoint {
 public:
  // UsageError for a file that is something else, or for a checkpoint that is there although
  // nothing is to be resumed; DeviceError if another run has it.
  enum class Begin { anew, resume };
  Checkpoint(std::string path, std::string key, Begin begin);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  // Empty: nothing was saved. InputError for a file that is damaged or has another key.
  std::vector<unsigned char> load() const;
  void save(std::span<const unsigned char> state);
  void remove();

 private:
  struct Lock;
  std::string path_, key_;
  std::unique_ptr<Lock> lock_;
};

// Rows that are on the disk, in a file beside the one that will have all of them.
struct DistanceFileProgress {
  std::string file;
  std::uint64_t rows = 0, checksum = 0;
};

// Rows of distances, one after the other, under a temporary name until all are there. What was
// flushed can be gone on with.
//   npy      NumPy's format: 32-bit numbers, -1 where there is no path
//   compact  16 bytes "antipode rows 1\n"; rows, columns, bytes a distance and a checksum as 64-bit
//   numbers; the distances, all bits set where
//            there is no path
//   text     a row a line, distances between tabs, inf where there is no path
class DistanceFile {
 public:
  // `most` bounds the distances. An InputError if what was begun is not as it was flushed; a
  // DeviceError if another run has it.
  DistanceFile(std::string path, std::string_view format, std::uint64_t rows, std::uint64_t columns,
               Distance most, const DistanceFileProgress& begun = {});
  ~DistanceFile();
  DistanceFile(const DistanceFile&) = delete;
  DistanceFile& operator=(const DistanceFile&) = delete;

  static bool is_there(const std::string& path, const DistanceFileProgress& begun);
  static std::uint64_t bytes(std::string_view format, std::uint64_t rows, std::uint64_t columns,
                             Distance most);  // of text: at most
  void append(std::span<const Distance> row);
  DistanceFileProgress flush();  // to the disk, where it stays from now on
  std::uint64_t commit();        // all rows are there; returns their checksum

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace antipode

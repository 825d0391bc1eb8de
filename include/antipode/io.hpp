// Graphs in and out of files. Formats are recognized by name and content, compression (.gz, .zst)
// by content alone. Output is compressed if its name ends in .gz or .zst.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "antipode/graph.hpp"
#include "antipode/table.hpp"

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
  bool lengths_dropped = false;      // the file has lengths; here every edge has length 1
  bool directions_dropped = false;   // the file has directions; here edges have none
  std::vector<std::string> notices;  // assumptions and losses, as sentences
  double read_seconds = 0, build_seconds = 0;
  double edge_share = 1, vertex_share = 1;  // of a sample: its estimated share of the whole
};

enum class Lengths { ignored, used };  // used: a file without lengths is an InputError

struct LoadOptions {
  std::string format = "auto";  // or a name from formats()
  Direction direction = Direction::none;
  std::string columns;  // "source,target[,weight]": names in the file's header, or numbers from 1
  Lengths lengths = Lengths::ignored;
  // Bytes: of longer texts, and of generated graphs with more edges, only so much. 0: all.
  std::uint64_t sample = 0;
};

// `where` is a file, "-" for standard input, or "gen:…"; `format` is a name from formats() or
// "auto". With a direction, edges are arcs from the first vertex to the second; formats whose edges
// have no direction give both arcs.
LoadedGraph load_graph(const std::string& where, std::string_view format = "auto",
                       Direction direction = Direction::none);
LoadedGraph load_graph(const std::string& where, const LoadOptions& options);
// The same from bytes in memory; `name` is used in messages.
LoadedGraph parse_graph(const std::string& name, std::string_view bytes,
                        std::string_view format = "auto", Direction direction = Direction::none);
LoadedGraph parse_graph(const std::string& name, std::string_view bytes,
                        const LoadOptions& options);

// Writes under a temporary name and renames, so that the file is complete or absent. "-" is
// standard output. Returns notices on what the format cannot hold.
std::vector<std::string> write_graph(const Graph& graph, const std::string& path,
                                     std::string_view format = "auto");

// The number of bytes that write_graph would write.
std::uint64_t written_size(const Graph& graph, const std::string& path,
                           std::string_view format = "auto");
// A DeviceError if the path cannot be written.
void check_target(const std::string& path);

// The file that a path leads to, however it is spelled. If it does not exist yet: its name and its
// folder.
struct FileIdentity {
  std::uint64_t device = 0, number = 0;
  std::string name;
  friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};
FileIdentity identity_of(const std::string& path);

// A UsageError if a label would break the line of `path` that it is part of. An empty path has no
// lines.
void check_labels(const Graph& graph, const std::string& path);

// Writes text as write_graph writes graphs.
void write_text(const std::string& path, std::string_view text);

// How a table is written. A row without a value has an empty field, null or NaN.
//   csv   a header, fields by RFC 4180, lines end with \n
//   tsv   the same with tabs instead of commas
//   json  an array of objects, one row a line
//   npz   NumPy's archive, an array for each column: whole numbers of 64 bits, or doubles where
//         rows have no value or lengths are no whole numbers; labels that are names as text, or as
//         bytes where they are no UTF-8
enum class TableFormat { none, csv, tsv, json, npz };
// By the ending, .gz and .zst left out; `none` where it says nothing. A UsageError for a name that
// promises another format of tables.
TableFormat table_format_of(const std::string& path);
// Writes as write_graph writes graphs.
void write_table(const Table& table, const std::string& path, TableFormat format);

// Other text files than graphs; "-" and compression as above. Bytes that are not text are an
// InputError. Text beyond the memory limit is a DeviceError, even if the input is endless.
struct TextLimits {
  std::uint64_t most = std::uint64_t{1} << 30;  // bytes
  std::uint64_t memory_per_byte = 2;            // that the parsed text will need
};
std::string text_of(const std::string& path, const TextLimits& limits = {});
void for_each_line(const std::string& path, const std::function<void(std::string_view)>& line);

// The checksum that our files carry: it finds accidents, not adversaries.
std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed = 0);

// Removes unfinished temporary files and releases locks: for exits that run no destructors.
void abandon_files() noexcept;

// The saved state of a long computation, with a checksum, under a key that names the computation
// and the graph. Saved as graphs are written. From the constructor on the file exists, begins with
// our mark, and is locked: no other run can use it. It is kept only if it has a state. A file
// without the mark, even an empty one, is never replaced or removed.
class Checkpoint {
 public:
  // A UsageError if the file is something else, or is a checkpoint and nothing is to be resumed. A
  // DeviceError if another run has it.
  enum class Begin { anew, resume };
  Checkpoint(std::string path, std::string key, Begin begin);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  // Empty: nothing was saved. An InputError if the file is damaged or has another key.
  std::vector<unsigned char> load() const;
  void save(std::span<const unsigned char> state);
  void remove();

 private:
  struct Lock;
  std::string path_, key_;
  std::unique_ptr<Lock> lock_;
};

// Rows already on the disk, in a temporary file beside the final one.
struct DistanceFileProgress {
  std::string file;
  std::uint64_t rows = 0, checksum = 0;
  // Distances searched again, by the number of their row: the file must have the same.
  std::map<std::uint64_t, std::vector<Length>> known = {};

  // To the state in a checkpoint, and back. An InputError if no run to `path` can have saved it.
  std::vector<unsigned char> state() const;
  static DistanceFileProgress of(std::span<const unsigned char> state, const std::string& path);
};

// Rows of distances, one per source, under a temporary name until all are written. A later run can
// continue after the last flush. Text is in the unit of the lengths. Other formats have whole
// numbers: multiples of the unit with a factor of 1.
//   npy      NumPy's format: numbers of 32 bits, or 64 where needed; -1 where there is no path
//   compact  16 bytes "antipode rows 1\n"; rows, columns, bytes per distance and a checksum as
//            64-bit numbers; the distances, with all bits set where there is no path
//   text     one line per row, distances separated by tabs, inf where there is no path
class DistanceFile {
 public:
  // `most` is an upper bound of the distances. An InputError if the temporary file differs from
  // what was flushed, or its name is not one of ours; a DeviceError if another run has it; a
  // UsageError if the format cannot hold `most`.
  DistanceFile(std::string path, std::string_view format, std::uint64_t rows, std::uint64_t columns,
               Length most, const DistanceFileProgress& begun = {}, const LengthUnit& unit = {});
  ~DistanceFile();
  DistanceFile(const DistanceFile&) = delete;
  DistanceFile& operator=(const DistanceFile&) = delete;

  static std::string place(const std::string& path, const DistanceFileProgress& begun);
  static bool is_there(const std::string& path, const DistanceFileProgress& begun);
  static std::uint64_t bytes(std::string_view format, std::uint64_t rows, std::uint64_t columns,
                             Length most, const LengthUnit& unit = {});  // of text: at most
  void append(std::span<const Distance> row);                            // kUnreached: no path
  void append(std::span<const Length> row);                              // kNoPath: no path
  DistanceFileProgress flush();  // to the disk; a later run can continue from here
  std::uint64_t commit();        // after all rows; returns their checksum

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace antipode

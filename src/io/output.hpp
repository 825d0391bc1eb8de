// Files that are complete or absent: written under a temporary name beside the target, synced,
// renamed. A file that is replaced keeps its permissions, is found through symbolic links, and is
// not touched if it is read-only.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "io/packing.hpp"

namespace antipode {

class OutputFile {
 public:
  // While an object of this class exists, output of this thread is counted and not written.
  class Counting {
   public:
    Counting() { counted_ = &bytes_; }
    ~Counting() { counted_ = nullptr; }
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;
    std::uint64_t bytes() const { return bytes_; }

   private:
    std::uint64_t bytes_ = 0;
  };

  enum class Packing { by_name, none };
  explicit OutputFile(std::string path,
                      Packing packing = Packing::by_name);  // "-": standard output
  // A file that a later run may continue. `begun` is its name, beside the path, until it is
  // committed; empty: it is new. It is not compressed.
  OutputFile(std::string path, const std::string& begun);
  static std::string place_of(const std::string& path, const std::string& begun);
  static bool is_name_of_begun(const std::string& path, std::string_view begun);
  ~OutputFile();  // an uncommitted file is removed, unless it was kept
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  std::string keep();  // syncs and locks it for a later run; returns its name
  void commit();
  std::FILE* stream() const { return file_; }  // to read the earlier content
  void cut();                                  // truncates it at the position of the stream
  void rewind();
  int lock() const;  // a descriptor as of open_alone, for after commit()

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void put(std::string_view bytes);
  void tell(std::uint64_t bytes);  // that they are written
  void open_temporary(std::string_view ending);
  int create(std::string_view ending);  // under a name that no other run has
  void use(int descriptor, const char* mode);
  void sync();
  void remove_temporary();
  void write_in_pieces();
  std::size_t room_in_piece(std::size_t bytes);
  void wait_for_room();

  std::string path_, target_, temporary_;  // target: the file that the path leads to
  std::unique_ptr<Packer> packer_;
  bool kept_ = false;
  std::FILE* file_ = nullptr;
  bool in_pieces_ = false;  // to a pipe or a device
  std::uint64_t written_ = 0, told_ = 0;
  static thread_local std::uint64_t* counted_;
};

// Registers files that abandon_files() removes; names too long for the list are ignored.
void remember_file(const std::string& path) noexcept;
void forget_file(const std::string& path) noexcept;

// The file that a path leads to. Symbolic links are followed, even to a file that does not exist
// yet.
std::string link_target(const std::string& path);
// Renames a file that is closed and synced, and syncs the folder it is in. False: errno says why.
bool rename_durably(const std::string& from, const std::string& to);

// Opens and locks a file; a DeviceError if another process has locked it. -1 if it cannot be
// opened; errno says why.
int open_alone(const std::string& path, int flags, const std::string& what);
bool leads_to(const std::string& path, int descriptor);

}  // namespace antipode

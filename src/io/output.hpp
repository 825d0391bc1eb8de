// Files that are complete or not there: written under a temporary name beside the target, renamed
// at the end.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace antipode {

class OutputFile {
 public:
  // While one of these is there, this thread's files are only counted, and nothing is written.
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

  explicit OutputFile(std::string path);  // "-": standard output
  ~OutputFile();                          // an uncommitted file is removed
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_, temporary_;
  std::FILE* file_ = nullptr;
  static thread_local std::uint64_t* counted_;
};

}  // namespace antipode

// Files that are complete or not there: written under a temporary name beside the target, renamed at the end.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace antipode {

class OutputFile {
 public:
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
};

}  // namespace antipode

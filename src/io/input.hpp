// Bytes in: a file, standard input or memory, decompressed on the way, as lines or as blocks of
// whole lines.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace antipode {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  virtual std::size_t read(char* into, std::size_t capacity) = 0;  // 0 at the end
};

class Input {
 public:
  static Input open(const std::string& path);  // "-": standard input
  static Input from_memory(std::string name, std::string_view bytes);

  const std::string& name() const { return name_; }
  bool compressed() const { return compressed_; }
  bool is_file() const { return is_file_; }
  std::string where(std::uint64_t line) const { return name_ + ":" + std::to_string(line); }

  // The first bytes, without using them up.
  std::string_view head();
  // The next line without its end; none at the end of the input.
  std::optional<std::string> line();
  std::uint64_t lines_read() const { return lines_read_; }
  // Some more whole lines, the last of which may lack its end; false at the end of the input.
  bool block(std::string& lines);
  bool at_end() const { return at_end_; }  // whether a block was seen to be the last
  // Exactly `count` bytes, or fewer at the end.
  std::size_t bytes(char* into, std::size_t count);

 private:
  Input(std::string name, std::unique_ptr<ByteStream> stream);
  bool fill(std::size_t at_least);

  std::string name_;
  std::unique_ptr<ByteStream> stream_;
  std::string pending_;  // read but not yet handed out, from used_ on
  std::size_t used_ = 0;
  std::uint64_t lines_read_ = 0;
  std::size_t in_blocks_ = 0;  // bytes handed out as blocks
  bool compressed_ = false, is_file_ = false, at_end_ = false;
};

}  // namespace antipode

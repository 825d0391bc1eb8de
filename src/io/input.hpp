// Bytes in: a file, standard input or memory, decompressed on the way, as lines or as blocks of
// whole lines.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "antipode/io.hpp"

namespace antipode {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  virtual std::size_t read(char* into, std::size_t capacity) = 0;  // 0 at the end
  virtual int regular_file() const {
    return -1;
  }  // its descriptor, where these are the bytes of one
  virtual double share_read() const { return 1; }  // of all that is there, packed as it is
};

class Input {
 public:
  static Input open(const std::string& path);  // "-": standard input
  static Input from_memory(std::string name, std::string_view bytes);

  const std::string& name() const { return name_; }
  bool is_compressed() const { return compressed_; }
  int regular_file() const {
    return compressed_ ? -1 : stream_->regular_file();
  }  // a descriptor to read from anywhere in it, or -1
  std::string where(std::uint64_t line) const { return name_ + ":" + std::to_string(line); }

  // Uses up the UTF-8 byte order mark that may open a text. Binary formats do not ask for it.
  void skip_byte_order_mark();
  // The first bytes, without using them up.
  std::string_view head();
  // The next line without its end; none at the end of the input.
  std::optional<std::string> line();
  std::uint64_t lines_read() const { return lines_read_; }
  // Some more whole lines, the last of which may lack its end; false at the end of the input.
  bool block(std::string& lines);
  bool at_end() const { return at_end_; }  // whether a block was seen to be the last
  // Blocks end after so many bytes, as if the file did.
  void end_after(std::uint64_t bytes) { most_ = bytes; }
  bool was_cut() const { return cut_; }
  double share_read() const { return stream_->share_read(); }
  // Exactly `count` bytes, or fewer at the end.
  std::size_t bytes(char* into, std::size_t count);

 private:
  Input(std::string name, std::unique_ptr<ByteStream> stream);
  bool fill(std::size_t at_least);
  std::size_t read(char* into, std::size_t capacity);  // as the stream does

  std::string name_;
  std::unique_ptr<ByteStream> stream_;
  std::string pending_;  // read but not yet handed out, from used_ on
  std::size_t used_ = 0;
  std::uint64_t lines_read_ = 0;
  std::size_t in_blocks_ = 0;                   // bytes handed out as blocks
  std::uint64_t read_ = 0, charged_ = 1 << 20;  // the first MB is not worth a question
  bool compressed_ = false, at_end_ = false, cut_ = false;
  std::uint64_t most_ = 0;  // 0: all of it
};

// All that is left of it: see text_of in antipode/io.hpp.
std::string text_of(Input& input, const TextLimits& limits = {});

}  // namespace antipode

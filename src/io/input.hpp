// Input from a file, standard input or memory: decompressed, and split into lines or blocks of
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
  virtual int regular_file() const { return -1; }  // the descriptor, if these are a file's bytes
  virtual double share_read() const { return 1; }  // of all bytes, compressed or not
};

class Input {
 public:
  static Input open(const std::string& path);  // "-": standard input
  static Input from_memory(std::string name, std::string_view bytes);

  const std::string& name() const { return name_; }
  bool is_compressed() const { return compressed_; }
  // A descriptor for reads at any offset, or -1.
  int regular_file() const { return compressed_ ? -1 : stream_->regular_file(); }
  std::string where(std::uint64_t line) const { return name_ + ":" + std::to_string(line); }

  // Skips a UTF-8 byte order mark at the start of a text. Not for binary formats.
  void skip_byte_order_mark();
  // The first bytes, without consuming them.
  std::string_view head();
  // The next line without its end; none at the end of the input.
  std::optional<std::string> line();
  std::uint64_t lines_read() const { return lines_read_; }
  // The next whole lines; the last line of the input may lack its end. False at the end.
  bool block(std::string& lines);
  bool at_end() const { return at_end_; }  // whether the last block was returned
  // Blocks end after so many bytes, as if the file ended there.
  void end_after(std::uint64_t bytes) { most_ = bytes; }
  bool was_cut() const { return cut_; }
  // Whether readers keep the lengths of edges.
  void want_lengths(Lengths lengths) { lengths_ = lengths; }
  Lengths lengths() const { return lengths_; }
  double share_read() const { return stream_->share_read(); }
  // Exactly `count` bytes, or fewer at the end.
  std::size_t bytes(char* into, std::size_t count);

 private:
  Input(std::string name, std::unique_ptr<ByteStream> stream);
  bool fill(std::size_t at_least);
  std::size_t read(char* into, std::size_t capacity);  // as the stream does

  std::string name_;
  std::unique_ptr<ByteStream> stream_;
  std::string pending_;  // read but not yet returned, from used_ on
  std::size_t used_ = 0;
  std::uint64_t lines_read_ = 0;
  std::size_t in_blocks_ = 0;                   // bytes returned as blocks
  std::uint64_t read_ = 0, charged_ = 1 << 20;  // the first MiB is not charged
  bool compressed_ = false, at_end_ = false, cut_ = false;
  std::uint64_t most_ = 0;  // 0: all of it
  Lengths lengths_ = Lengths::ignored;
};

// All remaining text: see text_of in antipode/io.hpp.
std::string text_of(Input& input, const TextLimits& limits = {});

}  // namespace antipode

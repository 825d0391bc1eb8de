#include "io/input.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "graph/limits.hpp"
#include "io/streams.hpp"

namespace antipode {

namespace {

constexpr std::size_t kAtOnce = std::size_t{1} << 20;  // bytes read and charged at a time
constexpr std::size_t kHead = 1 << 16;
constexpr std::size_t kLeastBlock = 1 << 15, kMostBlock = 1 << 18;
constexpr std::size_t kShare = 32;  // a block is 1 / this of all before: threads end together

// An endless line is refused before it fills the memory.
void refuse_long(std::size_t bytes) {
  constexpr std::size_t kShort = std::size_t{4} << 20;
  if (bytes > kShort)
    refuse_bytes(2 * bytes, "a line of " + std::to_string(bytes / 2) + " bytes or more");
}

std::string first_bytes(ByteStream& stream, std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t have = 0;
  while (have < count) {
    const std::size_t more = stream.read(bytes.data() + have, count - have);
    if (more == 0) break;
    have += more;
  }
  bytes.resize(have);
  return bytes;
}

}  // namespace

Input::Input(std::string name, std::unique_ptr<ByteStream> stream) : name_(std::move(name)) {
  std::string first = first_bytes(*stream, 4);
  const auto starts_with = [&](std::string_view magic) {
    return first.size() >= magic.size() && first.compare(0, magic.size(), magic) == 0;
  };
  if (starts_with("\x1f\x8b")) {
    stream_ = gzip_stream(name_, std::move(first), std::move(stream));
    compressed_ = true;
  } else if (starts_with("\x28\xb5\x2f\xfd")) {
    stream_ = zstd_stream(name_, std::move(first), std::move(stream));
    compressed_ = true;
  } else {
    stream_ = resumed_stream(std::move(first), std::move(stream));
  }
}

Input Input::open(const std::string& path) {
  return {path == "-" ? "standard input" : path, file_stream(path)};
}

Input Input::from_memory(std::string name, std::string_view bytes) {
  return {std::move(name), memory_stream(bytes)};
}

// All bytes pass through here. So every reader can be interrupted, shows progress, and is refused
// before the parsed data fills the memory.
std::size_t Input::read(char* into, std::size_t capacity) {
  constexpr std::size_t kBecomes = std::size_t{8} << 20;
  stop_if_asked();
  if (read_ >= charged_) {
    refuse_bytes(kBecomes, name_);
    charged_ = read_ + kAtOnce;
  }
  const std::size_t count = stream_->read(into, std::min(capacity, kAtOnce));
  tell_loading({.bytes = read_ += count, .share = share_read()});
  return count;
}

bool Input::fill(std::size_t at_least) {
  if (used_ > 0) {
    pending_.erase(0, used_);
    used_ = 0;
  }
  std::size_t have = pending_.size();
  refuse_long(at_least);
  while (have < at_least) {
    pending_.resize(at_least);
    const std::size_t more = read(pending_.data() + have, at_least - have);
    have += more;
    pending_.resize(have);
    if (more == 0) break;
  }
  return have >= at_least;
}

std::string_view Input::head() {
  if (pending_.size() - used_ < kHead) fill(kHead);
  return std::string_view(pending_).substr(used_, kHead);
}

void Input::skip_byte_order_mark() {
  if (head().starts_with("\xEF\xBB\xBF")) used_ += 3;
}

std::optional<std::string> Input::line() {
  std::size_t searched = 0;
  for (std::size_t want = kHead;; want *= 2) {
    const std::size_t end = pending_.find('\n', used_ + searched);
    if (end != std::string::npos) {
      std::string result = pending_.substr(used_, end - used_);
      used_ = end + 1;
      ++lines_read_;
      return result;
    }
    searched = pending_.size() - used_;
    if (!fill(std::max(want, searched + 1)) && pending_.size() == searched) break;
  }
  if (pending_.size() == used_) return std::nullopt;
  std::string result = pending_.substr(used_);
  used_ = pending_.size();
  ++lines_read_;
  return result;
}

bool Input::block(std::string& lines) {
  lines.clear();
  if (most_ != 0 && in_blocks_ >= most_) {
    cut_ = at_end_ = true;
    return false;
  }
  lines.swap(pending_);  // the head, or the start of a line from the last block
  lines.erase(0, std::exchange(used_, 0));
  std::size_t have = lines.size(), searched = 0;
  for (std::size_t want = have + std::clamp(in_blocks_ / kShare, kLeastBlock, kMostBlock);;
       want *= 2) {  // a line longer than a block makes the block longer
    bool more = true;
    refuse_long(want);
    lines.resize(want);
    while (more && have < lines.size()) {
      const std::size_t count = read(lines.data() + have, lines.size() - have);
      have += count;
      more = count > 0;
    }
    lines.resize(have);
    if (!more) {
      at_end_ = true;
      return have > 0;
    }
    const std::size_t end = std::string_view(lines).substr(searched).rfind('\n');
    if (end != std::string_view::npos) {
      pending_.assign(lines, searched + end + 1);
      lines.resize(searched + end + 1);
      in_blocks_ += lines.size();
      return true;
    }
    searched = have;
  }
}

std::size_t Input::bytes(char* into, std::size_t count) {
  std::size_t have = std::string_view(pending_).substr(used_).copy(into, count);
  used_ += have;
  while (have < count) {
    const std::size_t more = read(into + have, count - have);
    if (more == 0) break;
    have += more;
  }
  return have;
}

}  // namespace antipode

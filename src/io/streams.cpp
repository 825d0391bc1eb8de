#include "io/streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "antipode/error.hpp"
#include "graph/limits.hpp"

namespace antipode {

namespace {

class FileStream final : public ByteStream {
 public:
  explicit FileStream(const std::string& path) : name_(path == "-" ? "standard input" : path) {
    if (path == "-") {
      descriptor_ = dup(STDIN_FILENO);
    } else {
      // Without blocking: a pipe may have no writer yet.
      descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    }
    if (descriptor_ < 0)
      throw InputError(name_, errno == ENOENT ? "no such file" : std::strerror(errno));
    struct stat status {};
    if (fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
      ::close(descriptor_);
      throw InputError(name_, "is a directory; name a file in it");
    }
    is_regular_ = S_ISREG(status.st_mode);
  }
  ~FileStream() override { ::close(descriptor_); }
  FileStream(const FileStream&) = delete;
  FileStream& operator=(const FileStream&) = delete;

  std::size_t read(char* into, std::size_t capacity) override {
    for (;;) {
      if (!is_regular_) wait_for_bytes();
      const ssize_t count = ::read(descriptor_, into, capacity);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR && errno != EAGAIN) throw InputError(name_, std::strerror(errno));
    }
  }

  int regular_file() const override { return is_regular_ ? descriptor_ : -1; }
  double share_read() const override {
    struct stat status {};
    const off_t at = lseek(descriptor_, 0, SEEK_CUR);
    if (!is_regular_ || at <= 0 || fstat(descriptor_, &status) != 0 || status.st_size <= 0)
      return 1;
    return std::min(1.0, static_cast<double>(at) / static_cast<double>(status.st_size));
  }

 private:
  // A pipe or a terminal may stay silent: meanwhile interrupts are checked.
  void wait_for_bytes() const {
    constexpr int kMilliseconds = 100;
    pollfd waiting{descriptor_, POLLIN, 0};
    do stop_if_asked();
    while (poll(&waiting, 1, kMilliseconds) <= 0);
  }

  std::string name_;
  int descriptor_;
  bool is_regular_ = false;
};

class MemoryStream final : public ByteStream {
 public:
  explicit MemoryStream(std::string_view bytes) : bytes_(bytes) {}
  std::size_t read(char* into, std::size_t capacity) override {
    const std::size_t count = bytes_.copy(into, capacity);
    bytes_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view bytes_;
};

class ResumedStream final : public ByteStream {
 public:
  ResumedStream(std::string first, std::unique_ptr<ByteStream> inner)
      : first_(std::move(first)), inner_(std::move(inner)) {}
  std::size_t read(char* into, std::size_t capacity) override {
    if (used_ == first_.size()) return inner_->read(into, capacity);
    const std::size_t count = std::string_view(first_).substr(used_).copy(into, capacity);
    used_ += count;
    return count;
  }
  int regular_file() const override { return inner_->regular_file(); }
  double share_read() const override { return inner_->share_read(); }

 private:
  std::string first_;
  std::size_t used_ = 0;
  std::unique_ptr<ByteStream> inner_;
};

constexpr std::size_t kCompressedPiece = 1 << 18;

// Compressed bytes in pieces, and their number for messages.
class Compressed {
 public:
  explicit Compressed(std::unique_ptr<ByteStream> inner)
      : inner_(std::move(inner)), buffer_(kCompressedPiece, '\0') {}
  std::string_view more() {
    const std::size_t count = inner_->read(buffer_.data(), buffer_.size());
    total_ += count;
    return {buffer_.data(), count};
  }
  std::uint64_t total() const { return total_; }
  double share_read() const { return inner_->share_read(); }

 private:
  std::unique_ptr<ByteStream> inner_;
  std::string buffer_;
  std::uint64_t total_ = 0;
};

class GzipStream final : public ByteStream {
 public:
  GzipStream(std::string name, std::unique_ptr<ByteStream> inner)
      : name_(std::move(name)), input_(std::move(inner)) {
    if (inflateInit2(&state_, 15 + 16) != Z_OK) throw DeviceError("zlib could not start");
  }
  ~GzipStream() override { inflateEnd(&state_); }
  double share_read() const override { return input_.share_read(); }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  std::size_t read(char* into, std::size_t capacity) override {
    state_.next_out = reinterpret_cast<Bytef*>(into);
    state_.avail_out = static_cast<uInt>(std::min<std::size_t>(capacity, 1u << 30));
    const uInt room = state_.avail_out;
    while (state_.avail_out == room) {
      if (state_.avail_in == 0 && !refill()) {
        if (!between_members_)
          throw InputError(name_, "the gzip data end too early: the file is truncated");
        return 0;
      }
      if (between_members_) {  // a gzip file may hold several members, one after the other
        if (inflateReset(&state_) != Z_OK) throw InputError(name_, "corrupt gzip data");
        between_members_ = false;
      }
      const int status = inflate(&state_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        between_members_ = true;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        throw InputError(name_, "corrupt gzip data before byte " + std::to_string(input_.total()) +
                                    (state_.msg ? std::string(": ") + state_.msg : ""));
      }
    }
    return room - state_.avail_out;
  }

 private:
  bool refill() {
    const std::string_view piece = input_.more();
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    state_.avail_in = static_cast<uInt>(piece.size());
    return !piece.empty();
  }

  std::string name_;
  Compressed input_;
  z_stream state_{};
  bool between_members_ = false;
};

class ZstdStream final : public ByteStream {
 public:
  ZstdStream(std::string name, std::unique_ptr<ByteStream> inner)
      : name_(std::move(name)), input_(std::move(inner)), state_(ZSTD_createDStream()) {
    if (state_ == nullptr) throw DeviceError("zstd could not start");
  }
  ~ZstdStream() override { ZSTD_freeDStream(state_); }
  double share_read() const override { return input_.share_read(); }
  ZstdStream(const ZstdStream&) = delete;
  ZstdStream& operator=(const ZstdStream&) = delete;

  std::size_t read(char* into, std::size_t capacity) override {
    ZSTD_outBuffer out{into, capacity, 0};
    while (out.pos == 0) {
      if (piece_.pos == piece_.size && !refill()) {
        if (expected_ != 0)
          throw InputError(name_, "the zstd data end too early: the file is truncated");
        return 0;
      }
      expected_ = ZSTD_decompressStream(state_, &out, &piece_);
      if (ZSTD_getErrorCode(expected_) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      if (ZSTD_isError(expected_) != 0)
        throw InputError(name_, "corrupt zstd data before byte " + std::to_string(input_.total()) +
                                    ": " + ZSTD_getErrorName(expected_));
    }
    return out.pos;
  }

 private:
  bool refill() {
    const std::string_view piece = input_.more();
    piece_ = {piece.data(), piece.size(), 0};
    return !piece.empty();
  }

  std::string name_;
  Compressed input_;
  ZSTD_DStream* state_;
  ZSTD_inBuffer piece_{nullptr, 0, 0};
  std::size_t expected_ = 0;  // 0 between frames
};

}  // namespace

std::unique_ptr<ByteStream> file_stream(const std::string& path) {
  return std::make_unique<FileStream>(path);
}
std::unique_ptr<ByteStream> memory_stream(std::string_view bytes) {
  return std::make_unique<MemoryStream>(bytes);
}
std::unique_ptr<ByteStream> resumed_stream(std::string first, std::unique_ptr<ByteStream> inner) {
  return std::make_unique<ResumedStream>(std::move(first), std::move(inner));
}
std::unique_ptr<ByteStream> gzip_stream(std::string name, std::string first,
                                        std::unique_ptr<ByteStream> inner) {
  return std::make_unique<GzipStream>(std::move(name),
                                      resumed_stream(std::move(first), std::move(inner)));
}
std::unique_ptr<ByteStream> zstd_stream(std::string name, std::string first,
                                        std::unique_ptr<ByteStream> inner) {
  return std::make_unique<ZstdStream>(std::move(name),
                                      resumed_stream(std::move(first), std::move(inner)));
}

}  // namespace antipode

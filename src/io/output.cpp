#include "io/output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "antipode/error.hpp"
#include "antipode/io.hpp"

namespace antipode {

thread_local std::uint64_t* OutputFile::counted_ = nullptr;

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (counted_ != nullptr) return;
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  struct stat status {};
  if (stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    file_ = std::fopen(path_.c_str(), "wb");  // a device or a pipe: nothing to rename over
    if (file_ == nullptr) fail("cannot be written");
    return;
  }
  temporary_ = path_ + ".tmp-" + std::to_string(getpid());
  file_ = std::fopen(temporary_.c_str(), "wbx");
  if (file_ == nullptr) fail("cannot be written");
  std::setvbuf(file_, nullptr, _IOFBF, 1 << 20);
}

OutputFile::~OutputFile() {
  if (file_ == nullptr || file_ == stdout) return;
  std::fclose(file_);
  if (temporary_.empty()) return;
  std::remove(temporary_.c_str());
}

void OutputFile::fail(const std::string& what) const {
  throw DeviceError(path_ + ": " + what + ": " + std::strerror(errno));
}

void OutputFile::write(const void* data, std::size_t size) {
  if (counted_ != nullptr) {
    *counted_ += size;
    return;
  }
  if (std::fwrite(data, 1, size, file_) != size) fail("writing failed");
}

void OutputFile::commit() {
  if (counted_ != nullptr) return;
  if (std::fflush(file_) != 0) fail("writing failed");
  if (temporary_.empty()) return;
  if (fsync(fileno(file_)) != 0 && errno != EINVAL && errno != EROFS) fail("writing failed");
  const int closed = std::fclose(file_);
  file_ = nullptr;
  if (closed != 0 || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    std::remove(temporary_.c_str());
    errno = reason;
    fail("writing failed");
  }
}

void check_target(const std::string& path) {
  if (path == "-") return;
  struct stat status {};
  const bool is_there = stat(path.c_str(), &status) == 0;
  if (is_there && S_ISDIR(status.st_mode))
    throw DeviceError(path + ": cannot be written: it is a folder");
  if (is_there && !S_ISREG(status.st_mode))
    return;  // a pipe: who reads it would take this for all there is
  OutputFile nothing(path);
}

void write_text(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace antipode

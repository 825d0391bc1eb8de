// Temporary names, locks, symbolic links and pipes, for files that are complete or absent.
#include "io/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <stdio_ext.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "graph/limits.hpp"

namespace antipode {

thread_local std::uint64_t* OutputFile::counted_ = nullptr;

namespace {

constexpr std::size_t kPipePiece = 4096;  // PIPE_BUF
constexpr std::string_view kTemporary = ".tmp-", kPartial = ".partial-";

std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string temporary_stem(const std::string& target, std::string_view ending) {
  constexpr std::size_t kLongest = 200;  // of a name, so that the ending has room
  std::string name = std::filesystem::path(target).filename().string();
  if (name.size() > kLongest) name.resize(kLongest);
  return name.append(ending);
}

// A random number is added to that of the process, since in containers all may be number 1.
std::string temporary_name(const std::string& target, std::string_view ending) {
  std::random_device random;
  return (std::filesystem::path(target).parent_path() /
          (temporary_stem(target, ending) + std::to_string(getpid()) + "-" +
           std::to_string(random())))
      .string();
}

// A FIFO opens when something reads it, which may never happen: meanwhile interrupts are checked.
int open_to_reader(const std::string& path, bool is_fifo) {
  constexpr auto kBetweenTries = std::chrono::milliseconds(50);
  int descriptor = -1;
  while ((descriptor = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 &&
         (errno == EINTR || (is_fifo && errno == ENXIO))) {
    stop_if_asked();
    std::this_thread::sleep_for(kBetweenTries);
  }
  if (descriptor >= 0) fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
}

// The names of unfinished files, in static memory: none may be left to allocate when they are
// removed.
struct Unfinished {
  std::mutex changing;
  char paths[16][1024] = {};
} unfinished;

}  // namespace

void remember_file(const std::string& path) noexcept {
  const std::lock_guard lock(unfinished.changing);
  for (auto& place : unfinished.paths)
    if (place[0] == '\0' && path.size() < sizeof place)
      return void(std::strcpy(place, path.c_str()));
}

void forget_file(const std::string& path) noexcept {
  const std::lock_guard lock(unfinished.changing);
  for (auto& place : unfinished.paths)
    if (path == place) place[0] = '\0';
}

void abandon_files() noexcept {
  for (auto& place : unfinished.paths)
    if (place[0] != '\0') std::remove(place);
}

std::string link_target(const std::string& path) {
  constexpr int kMostLinks = 40;
  std::filesystem::path at(path);
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(at, error); ++links) {
    if (links == kMostLinks)
      throw DeviceError(path + ": cannot be written: its symbolic links lead round in a circle");
    const std::filesystem::path next = std::filesystem::read_symlink(at, error);
    if (error) throw DeviceError(path + ": cannot be written: " + error.message());
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return at.string();
}

bool rename_durably(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) return false;
  const int folder = ::open(folder_of(to).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return true;  // it may be writable, but not readable
  const bool synced = fsync(folder) == 0 || errno == EINVAL || errno == EROFS;
  const int reason = errno;
  ::close(folder);
  errno = reason;
  return synced;
}

OutputFile::OutputFile(std::string path, Packing packing) : path_(std::move(path)) {
  if (packing == Packing::by_name) packer_ = packer_for(path_);
  if (counted_ != nullptr) return;
  if (path_ == "-") {
    file_ = stdout;
    struct stat out {};
    if (fstat(STDOUT_FILENO, &out) == 0 && !S_ISREG(out.st_mode)) write_in_pieces();
    return;
  }
  open_temporary(kTemporary);
}

OutputFile::OutputFile(std::string path, const std::string& begun) : path_(std::move(path)) {
  if (begun.empty()) {
    open_temporary(kPartial);
    return;
  }
  target_ = link_target(path_);
  temporary_ = place_of(path_, begun);
  kept_ = true;
  use(open_alone(temporary_, O_RDWR, path_), "r+b");
}

std::string OutputFile::place_of(const std::string& path, const std::string& begun) {
  return (std::filesystem::path(link_target(path)).parent_path() / begun).string();
}

bool OutputFile::is_name_of_begun(const std::string& path, std::string_view begun) {
  const std::string stem = temporary_stem(link_target(path), kPartial);
  if (!begun.starts_with(stem)) return false;
  begun.remove_prefix(stem.size());
  const std::size_t between = begun.find('-');
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return between != std::string_view::npos && is_number(begun.substr(0, between)) &&
         is_number(begun.substr(between + 1));
}

void OutputFile::open_temporary(std::string_view ending) {
  struct stat status {};
  const bool is_there = stat(path_.c_str(), &status) == 0;
  if (is_there && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    // A device or a pipe: nothing to rename over, and its link, as in /dev/fd, names no file.
    const int descriptor = open_to_reader(path_, S_ISFIFO(status.st_mode));
    file_ = descriptor < 0 ? nullptr : fdopen(descriptor, "wb");
    if (file_ == nullptr) fail("cannot be written");
    write_in_pieces();
    return;
  }
  target_ = link_target(path_);
  if (is_there && S_ISREG(status.st_mode) &&
      ((status.st_mode & 0222) == 0 || access(target_.c_str(), W_OK) != 0))
    throw DeviceError(path_ + ": cannot be written: it is read-only");
  const int descriptor = create(ending);
  bool ready = true;
  if (is_there) {  // the same owner and permissions as before
    ready = fchown(descriptor, status.st_uid, status.st_gid) == 0 || errno == EPERM;
    ready = ready && (fchmod(descriptor, status.st_mode & 07777) == 0 || errno == EPERM);
  }
  if (ready) return use(descriptor, "wb");
  const int reason = errno;
  ::close(descriptor);
  remove_temporary();
  errno = reason;
  fail("cannot be written");
}

int OutputFile::create(std::string_view ending) {
  constexpr int kTries = 8;
  for (int i = 0; i < kTries; ++i) {
    temporary_ = temporary_name(target_, ending);
    const int descriptor =
        ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      remember_file(temporary_);
      return descriptor;
    }
    if (errno != EEXIST) break;
  }
  temporary_.clear();
  fail("cannot be written");
}

void OutputFile::use(int descriptor, const char* mode) {
  if (descriptor >= 0) file_ = fdopen(descriptor, mode);
  if (file_ == nullptr) {
    const int reason = errno;
    if (descriptor >= 0) ::close(descriptor);
    remove_temporary();
    errno = reason;
    fail(kept_ ? "what was written of it before cannot be opened" : "cannot be written");
  }
  std::setvbuf(file_, nullptr, _IOFBF, 1 << 20);
}

OutputFile::~OutputFile() {
  if (in_pieces_) __fpurge(file_);  // uncommitted output must not wait for a reader
  if (file_ == nullptr || file_ == stdout) return;
  std::fclose(file_);
  remove_temporary();
}

void OutputFile::remove_temporary() {
  if (kept_ || temporary_.empty()) return;
  std::remove(temporary_.c_str());
  forget_file(temporary_);
}

void OutputFile::fail(const std::string& what) const {
  const int reason = errno;
  if (file_ != stdout) throw DeviceError(path_ + ": " + what + ": " + std::strerror(reason));
  const std::string message =
      std::string("standard output cannot be written: ") + std::strerror(reason);
  if (reason == EPIPE) throw ClosedPipe(message);
  throw DeviceError(message);
}

void OutputFile::write(const void* data, std::size_t size) {
  const std::string_view bytes(static_cast<const char*>(data), size);
  if (packer_ == nullptr) return put(bytes);
  packer_->pack(bytes, [this](std::string_view packed) { put(packed); });
}

void OutputFile::put(std::string_view bytes) {
  if (counted_ != nullptr) {
    *counted_ += bytes.size();
    return;
  }
  while (!bytes.empty()) {
    const std::size_t piece = in_pieces_ ? room_in_piece(bytes.size()) : bytes.size();
    if (std::fwrite(bytes.data(), 1, piece, file_) != piece) fail("writing failed");
    bytes.remove_prefix(piece);
    tell(piece);
  }
}

// What goes to standard output may be seen on the same terminal.
void OutputFile::tell(std::uint64_t bytes) {
  constexpr std::uint64_t kBetween = std::uint64_t{1} << 20;
  written_ += bytes;
  if (path_ == "-" || written_ - told_ < kBetween) return;
  told_ = written_;
  tell_loading({.phase = "writing", .bytes = written_, .is_loading = false});
}

// Each piece is one write of a size that a pipe with room always takes. The stream has room for
// more than a piece: it must never write by itself.
void OutputFile::write_in_pieces() {
  std::fflush(file_);
  std::setvbuf(file_, nullptr, _IOFBF, 2 * kPipePiece);
  in_pieces_ = true;
}

// The number of bytes that complete the piece; a piece that is complete is written first.
std::size_t OutputFile::room_in_piece(std::size_t bytes) {
  if (__fpending(file_) >= kPipePiece) {
    wait_for_room();
    if (std::fflush(file_) != 0) fail("writing failed");
  }
  return std::min(bytes, kPipePiece - __fpending(file_));
}

// A pipe may never be read: meanwhile interrupts are checked.
void OutputFile::wait_for_room() {
  constexpr int kMilliseconds = 100;
  if (!in_pieces_) return;
  pollfd waiting{fileno(file_), POLLOUT, 0};
  for (int wait = 0; poll(&waiting, 1, wait) <= 0; wait = kMilliseconds) stop_if_asked();
}

void OutputFile::sync() {
  wait_for_room();
  if (std::fflush(file_) != 0) fail("writing failed");
  if (!temporary_.empty() && fsync(fileno(file_)) != 0 && errno != EINVAL && errno != EROFS)
    fail("writing failed");
}

std::string OutputFile::keep() {
  sync();
  if (!kept_ && flock(fileno(file_), LOCK_EX | LOCK_NB) != 0) fail("cannot be locked");
  kept_ = true;
  forget_file(temporary_);
  return std::filesystem::path(temporary_).filename().string();
}

void OutputFile::cut() {
  const long end = std::ftell(file_);
  if (end < 0 || ftruncate(fileno(file_), static_cast<off_t>(end)) != 0 ||
      std::fseek(file_, 0, SEEK_END) != 0)
    fail("cannot be gone on with");
}

void OutputFile::rewind() {
  if (std::fseek(file_, 0, SEEK_SET) != 0) fail("writing failed");
}

void OutputFile::commit() {
  if (packer_ != nullptr) packer_->finish([this](std::string_view packed) { put(packed); });
  if (counted_ != nullptr) return;
  sync();
  if (temporary_.empty()) return;
  const int closed = std::fclose(file_);
  file_ = nullptr;
  if (closed != 0 || !rename_durably(temporary_, target_)) {
    const int reason = errno;
    remove_temporary();
    errno = reason;
    fail("writing failed");
  }
  forget_file(temporary_);
}

int OutputFile::lock() const {
  const int descriptor = fcntl(fileno(file_), F_DUPFD_CLOEXEC, 0);
  if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  const int reason = errno;
  if (descriptor >= 0) ::close(descriptor);
  errno = reason;
  fail("cannot be locked");
}

bool leads_to(const std::string& path, int descriptor) {
  struct stat opened {
  }, named{};
  return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// Between opening and locking, the process that has the lock may rename over the file or remove it:
// then it is opened again.
int open_alone(const std::string& path, int flags, const std::string& what) {
  constexpr int kTries = 16;
  for (int i = 0; i < kTries; ++i) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) return -1;
    const bool is_taken = flock(descriptor, LOCK_EX | LOCK_NB) != 0;
    if (!is_taken && leads_to(path, descriptor)) return descriptor;
    ::close(descriptor);
    if (is_taken) break;
  }
  throw DeviceError(what +
                    " is in use by another run: name another file, or wait until it has ended");
}

void check_target(const std::string& path) {
  if (path == "-") return;
  struct stat status {};
  const bool is_there = stat(path.c_str(), &status) == 0;
  if (is_there && S_ISDIR(status.st_mode))
    throw DeviceError(path + ": cannot be written: it is a folder");
  if (const std::string name = std::filesystem::path(link_target(path)).filename().string();
      !is_there && name.size() > NAME_MAX)
    throw DeviceError(path + ": cannot be written: " + std::strerror(ENAMETOOLONG));
  if (is_there && !S_ISREG(status.st_mode))
    return;  // a pipe: opening it would end its input for a reader
  OutputFile nothing(path);
}

void write_text(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

FileIdentity identity_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) return {status.st_dev, status.st_ino, {}};
  std::error_code error;
  const std::filesystem::path at(std::filesystem::is_symlink(path, error) ? link_target(path)
                                                                          : path);
  if (stat(folder_of(at.string()).c_str(), &status) == 0)
    return {status.st_dev, status.st_ino, at.filename().string()};
  return {0, 0, at.lexically_normal().string()};
}

}  // namespace antipode

// Checkpoints: a magic line; a line with the key; size and checksum of the state as 64-bit numbers;
// the state. The file itself is locked, and so is each that replaces it. Before there is a state it
// has the magic line alone, so that every file of ours has a mark.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "graph/hash.hpp"
#include "graph/limits.hpp"
#include "io/input.hpp"
#include "io/output.hpp"

namespace antipode {

namespace {

constexpr std::string_view kMagic = "antipode checkpoint 1\n";

struct Header {
  std::uint64_t size, checksum;
};

enum class Found { nothing, checkpoint, something_else };

Found found_in(int descriptor) {
  std::string first(kMagic.size() + 1, '\0');
  const ssize_t count = pread(descriptor, first.data(), first.size(), 0);
  if (!first.starts_with(kMagic)) return Found::something_else;
  return count == static_cast<ssize_t>(kMagic.size()) ? Found::nothing : Found::checkpoint;
}

// Creates the file with the mark. On a full disk it stays empty, but is locked all the same.
int create_alone(const std::string& target, const std::string& path) {
  const int descriptor = open_alone(target, O_RDWR | O_CREAT | O_EXCL, path);
  if (descriptor < 0) return -1;
  if (pwrite(descriptor, kMagic.data(), kMagic.size(), 0) != static_cast<ssize_t>(kMagic.size()) &&
      ftruncate(descriptor, 0) != 0)
    std::remove(target.c_str());
  return descriptor;
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed) {
  return hash_bytes(bytes.data(), bytes.size(), seed);
}

struct Checkpoint::Lock {
  std::string target;  // the file that the path leads to
  int descriptor;
  bool has_state;

  bool is_at_target() const { return leads_to(target, descriptor); }
  void pass_to(int next) {  // if the path leads to it now
    if (leads_to(target, next)) {
      std::swap(descriptor, next);
      has_state = true;
      forget_file(target);
    }
    ::close(next);
  }
  ~Lock() {
    if (!has_state && is_at_target()) std::remove(target.c_str());
    if (!has_state) forget_file(target);
    ::close(descriptor);
  }
};

Checkpoint::Checkpoint(std::string path, std::string key, Begin begin)
    : path_(std::move(path)), key_(std::move(key)) {
  const UsageError foreign(path_ + " is there and is no checkpoint: name another file");
  if (path_ == "-") throw UsageError("a checkpoint is not written to standard output: name a file");
  struct stat status {};
  if (stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) throw foreign;
  const std::string target = link_target(path_);
  const bool resumes = begin == Begin::resume;
  bool is_new = false;
  int descriptor = open_alone(target, O_RDWR, path_);
  if (descriptor < 0 && !resumes && errno == ENOENT) {
    descriptor = create_alone(target, path_);
    is_new = descriptor >= 0;
    if (!is_new && errno == EEXIST) descriptor = open_alone(target, O_RDWR, path_);
  }
  if (descriptor < 0 && resumes && errno == ENOENT)
    throw InputError(path_, "no such file: there is nothing to resume");
  if (descriptor < 0) throw DeviceError(path_ + ": cannot be written: " + std::strerror(errno));
  const Found found = is_new ? Found::nothing : found_in(descriptor);
  lock_.reset(
      new Lock{.target = target, .descriptor = descriptor, .has_state = found != Found::nothing});
  if (found == Found::something_else) throw foreign;
  if (found == Found::nothing) remember_file(target);
  if (!resumes && found == Found::checkpoint)
    throw UsageError(path_ +
                     " is the checkpoint of an earlier run: give --resume to go on with it, or "
                     "remove it to start again");
}

Checkpoint::~Checkpoint() = default;

void Checkpoint::save(std::span<const unsigned char> state) {
  if (!lock_->is_at_target() && access(lock_->target.c_str(), F_OK) == 0)
    throw DeviceError(path_ + ": was replaced by another file, which is left alone");
  const Header header{state.size(), hash_bytes(state.data(), state.size())};
  OutputFile file(path_, OutputFile::Packing::none);
  file.write(kMagic);
  file.write(key_);
  file.write("\n");
  file.write(&header, sizeof(header));
  file.write(state.data(), state.size());
  const int next = file.lock();
  try {
    file.commit();
  } catch (const DeviceError&) {  // perhaps after the rename
    lock_->pass_to(next);
    throw;
  }
  lock_->pass_to(next);
}

void Checkpoint::remove() {
  if (lock_->is_at_target()) std::remove(lock_->target.c_str());
}

std::vector<unsigned char> Checkpoint::load() const {
  Input input = Input::open(path_);
  std::string text, piece(std::size_t{1} << 20, '\0');
  while (const std::size_t count = input.bytes(piece.data(), piece.size())) {
    refuse_bytes(2 * text.size(), path_);
    text.append(piece, 0, count);
  }
  if (text == kMagic) return {};
  const auto damage_error = [&] {
    return InputError(path_, "is no whole checkpoint: remove it and start again without --resume");
  };
  if (!text.starts_with(kMagic)) throw damage_error();
  const std::size_t end = text.find('\n', kMagic.size());
  if (end == std::string::npos || text.size() - end - 1 < sizeof(Header)) throw damage_error();
  const std::string_view found = std::string_view(text).substr(kMagic.size(), end - kMagic.size());
  if (found != key_)
    throw InputError(path_,
                     "is the checkpoint of another question or graph (" + std::string(found) +
                         "): give the same graph and options, or start again without --resume");
  Header header{};
  std::memcpy(&header, text.data() + end + 1, sizeof(header));
  const std::string_view state = std::string_view(text).substr(end + 1 + sizeof(header));
  if (state.empty() || state.size() != header.size ||
      hash_bytes(state.data(), state.size()) != header.checksum)
    throw damage_error();
  return {state.begin(), state.end()};
}

}  // namespace antipode

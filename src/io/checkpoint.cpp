// Checkpoints: a line that says what this is, a line with the key, the size and the checksum of the
// state as two 64-bit numbers, the state. The lock is a file beside it, since the checkpoint itself
// is replaced again and again.
#include <sys/stat.h>

#include <cstring>
#include <fstream>

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

Found found_at(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return Found::nothing;
  if (!S_ISREG(status.st_mode)) return Found::something_else;
  std::ifstream file(path, std::ios::binary);
  std::string first(kMagic.size(), '\0');
  return file.read(first.data(), static_cast<std::streamsize>(first.size())) && first == kMagic
             ? Found::checkpoint
             : Found::something_else;
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed) {
  return hash_bytes(bytes.data(), bytes.size(), seed);
}

struct Checkpoint::Lock {
  FileLock file;
};

Checkpoint::Checkpoint(std::string path, std::string key, Begin begin)
    : path_(std::move(path)), key_(std::move(key)) {
  const auto refuse_others = [this] {
    const Found found = found_at(path_);
    if (found == Found::something_else)
      throw UsageError(path_ + " is there and is no checkpoint: name another file");
    return found;
  };
  refuse_others();
  lock_ = std::make_unique<Lock>(Lock{FileLock(link_target(path_) + ".lock", path_)});
  const Found found = refuse_others();
  if (begin == Begin::resume && found == Found::nothing)
    throw InputError(path_, "no such file: there is nothing to resume");
  if (begin == Begin::anew && found == Found::checkpoint)
    throw UsageError(path_ +
                     " is the checkpoint of an earlier run: give --resume to go on with it, or "
                     "remove it to start again");
}

Checkpoint::~Checkpoint() = default;

void Checkpoint::save(std::span<const unsigned char> state) {
  if (found_at(path_) == Found::something_else)
    throw DeviceError(path_ + ": is no checkpoint any more, and is left alone");
  const Header header{state.size(), hash_bytes(state.data(), state.size())};
  OutputFile file(path_);
  file.write(kMagic);
  file.write(key_);
  file.write("\n");
  file.write(&header, sizeof(header));
  file.write(state.data(), state.size());
  file.commit();
}

void Checkpoint::remove() {
  if (found_at(path_) == Found::checkpoint) std::remove(link_target(path_).c_str());
}

std::vector<unsigned char> Checkpoint::load() const {
  Input input = Input::open(path_);
  std::string text, piece(std::size_t{1} << 20, '\0');
  while (const std::size_t count = input.bytes(piece.data(), piece.size())) {
    refuse_bytes(2 * text.size(), path_);
    text.append(piece, 0, count);
  }
  const auto damaged = [&] {
    return InputError(path_, "is no whole checkpoint: remove it and start again without --resume");
  };
  if (!text.starts_with(kMagic)) throw damaged();
  const std::size_t end = text.find('\n', kMagic.size());
  if (end == std::string::npos || text.size() - end - 1 < sizeof(Header)) throw damaged();
  const std::string_view found = std::string_view(text).substr(kMagic.size(), end - kMagic.size());
  if (found != key_)
    throw InputError(path_,
                     "is the checkpoint of another question or graph (" + std::string(found) +
                         "): give the same graph and options, or start again without --resume");
  Header header{};
  std::memcpy(&header, text.data() + end + 1, sizeof(header));
  const std::string_view state = std::string_view(text).substr(end + 1 + sizeof(header));
  if (state.size() != header.size || hash_bytes(state.data(), state.size()) != header.checksum)
    throw damaged();
  return {state.begin(), state.end()};
}

}  // namespace antipode

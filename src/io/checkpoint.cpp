// Checkpoints: a line that says what this is, a line with the key, the size and the checksum of the
// state as two 64-bit numbers, the state.
#include <cstring>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "graph/hash.hpp"
#include "io/input.hpp"
#include "io/output.hpp"

namespace antipode {

namespace {

constexpr std::string_view kMagic = "antipode checkpoint 1\n";

struct Header {
  std::uint64_t size, checksum;
};

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed) {
  return hash_bytes(bytes.data(), bytes.size(), seed);
}

void save_checkpoint(const std::string& path, std::string_view key,
                     std::span<const unsigned char> state) {
  const Header header{state.size(), hash_bytes(state.data(), state.size())};
  OutputFile file(path);
  file.write(kMagic);
  file.write(key);
  file.write("\n");
  file.write(&header, sizeof(header));
  file.write(state.data(), state.size());
  file.commit();
}

std::vector<unsigned char> load_checkpoint(const std::string& path, std::string_view key) {
  Input input = Input::open(path);
  std::string text, piece(std::size_t{1} << 20, '\0');
  while (const std::size_t count = input.bytes(piece.data(), piece.size()))
    text.append(piece, 0, count);
  const auto damaged = [&] {
    return InputError(path, "is no whole checkpoint: remove it and start again without --resume");
  };
  if (!text.starts_with(kMagic)) throw damaged();
  const std::size_t end = text.find('\n', kMagic.size());
  if (end == std::string::npos || text.size() - end - 1 < sizeof(Header)) throw damaged();
  const std::string_view found = std::string_view(text).substr(kMagic.size(), end - kMagic.size());
  if (found != key)
    throw InputError(path,
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

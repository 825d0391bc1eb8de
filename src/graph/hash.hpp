// Mixing of 64-bit words: the counter-based randomness of the generators, the fingerprint of a
// graph and the checksums of .apg files. Not cryptographic: it finds accidents, not adversaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace antipode {

// The finalizer of SplitMix64: a bijection in which every input bit flips every output bit half of
// the time.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

// A number for every vertex, which a file cannot predict if the two words are random. Both words
// lie between steps that mix high bits. With the last step alone, the keys of vertices that differ
// in a high bit would differ by a constant.
struct VertexKeys {
  std::uint32_t first, second;  // second: odd
  constexpr std::uint32_t of(std::uint32_t vertex) const {
    std::uint32_t x = vertex ^ first;
    x = (x ^ x >> 16) * 0x85EBCA6Bu;
    x = (x ^ x >> 13) * second;
    return x ^ x >> 16;
  }
};

// Hash of `size` bytes, four words at a time so that multiplications overlap.
inline std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed = 0) {
  constexpr std::uint64_t kOdd = 0xD6E8FEB86659FD93ull;
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::uint64_t lane[4] = {seed, seed ^ kOdd, mix(seed), mix(seed ^ kOdd)};
  std::size_t left = size;
  for (; left >= 32; left -= 32, bytes += 32) {
    std::uint64_t word[4];
    std::memcpy(word, bytes, 32);
    for (int i = 0; i < 4; ++i) {
      lane[i] = (lane[i] ^ word[i]) * kOdd;
      lane[i] ^= lane[i] >> 32;
    }
  }
  std::uint64_t tail[4] = {0, 0, 0, 0};
  if (left > 0) std::memcpy(tail, bytes, left);  // without bytes, `bytes` may be null
  std::uint64_t hash = size;
  for (int i = 0; i < 4; ++i)
    hash = mix(hash ^ lane[i]) ^ mix(tail[i] + static_cast<std::uint64_t>(i));
  return mix(hash);
}

inline std::uint64_t hash_text(std::string_view text) {
  return hash_bytes(text.data(), text.size());
}

}  // namespace antipode

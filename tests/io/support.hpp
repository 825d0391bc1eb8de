// Bytes packed as .gz and .zst, temporary folders, and what a reader says.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "antipode/error.hpp"
#include "antipode/io.hpp"

namespace antipode::testing {

inline std::string gzipped(const std::string& bytes) {
  z_stream state{};
  deflateInit2(&state, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&state, bytes.size()) + 32, '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  state.avail_in = static_cast<uInt>(bytes.size());
  state.next_out = reinterpret_cast<Bytef*>(packed.data());
  state.avail_out = static_cast<uInt>(packed.size());
  deflate(&state, Z_FINISH);
  packed.resize(state.total_out);
  deflateEnd(&state);
  return packed;
}

inline std::string zstandard(const std::string& bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 3));
  return packed;
}

// One member or frame.
inline std::string unpacked(const std::string& bytes) {
  std::string text(std::size_t{1} << 25, '\0');
  if (bytes.starts_with("\x1f")) {
    z_stream state{};
    inflateInit2(&state, 15 + 16);
    state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    state.avail_in = static_cast<uInt>(bytes.size());
    state.next_out = reinterpret_cast<Bytef*>(text.data());
    state.avail_out = static_cast<uInt>(text.size());
    const bool whole = inflate(&state, Z_FINISH) == Z_STREAM_END && state.avail_in == 0;
    text.resize(state.total_out);
    inflateEnd(&state);
    return whole ? text : "damaged";
  }
  const std::size_t size = ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0) return "damaged";
  text.resize(size);
  return text;
}

class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("antipode-test-" + std::to_string(std::random_device()()))) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// The message with which reading fails; empty when it does not.
inline std::string complaint(const std::string& name, const std::string& bytes,
                             const std::string& format = "auto") {
  try {
    parse_graph(name, bytes, format);
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace antipode::testing

// Fuzz target for resumed files of distances. The first two bytes choose the format and the number
// of rows in the checkpoint; the others are the content of the file.
//
// Checked: an Error, or the same file byte for byte as without an interruption.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "antipode/error.hpp"
#include "antipode/io.hpp"

namespace {

using namespace antipode;

constexpr std::uint64_t kRows = 6, kColumns = 5;
constexpr Distance kMost = 40;
constexpr std::string_view kFormats[] = {"npy", "compact", "text"};

// In memory if possible: thousands of files are synced.
struct Folder {
  std::filesystem::path path = "/dev/shm";
  Folder() {
    if (!std::filesystem::is_directory(path)) path = std::filesystem::temp_directory_path();
    path /= "antipode-fuzz-rows-" + std::to_string(getpid());
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

std::string place(const char* name) {
  static const Folder folder;
  return folder.path / name;
}

std::vector<Distance> row(std::uint64_t which) {
  std::vector<Distance> result;
  for (std::uint64_t i = 0; i < kColumns; ++i)
    result.push_back(i == 3 && which % 2 == 0 ? kUnreached : static_cast<Distance>(7 * which + i));
  return result;
}

void append(DistanceFile& file, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t i = first; i < last; ++i) file.append(row(i));
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The content of a file written without interruption, and the checkpoint after so many rows.
std::pair<std::string, DistanceFileProgress> honest(std::string_view format, std::uint64_t done) {
  const std::string path = place("honest");
  DistanceFile file(path, format, kRows, kColumns, kMost);
  append(file, 0, done);
  const DistanceFileProgress begun = file.flush();
  append(file, done, kRows);
  file.commit();
  return {contents(path), begun};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view format = kFormats[data[0] % std::size(kFormats)];
  const std::uint64_t done = 1 + data[1] % (kRows - 1);
  auto [whole, begun] = honest(format, done);
  begun.file = "rows.partial";
  const std::string path = place("rows");
  std::ofstream(place("rows.partial"), std::ios::binary)
      .write(reinterpret_cast<const char*>(data + 2), static_cast<std::streamsize>(size - 2));
  try {
    DistanceFile file(path, format, kRows, kColumns, kMost, begun);
    append(file, done, kRows);
    file.commit();
    if (contents(path) != whole) __builtin_trap();
  } catch (const Error&) {
  }
  return 0;
}

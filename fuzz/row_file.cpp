// Fuzz target for resumed files of distances. The first two bytes choose the format and the number
// of rows in the checkpoint. A first byte below 128: the others are the content of the file. From
// 128 on: they are the state in the checkpoint, beside an honest file.
//
// Checked: an Error, or the same file byte for byte as without an interruption; no other file
// changes.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
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

constexpr std::string_view kPrecious = "1 2\n2 3\n";

// Resumes from a state of the checkpoint, beside a file that must not change.
void resume_from(std::span<const std::uint8_t> state, std::string_view format, std::uint64_t done) {
  const std::string path = place("rows");
  std::ofstream(place("precious"), std::ios::binary) << kPrecious;
  {
    DistanceFile file(path, format, kRows, kColumns, kMost);
    append(file, 0, done);
    std::filesystem::rename(place(file.flush().file.c_str()), place("rows.partial-1-2"));
  }
  try {
    const DistanceFileProgress begun = DistanceFileProgress::of(state, path);
    DistanceFile file(path, format, kRows, kColumns, kMost, begun);
    if (begun.rows > kRows) __builtin_trap();  // there are fewer
    append(file, begun.rows, kRows);
    file.commit();
  } catch (const Error&) {
  }
  std::filesystem::remove(place("rows.partial-1-2"));
  if (contents(place("precious")) != kPrecious) __builtin_trap();
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
  if (data[0] >= 128) {
    resume_from({data + 2, size - 2}, format, done);
    return 0;
  }
  auto [whole, begun] = honest(format, done);
  begun.file = "rows.partial-1-2";
  const std::string path = place("rows");
  std::ofstream(place("rows.partial-1-2"), std::ios::binary)
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

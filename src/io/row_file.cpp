#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "graph/hash.hpp"

namespace antipode {

namespace {

constexpr std::string_view kMagic = "antipode rows 1\n";
constexpr std::size_t kNpyHeader = 128;

unsigned width_of(std::string_view format, Distance most) {
  if (format == "npy") return 4;
  return most < 0xFF ? 1 : most < 0xFFFF ? 2 : 4;
}

std::string header_of(std::string_view format, std::uint64_t rows, std::uint64_t columns,
                      Distance most, std::uint64_t checksum) {
  if (format == "npy") {
    std::string text = fmt::format(
        "{{'descr': '<i4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
    text.resize(kNpyHeader - 10 - 1, ' ');
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size() + 1) + '\0' + text +
           '\n';
  }
  if (format == "text") return "";
  const std::uint64_t numbers[] = {rows, columns, width_of(format, most), checksum};
  return std::string(kMagic) + std::string(reinterpret_cast<const char*>(numbers), sizeof(numbers));
}

template <class Number>
std::string packed(std::span<const Distance> row) {
  std::string bytes(row.size() * sizeof(Number), '\0');
  auto* out = bytes.data();
  for (const Distance d : row) {
    const Number number = static_cast<Number>(d);  // kUnreached has all bits set
    std::memcpy(out, &number, sizeof(number));
    out += sizeof(number);
  }
  return bytes;
}

std::string encoded(std::string_view format, std::span<const Distance> row, Distance most) {
  if (format != "text")
    return width_of(format, most) == 1   ? packed<std::uint8_t>(row)
           : width_of(format, most) == 2 ? packed<std::uint16_t>(row)
                                         : packed<std::uint32_t>(row);
  std::string text;
  for (const Distance d : row) text += d == kUnreached ? "inf\t" : fmt::format("{}\t", d);
  if (!text.empty()) text.back() = '\n';
  return text;
}

}  // namespace

struct RowFile::Parts {
  std::string path, temporary, format;
  std::uint64_t rows, columns;
  Distance most;
  std::uint64_t checksum = 0;
  std::FILE* file = nullptr;
  bool flushed = false;  // somebody may want to go on with it

  ~Parts() {
    if (file != nullptr) std::fclose(file);
    if (!temporary.empty() && !flushed) std::remove(temporary.c_str());
  }
  [[noreturn]] void fail(const char* what) const {
    throw DeviceError(path + ": " + what + ": " + std::strerror(errno));
  }
  void sync();
  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file) != text.size()) fail("writing failed");
  }
};

RowFile::RowFile(std::string path, std::string_view format, std::uint64_t rows,
                 std::uint64_t columns, Distance most, std::uint64_t done, std::uint64_t checksum)
    : parts_(
          new Parts{path, path + ".partial", std::string(format), rows, columns, most, checksum}) {
  parts_->flushed = done > 0;
  parts_->file = std::fopen(parts_->temporary.c_str(), done == 0 ? "wb" : "r+b");
  if (parts_->file == nullptr)
    parts_->fail(done == 0 ? "cannot be written"
                           : "what was written of it before cannot be opened");
  const std::string header = header_of(format, rows, columns, most, 0);
  if (done == 0) {
    parts_->write(header);
    return;
  }
  // What came after the last flush is written again.
  std::uint64_t end = header.size() + done * columns * width_of(format, most);
  if (format == "text") {
    end = 0;
    for (std::uint64_t lines = 0; lines < done; ++end) {
      const int c = std::fgetc(parts_->file);
      if (c == EOF)
        throw InputError(parts_->temporary,
                         "is shorter than its checkpoint says: start again without --resume");
      lines += c == '\n' ? 1 : 0;
    }
  }
  if (std::fseek(parts_->file, 0, SEEK_END) != 0 ||
      static_cast<std::uint64_t>(std::ftell(parts_->file)) < end)
    throw InputError(parts_->temporary,
                     "is shorter than its checkpoint says: start again without --resume");
  if (ftruncate(fileno(parts_->file), static_cast<off_t>(end)) != 0 ||
      std::fseek(parts_->file, 0, SEEK_END) != 0)
    parts_->fail("cannot be gone on with");
}

RowFile::~RowFile() = default;

std::uint64_t RowFile::bytes(std::string_view format, std::uint64_t rows, std::uint64_t columns,
                             Distance most) {
  const std::uint64_t digits = std::max<std::uint64_t>(fmt::formatted_size("{}", most), 3) + 1,
                      each = format == "text" ? digits : width_of(format, most);
  constexpr std::uint64_t kTooMany = std::uint64_t{1} << 63;
  if (columns > 0 && rows > kTooMany / columns / each) return kTooMany;
  return header_of(format, rows, columns, most, 0).size() + rows * columns * each;
}

void RowFile::append(std::span<const Distance> row) {
  const std::string bytes = encoded(parts_->format, row, parts_->most);
  parts_->write(bytes);
  parts_->checksum = mix(parts_->checksum ^ hash_bytes(bytes.data(), bytes.size()));
}

void RowFile::Parts::sync() {
  if (std::fflush(file) != 0 || fsync(fileno(file)) != 0) fail("writing failed");
}

std::uint64_t RowFile::flush() {
  parts_->sync();
  parts_->flushed = true;
  return parts_->checksum;
}

std::uint64_t RowFile::commit() {
  if (parts_->format == "compact") {
    if (std::fseek(parts_->file, 0, SEEK_SET) != 0) parts_->fail("writing failed");
    parts_->write(
        header_of(parts_->format, parts_->rows, parts_->columns, parts_->most, parts_->checksum));
  }
  parts_->sync();
  if (std::rename(parts_->temporary.c_str(), parts_->path.c_str()) != 0)
    parts_->fail("cannot be written");
  parts_->temporary.clear();  // nothing to remove any more
  return parts_->checksum;
}

}  // namespace antipode

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "graph/hash.hpp"
#include "io/output.hpp"

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
  std::string path, target, temporary, format;
  std::uint64_t rows, columns;
  Distance most;
  std::uint64_t checksum = 0;
  std::FILE* file = nullptr;
  bool flushed = false;  // a later run may want to go on with it

  ~Parts() {
    if (file != nullptr) std::fclose(file);
    if (!temporary.empty() && !flushed) {
      std::remove(temporary.c_str());
      forget_file(temporary);
    }
  }
  [[noreturn]] void fail(const char* what) const {
    throw DeviceError(path + ": " + what + ": " + std::strerror(errno));
  }
  void sync();
  void open(bool resumes);
  std::uint64_t checksum_of_rows(const std::string& header, std::uint64_t done);
  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file) != text.size()) fail("writing failed");
  }
};

RowFile::RowFile(std::string path, std::string_view format, std::uint64_t rows,
                 std::uint64_t columns, Distance most, std::uint64_t done, std::uint64_t checksum)
    : parts_(new Parts{
          path, link_target(path), {}, std::string(format), rows, columns, most, checksum}) {
  const std::string header = header_of(format, rows, columns, most, 0);
  parts_->open(done > 0);
  if (done == 0) {
    parts_->write(header);
    return;
  }
  if (parts_->checksum_of_rows(header, done) != checksum)
    throw InputError(parts_->temporary,
                     "is not what its checkpoint describes: another run has written to it, or it "
                     "is damaged; start again without --resume");
  // What came after the last flush is written again.
  const long end = std::ftell(parts_->file);
  if (end < 0 || ftruncate(fileno(parts_->file), static_cast<off_t>(end)) != 0 ||
      std::fseek(parts_->file, 0, SEEK_END) != 0)
    parts_->fail("cannot be gone on with");
}

// Only one process may have it; what a killed run left is taken over.
void RowFile::Parts::open(bool resumes) {
  std::string name = target + ".partial";
  const int descriptor = open_alone(name, O_RDWR | (resumes ? 0 : O_CREAT), path);
  if (descriptor < 0)
    fail(resumes ? "what was written of it before cannot be opened" : "cannot be written");
  flushed = resumes;  // what is gone on with is never removed
  temporary = std::move(name);
  if (!resumes) remember_file(temporary);
  file = fdopen(descriptor, "r+b");
  if (file == nullptr) ::close(descriptor);
  if (file == nullptr || (!resumes && ftruncate(descriptor, 0) != 0)) fail("cannot be written");
}

// Of the rows that are there, read again; the place behind them is where to go on.
std::uint64_t RowFile::Parts::checksum_of_rows(const std::string& header, std::uint64_t done) {
  const auto too_short = [this] {
    return InputError(temporary,
                      "is shorter than its checkpoint says: start again without --resume");
  };
  std::string bytes(header.size(), '\0');
  if (std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) throw too_short();
  const std::size_t compared =
      header.size() -
      (format == "compact" ? sizeof(std::uint64_t) : 0);  // the checksum is written last
  if (bytes.compare(0, compared, header, 0, compared) != 0)
    throw InputError(temporary,
                     "does not begin as its checkpoint says: start again without --resume");
  std::uint64_t sum = 0;
  for (std::uint64_t row = 0; row < done; ++row) {
    if (format == "text") {
      bytes.clear();
      for (int c = 0; c != '\n'; bytes += static_cast<char>(c))
        if ((c = std::fgetc(file)) == EOF) throw too_short();
    } else {
      bytes.resize(columns * width_of(format, most));
      if (std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) throw too_short();
    }
    sum = mix(sum ^ hash_bytes(bytes.data(), bytes.size()));
  }
  return sum;
}

RowFile::~RowFile() = default;

bool RowFile::has_begun(const std::string& path) {
  return access((link_target(path) + ".partial").c_str(), F_OK) == 0;
}

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
  forget_file(parts_->temporary);
  return parts_->checksum;
}

std::uint64_t RowFile::commit() {
  if (parts_->format == "compact") {
    if (std::fseek(parts_->file, 0, SEEK_SET) != 0) parts_->fail("writing failed");
    parts_->write(
        header_of(parts_->format, parts_->rows, parts_->columns, parts_->most, parts_->checksum));
  }
  parts_->sync();
  if (!rename_durably(parts_->temporary, parts_->target)) parts_->fail("cannot be written");
  forget_file(parts_->temporary);
  parts_->temporary.clear();  // nothing to remove any more
  return parts_->checksum;
}

}  // namespace antipode

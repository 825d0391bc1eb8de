// Distances of many sources in one file, source by source, as .npy, compact binary or text. A
// checksum over all rows lets a later run continue, and lets it detect a file that has changed.
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "graph/hash.hpp"
#include "io/output.hpp"

namespace antipode {

namespace {

constexpr std::string_view kMagic = "antipode rows 1\n";
constexpr std::size_t kNpyHeader = 128;

// How distances are written.
struct Encoding {
  std::string format;
  Length most = 0;
  LengthUnit unit;

  unsigned width() const {  // bytes of a number
    const Length number = most * unit.factor;
    if (format == "npy") return number < 0x7FFFFFFF ? 4 : 8;
    return number < 0xFF ? 1 : number < 0xFFFF ? 2 : number < 0xFFFFFFFF ? 4 : 8;
  }
  template <class Number>
  std::string encode(std::span<const Number> row) const;
};

Encoding encoding_of(std::string_view format, Length most, const LengthUnit& unit) {
  if (format != "text" && most > (kNoPath >> 1) / unit.factor)
    throw UsageError(
        "distances of 2^63 and more in the file's unit are written as text: --to text");
  return {.format = std::string(format), .most = most, .unit = unit};
}

std::string header_of(const Encoding& encoding, std::uint64_t rows, std::uint64_t columns,
                      std::uint64_t checksum) {
  const std::string& format = encoding.format;
  if (format == "npy") {
    std::string text =
        fmt::format("{{'descr': '<i{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                    encoding.width(), rows, columns);
    text.resize(kNpyHeader - 10 - 1, ' ');
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size() + 1) + '\0' + text +
           '\n';
  }
  if (format == "text") return "";
  const std::uint64_t numbers[] = {rows, columns, encoding.width(), checksum};
  return std::string(kMagic) + std::string(reinterpret_cast<const char*>(numbers), sizeof(numbers));
}

// No path: all bits are set, as in kUnreached and in kNoPath.
template <class Packed, class Number>
std::string pack(std::span<const Number> row, std::uint64_t factor) {
  constexpr Number kNone = std::numeric_limits<Number>::max();
  std::string bytes(row.size() * sizeof(Packed), '\0');
  auto* out = bytes.data();
  for (const Number d : row) {
    const Packed number = static_cast<Packed>(d == kNone ? std::numeric_limits<Packed>::max()
                                                         : static_cast<Packed>(d * factor));
    std::memcpy(out, &number, sizeof(number));
    out += sizeof(number);
  }
  return bytes;
}

template <class Number>
std::string Encoding::encode(std::span<const Number> row) const {
  if (format != "text")
    return width() == 1   ? pack<std::uint8_t>(row, unit.factor)
           : width() == 2 ? pack<std::uint16_t>(row, unit.factor)
           : width() == 4 ? pack<std::uint32_t>(row, unit.factor)
                          : pack<std::uint64_t>(row, unit.factor);
  const bool plain = unit == LengthUnit{};
  std::string text;
  for (const Number d : row)
    text += d == std::numeric_limits<Number>::max() ? "inf\t"
            : plain                                 ? fmt::format("{}\t", d)
                                                    : to_text(d, unit) + "\t";
  if (!text.empty()) text.back() = '\n';
  return text;
}

}  // namespace

struct DistanceFile::Parts {
  OutputFile file;
  Encoding encoding;
  std::uint64_t rows, columns;
  std::uint64_t done, checksum;

  void append(const std::string& bytes) {
    file.write(bytes);
    checksum = mix(checksum ^ hash_bytes(bytes.data(), bytes.size()));
    ++done;
  }
  std::uint64_t checksum_of_rows(const std::string& name, const std::string& header,
                                 const DistanceFileProgress& begun);
};

namespace {

// Checked before the file is opened: another name means another program's file.
const DistanceFileProgress& require_own(const std::string& path,
                                        const DistanceFileProgress& begun) {
  if (!begun.file.empty() && !OutputFile::is_name_of_begun(path, begun.file))
    throw InputError(begun.file, "is no file that a run to " + path +
                                     " has begun: start again without --resume");
  return begun;
}

}  // namespace

std::vector<unsigned char> DistanceFileProgress::state() const {
  const std::uint64_t numbers[] = {rows, checksum};
  std::vector<unsigned char> bytes(sizeof(numbers) + file.size());
  std::memcpy(bytes.data(), numbers, sizeof(numbers));
  std::copy(file.begin(), file.end(), bytes.begin() + sizeof(numbers));
  return bytes;
}

DistanceFileProgress DistanceFileProgress::of(std::span<const unsigned char> state,
                                              const std::string& path) {
  std::uint64_t numbers[2] = {};
  const bool is_long = state.size() >= sizeof(numbers);
  if (is_long) std::memcpy(numbers, state.data(), sizeof(numbers));
  const auto name = is_long ? state.subspan(sizeof(numbers)) : state;
  const DistanceFileProgress begun{
      .file = {name.begin(), name.end()}, .rows = numbers[0], .checksum = numbers[1]};
  if (!is_long || begun.file.empty() != (begun.rows == 0))
    throw InputError("the checkpoint",
                     "does not describe these rows: remove it and start again without "
                     "--resume");
  return require_own(path, begun);
}

DistanceFile::DistanceFile(std::string path, std::string_view format, std::uint64_t rows,
                           std::uint64_t columns, Length most, const DistanceFileProgress& begun,
                           const LengthUnit& unit)
    : parts_(new Parts{.file = {path, require_own(path, begun).file},
                       .encoding = encoding_of(format, most, unit),
                       .rows = rows,
                       .columns = columns,
                       .done = begun.rows,
                       .checksum = begun.checksum}) {
  const std::string header = header_of(parts_->encoding, rows, columns, 0);
  if (begun.file.empty()) {
    parts_->file.write(header);
    return;
  }
  const std::string name = OutputFile::place_of(path, begun.file);
  if (parts_->checksum_of_rows(name, header, begun) != begun.checksum)
    throw InputError(name,
                     "is not what its checkpoint describes: another run has written to it, or it "
                     "is damaged; start again without --resume");
  parts_->file.cut();  // rows after the last flush are written again
}

// The checksum of the rows in the file, which are read again. Leaves the stream behind them.
std::uint64_t DistanceFile::Parts::checksum_of_rows(const std::string& name,
                                                    const std::string& header,
                                                    const DistanceFileProgress& begun) {
  std::FILE* const stream = file.stream();
  const auto too_short = [&] {
    return InputError(name, "is shorter than its checkpoint says: start again without --resume");
  };
  std::string bytes(header.size(), '\0');
  if (std::fread(bytes.data(), 1, bytes.size(), stream) != bytes.size()) throw too_short();
  const std::size_t compared =
      header.size() -
      (encoding.format == "compact" ? sizeof(std::uint64_t) : 0);  // the checksum is written last
  if (bytes.compare(0, compared, header, 0, compared) != 0)
    throw InputError(name, "does not begin as its checkpoint says: start again without --resume");
  std::uint64_t sum = 0;
  for (std::uint64_t row = 0; row < done; ++row) {
    if (encoding.format == "text") {
      bytes.clear();
      for (int c = 0; c != '\n'; bytes += static_cast<char>(c))
        if ((c = std::fgetc(stream)) == EOF) throw too_short();
    } else {
      bytes.resize(columns * encoding.width());
      if (std::fread(bytes.data(), 1, bytes.size(), stream) != bytes.size()) throw too_short();
    }
    if (const auto known = begun.known.find(row);
        known != begun.known.end() &&
        encoding.encode(std::span<const Length>(known->second)) != bytes)
      throw InputError(name,
                       "has other distances than a vertex shows when it is searched again: "
                       "start again without --resume");
    sum = mix(sum ^ hash_bytes(bytes.data(), bytes.size()));
  }
  return sum;
}

DistanceFile::~DistanceFile() = default;

std::string DistanceFile::place(const std::string& path, const DistanceFileProgress& begun) {
  return OutputFile::place_of(path, begun.file);
}

bool DistanceFile::is_there(const std::string& path, const DistanceFileProgress& begun) {
  struct stat status {};
  return lstat(place(path, begun).c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::uint64_t DistanceFile::bytes(std::string_view format, std::uint64_t rows,
                                  std::uint64_t columns, Length most, const LengthUnit& unit) {
  const Encoding encoding = encoding_of(format, most, unit);
  const std::size_t decimals = static_cast<std::size_t>(std::max(unit.decimals + unit.halvings, 0));
  const std::uint64_t digits = std::max<std::uint64_t>(to_text(most, unit).size() + decimals, 3) +
                               2 - (decimals == 0 ? 1 : 0),
                      each = format == "text" ? digits : encoding.width();
  constexpr std::uint64_t kTooMany = std::uint64_t{1} << 63;
  if (columns > 0 && rows > kTooMany / columns / each) return kTooMany;
  return header_of(encoding, rows, columns, 0).size() + rows * columns * each;
}

void DistanceFile::append(std::span<const Distance> row) {
  parts_->append(parts_->encoding.encode(row));
}

void DistanceFile::append(std::span<const Length> row) {
  parts_->append(parts_->encoding.encode(row));
}

DistanceFileProgress DistanceFile::flush() {
  return {parts_->file.keep(), parts_->done, parts_->checksum};
}

std::uint64_t DistanceFile::commit() {
  if (parts_->encoding.format == "compact") {
    parts_->file.rewind();
    parts_->file.write(
        header_of(parts_->encoding, parts_->rows, parts_->columns, parts_->checksum));
  }
  parts_->file.commit();
  return parts_->checksum;
}

}  // namespace antipode

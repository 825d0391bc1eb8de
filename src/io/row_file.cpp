// Distances of many sources in one file, source by source, as .npy, compact binary or text. A
// checksum over all rows lets a later run continue, and lets it detect a file that has changed.
#include <sys/stat.h>

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
std::string pack(std::span<const Distance> row) {
  std::string bytes(row.size() * sizeof(Number), '\0');
  auto* out = bytes.data();
  for (const Distance d : row) {
    const Number number = static_cast<Number>(d);  // kUnreached has all bits set
    std::memcpy(out, &number, sizeof(number));
    out += sizeof(number);
  }
  return bytes;
}

std::string encode(std::string_view format, std::span<const Distance> row, Distance most) {
  if (format != "text")
    return width_of(format, most) == 1   ? pack<std::uint8_t>(row)
           : width_of(format, most) == 2 ? pack<std::uint16_t>(row)
                                         : pack<std::uint32_t>(row);
  std::string text;
  for (const Distance d : row) text += d == kUnreached ? "inf\t" : fmt::format("{}\t", d);
  if (!text.empty()) text.back() = '\n';
  return text;
}

}  // namespace

struct DistanceFile::Parts {
  OutputFile file;
  std::string format;
  std::uint64_t rows, columns;
  Distance most;
  std::uint64_t done, checksum;

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
                           std::uint64_t columns, Distance most, const DistanceFileProgress& begun)
    : parts_(new Parts{.file = {path, require_own(path, begun).file},
                       .format = std::string(format),
                       .rows = rows,
                       .columns = columns,
                       .most = most,
                       .done = begun.rows,
                       .checksum = begun.checksum}) {
  const std::string header = header_of(format, rows, columns, most, 0);
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
      (format == "compact" ? sizeof(std::uint64_t) : 0);  // the checksum is written last
  if (bytes.compare(0, compared, header, 0, compared) != 0)
    throw InputError(name, "does not begin as its checkpoint says: start again without --resume");
  std::uint64_t sum = 0;
  for (std::uint64_t row = 0; row < done; ++row) {
    if (format == "text") {
      bytes.clear();
      for (int c = 0; c != '\n'; bytes += static_cast<char>(c))
        if ((c = std::fgetc(stream)) == EOF) throw too_short();
    } else {
      bytes.resize(columns * width_of(format, most));
      if (std::fread(bytes.data(), 1, bytes.size(), stream) != bytes.size()) throw too_short();
    }
    if (const auto known = begun.known.find(row);
        known != begun.known.end() && encode(format, known->second, most) != bytes)
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
                                  std::uint64_t columns, Distance most) {
  const std::uint64_t digits = std::max<std::uint64_t>(fmt::formatted_size("{}", most), 3) + 1,
                      each = format == "text" ? digits : width_of(format, most);
  constexpr std::uint64_t kTooMany = std::uint64_t{1} << 63;
  if (columns > 0 && rows > kTooMany / columns / each) return kTooMany;
  return header_of(format, rows, columns, most, 0).size() + rows * columns * each;
}

void DistanceFile::append(std::span<const Distance> row) {
  const std::string bytes = encode(parts_->format, row, parts_->most);
  parts_->file.write(bytes);
  parts_->checksum = mix(parts_->checksum ^ hash_bytes(bytes.data(), bytes.size()));
  ++parts_->done;
}

DistanceFileProgress DistanceFile::flush() {
  return {parts_->file.keep(), parts_->done, parts_->checksum};
}

std::uint64_t DistanceFile::commit() {
  if (parts_->format == "compact") {
    parts_->file.rewind();
    parts_->file.write(
        header_of(parts_->format, parts_->rows, parts_->columns, parts_->most, parts_->checksum));
  }
  parts_->file.commit();
  return parts_->checksum;
}

}  // namespace antipode

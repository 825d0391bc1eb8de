// Tables as NumPy's .npz: a zip archive, not compressed, with one .npy file for each column. The
// bytes of a column are made twice: for the checksum that comes before them, and to be written. So
// memory does not depend on the number of rows, and the output may be a pipe.
#include <fmt/format.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "antipode/error.hpp"
#include "io/table_parts.hpp"

namespace antipode {

namespace {

using Sink = std::function<void(std::string_view)>;

// What a column is in NumPy: the code of its type, and how many bytes a value has.
struct Kind {
  std::string descr;
  std::size_t width = 8;
};

constexpr std::size_t kPiece = std::size_t{1} << 16;

// Characters of UTF-8; nothing where it is none.
bool count_characters(std::string_view text, std::size_t& count) {
  for (count = 0; !text.empty(); ++count) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::uint32_t code_of(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0);
  std::uint32_t code = byte(0) & (0xFFu >> (character.size() + 1));
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6 | (byte(i) & 0x3Fu);
  return code;
}

bool is_whole(const LengthUnit& unit) { return unit.decimals <= 0 && unit.halvings <= 0; }

Kind kind_of(const Table& table, const Column& column) {
  const Kind whole{.descr = "<i8"}, real{.descr = "<f8"};
  if (const auto* values = std::get_if<std::vector<Vertex>>(&column.values)) {
    for (const Vertex value : *values)
      if (value == kNoVertex) return real;
    return whole;
  }
  if (const auto* values = std::get_if<std::vector<Length>>(&column.values)) {
    constexpr double kMost = 9e18;  // below 2^63
    for (const Length value : *values)
      if (value == kNoPath || !is_whole(table.unit) || to_double(value, table.unit) > kMost)
        return real;
    return whole;
  }
  const auto* labels = std::get_if<LabelColumn>(&column.values);
  if (labels == nullptr) return real;
  if (table.labels.kind() != Labels::Kind::names) return {.descr = "<u8"};
  std::size_t characters = 1, bytes = 1;
  bool is_text = true;
  for (const Vertex v : labels->vertices) {
    const std::string label = table.labels.of(v);
    std::size_t count = 0;
    is_text = is_text && count_characters(label, count);
    characters = std::max(characters, count);
    bytes = std::max(bytes, label.size());
  }
  if (is_text) return {.descr = fmt::format("<U{}", characters), .width = 4 * characters};
  return {.descr = fmt::format("|S{}", bytes), .width = bytes};
}

template <class Number>
void add_number(std::string& bytes, Number number) {
  char raw[sizeof(number)];
  std::memcpy(raw, &number, sizeof(number));
  bytes.append(raw, sizeof(number));
}

void add_whole_or_real(std::string& bytes, const Kind& kind, bool has_value, const auto& whole,
                       const auto& real) {
  if (kind.descr == "<i8")
    add_number(bytes, static_cast<std::int64_t>(whole()));
  else
    add_number(bytes, has_value ? real() : std::numeric_limits<double>::quiet_NaN());
}

void add_label(std::string& bytes, const Kind& kind, const Labels& labels, Vertex v) {
  const std::string label = labels.of(v);
  const std::size_t end = bytes.size() + kind.width;
  if (kind.descr == "<u8") return add_number(bytes, std::uint64_t{std::stoull(label)});
  if (kind.descr[0] == '|') {
    bytes += label;
  } else {
    for (std::string_view rest = label; !rest.empty();) {
      const std::size_t length = character_length(rest);
      add_number(bytes, code_of(rest.substr(0, length)));
      rest.remove_prefix(length);
    }
  }
  bytes.resize(end, '\0');
}

void add_value(std::string& bytes, const Table& table, const Column& column, const Kind& kind,
               std::size_t row) {
  if (const auto* vertices = std::get_if<std::vector<Vertex>>(&column.values)) {
    const Vertex v = (*vertices)[row];
    add_whole_or_real(
        bytes, kind, v != kNoVertex, [&] { return v; }, [&] { return double{1} * v; });
  } else if (const auto* lengths = std::get_if<std::vector<Length>>(&column.values)) {
    const Length length = (*lengths)[row];
    add_whole_or_real(
        bytes, kind, length != kNoPath,
        [&] {
          return table.unit == LengthUnit{} ? length : std::stoull(to_text(length, table.unit));
        },
        [&] { return to_double(length, table.unit); });
  } else if (const auto* reals = std::get_if<std::vector<double>>(&column.values)) {
    add_number(bytes, (*reals)[row]);
  } else {
    add_label(bytes, kind, table.labels, std::get<LabelColumn>(column.values).vertices[row]);
  }
}

// The .npy file of a column: NumPy's header of version 1.0, then the values.
void make_npy(const Table& table, const Column& column, const Kind& kind, const Sink& sink) {
  constexpr std::size_t kHeader = 128;
  const std::size_t rows = table.rows();
  std::string bytes =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", kind.descr, rows);
  bytes.resize(kHeader - 10 - 1, ' ');
  bytes = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(bytes.size() + 1) + '\0' + bytes +
          '\n';
  for (std::size_t row = 0; row < rows; ++row) {
    add_value(bytes, table, column, kind, row);
    if (bytes.size() >= kPiece) {
      sink(bytes);
      bytes.clear();
    }
  }
  sink(bytes);
}

// An entry of the archive. Sizes and places have 64 bits in every archive (zip64), as NumPy's own.
struct Entry {
  std::string name;
  std::uint32_t checksum = 0;
  std::uint64_t size = 0, place = 0;
};

constexpr std::uint16_t kZip64 = 45;  // the version needed
constexpr std::uint32_t kSee64 = 0xFFFFFFFF;

// What the header before a file and the list at the end have in common: from the version needed to
// the length of the name. The date is the first one that there is, so that equal tables are equal.
void add_common(std::string& bytes, const Entry& entry, std::uint16_t extra) {
  constexpr std::uint16_t kUtf8 = 1 << 11, kStored = 0, kTime = 0, kDate = (1 << 5) | 1;
  for (const std::uint16_t number : {kZip64, kUtf8, kStored, kTime, kDate})
    add_number(bytes, number);
  for (const std::uint32_t number : {entry.checksum, kSee64, kSee64}) add_number(bytes, number);
  add_number(bytes, static_cast<std::uint16_t>(entry.name.size()));
  add_number(bytes, extra);
}

std::string local_header(const Entry& entry) {
  std::string bytes("PK\x03\x04");
  add_common(bytes, entry, 20);
  bytes += entry.name;
  add_number(bytes, std::uint16_t{1});
  add_number(bytes, std::uint16_t{16});
  for (const std::uint64_t size : {entry.size, entry.size}) add_number(bytes, size);
  return bytes;
}

std::string listed(const Entry& entry) {
  std::string bytes("PK\x01\x02");
  add_number(bytes, kZip64);  // made by
  add_common(bytes, entry, 28);
  for (int i = 0; i < 3; ++i) add_number(bytes, std::uint16_t{0});  // comment, disk, attributes
  add_number(bytes, std::uint32_t{0});
  add_number(bytes, kSee64);
  bytes += entry.name;
  add_number(bytes, std::uint16_t{1});
  add_number(bytes, std::uint16_t{24});
  for (const std::uint64_t number : {entry.size, entry.size, entry.place})
    add_number(bytes, number);
  return bytes;
}

std::string end_of_list(std::uint64_t entries, std::uint64_t size, std::uint64_t place) {
  std::string bytes("PK\x06\x06");
  add_number(bytes, std::uint64_t{44});  // bytes that follow in this record
  for (int i = 0; i < 2; ++i) add_number(bytes, kZip64);
  for (int i = 0; i < 2; ++i) add_number(bytes, std::uint32_t{0});  // disks
  for (const std::uint64_t number : {entries, entries, size, place}) add_number(bytes, number);
  bytes += "PK\x06\x07";
  add_number(bytes, std::uint32_t{0});
  add_number(bytes, place + size);
  add_number(bytes, std::uint32_t{1});
  bytes += "PK\x05\x06";
  for (int i = 0; i < 4; ++i) add_number(bytes, std::uint16_t{0xFFFF});
  for (int i = 0; i < 2; ++i) add_number(bytes, kSee64);
  add_number(bytes, std::uint16_t{0});
  return bytes;
}

}  // namespace

void write_npz(const Table& table, OutputFile& file) {
  std::uint64_t place = 0;
  const auto put = [&](std::string_view bytes) {
    file.write(bytes);
    place += bytes.size();
  };
  std::string list;
  for (const Column& column : table.columns) {
    const Kind kind = kind_of(table, column);
    Entry entry{.name = column.name + ".npy", .checksum = 0, .size = 0, .place = place};
    make_npy(table, column, kind, [&](std::string_view bytes) {
      entry.checksum = static_cast<std::uint32_t>(
          crc32(entry.checksum, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uInt>(bytes.size())));
      entry.size += bytes.size();
    });
    put(local_header(entry));
    make_npy(table, column, kind, put);
    list += listed(entry);
  }
  const std::uint64_t list_place = place, list_size = list.size();
  put(list);
  put(end_of_list(table.columns.size(), list_size, list_place));
}

}  // namespace antipode

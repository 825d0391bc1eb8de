#include "arrow_columns.hpp"

#include <cstring>
#include <limits>

#include "antipode/error.hpp"

namespace antipode::python {

namespace {

constexpr std::string_view kWholeFormats = "cCsSiIlL", kFloatFormats = "fg";

bool is_text(std::string_view format) { return format == "u" || format == "U" || format == "vu"; }

template <class Value>
const Value* buffer(const ArrowArray& array, std::int64_t which) {
  return static_cast<const Value*>(array.buffers[which]);
}

}  // namespace

ArrowColumn::ArrowColumn(const ArrowSchema& schema) : schema_(schema), format_(schema.format) {
  const std::string_view values =
      schema.dictionary != nullptr ? schema.dictionary->format : schema.format;
  const bool is_one = values.size() == 1;
  if (is_text(values))
    kind_ = Kind::text;
  else if (is_one && kFloatFormats.find(values[0]) != std::string_view::npos)
    kind_ = Kind::floating;
  else if (values == "n")
    return;  // nothing has a value: good for tables without rows
  else if (!is_one || kWholeFormats.find(values[0]) == std::string_view::npos)
    throw UsageError("column '" + std::string(name_of(schema)) +
                     "' has values of Arrow's format '" + std::string(values) +
                     "': whole numbers, floats and text are read");
}

void ArrowColumn::append(const ArrowArray& array, std::int64_t offset, std::int64_t length) {
  if (length == 0) return;
  refuse_missing(array, offset, length);
  if (schema_.dictionary != nullptr) return append_encoded(array, offset, length);
  offset += array.offset;
  if (format_ == "u") return append_texts<std::int32_t>(array, offset, length);
  if (format_ == "U") return append_texts<std::int64_t>(array, offset, length);
  if (format_ == "vu") return append_views(array, offset, length);
  switch (format_[0]) {
    case 'c':
      return append_numbers<std::int8_t>(array, offset, length);
    case 'C':
      return append_numbers<std::uint8_t>(array, offset, length);
    case 's':
      return append_numbers<std::int16_t>(array, offset, length);
    case 'S':
      return append_numbers<std::uint16_t>(array, offset, length);
    case 'i':
      return append_numbers<std::int32_t>(array, offset, length);
    case 'I':
      return append_numbers<std::uint32_t>(array, offset, length);
    case 'l':
      return append_numbers<std::int64_t>(array, offset, length);
    case 'L':
      return append_numbers<std::uint64_t>(array, offset, length);
    case 'f':
      return append_numbers<float>(array, offset, length);
    default:
      return append_numbers<double>(array, offset, length);
  }
}

void ArrowColumn::refuse_missing(const ArrowArray& array, std::int64_t offset,
                                 std::int64_t length) const {
  const bool has_none = format_ == "n";
  if (!has_none && (array.null_count == 0 || array.buffers[0] == nullptr)) return;
  const auto* const there = has_none ? nullptr : buffer<std::uint8_t>(array, 0);
  for (std::int64_t i = 0; i < length; ++i) {
    const std::int64_t bit = array.offset + offset + i;
    if (has_none || (there[bit / 8] >> (bit % 8) & 1) == 0)
      throw UsageError("column '" + std::string(name_of(schema_)) + "' has no value in row " +
                       std::to_string(rows() + static_cast<std::size_t>(i)));
  }
}

template <class Number>
void ArrowColumn::append_numbers(const ArrowArray& array, std::int64_t offset,
                                 std::int64_t length) {
  const Number* const values = buffer<Number>(array, 1) + offset;
  if (kind_ == Kind::floating) {
    floating_.insert(floating_.end(), values, values + length);
    return;
  }
  if constexpr (sizeof(Number) == sizeof(std::uint64_t) && !std::numeric_limits<Number>::is_signed)
    for (std::int64_t i = 0; i < length; ++i)
      if (values[i] > static_cast<Number>(std::numeric_limits<std::int64_t>::max()))
        throw UsageError("column '" + std::string(name_of(schema_)) +
                         "' has a number of 2^63 or more");
  for (std::int64_t i = 0; i < length; ++i) whole_.push_back(static_cast<std::int64_t>(values[i]));
}

void ArrowColumn::append_text(std::string_view text) {
  auto place = places_.find(text);
  if (place == places_.end()) {
    place = places_.emplace(std::string(text), static_cast<std::int64_t>(names_.size())).first;
    names_.emplace_back(text);
  }
  whole_.push_back(place->second);
}

template <class Offset>
void ArrowColumn::append_texts(const ArrowArray& array, std::int64_t offset, std::int64_t length) {
  const Offset* const ends = buffer<Offset>(array, 1) + offset;
  const char* const text = buffer<char>(array, 2);
  for (std::int64_t i = 0; i < length; ++i)
    append_text({text + ends[i], static_cast<std::size_t>(ends[i + 1] - ends[i])});
}

// A view: its length; then up to 12 bytes of text, or 4 of them, and where all of it is.
void ArrowColumn::append_views(const ArrowArray& array, std::int64_t offset, std::int64_t length) {
  struct View {
    std::int32_t length;
    char text[4];
    std::int32_t which, begin;
  };
  static_assert(sizeof(View) == 16);
  constexpr std::int32_t kInline = 12;
  const auto* const views = buffer<char>(array, 1) + offset * 16;
  for (std::int64_t i = 0; i < length; ++i) {
    View view;
    std::memcpy(&view, views + i * 16, sizeof(view));
    const char* const text = view.length <= kInline
                                 ? views + i * 16 + 4
                                 : buffer<char>(array, 2 + view.which) + view.begin;
    append_text({text, static_cast<std::size_t>(view.length)});
  }
}

// Values by their positions in a dictionary, which every array brings along.
void ArrowColumn::append_encoded(const ArrowArray& array, std::int64_t offset,
                                 std::int64_t length) {
  ArrowSchema of_positions = schema_;
  of_positions.dictionary = nullptr;
  ArrowColumn positions(of_positions);
  positions.append(array, offset, length);
  ArrowColumn values(*schema_.dictionary);
  values.append(*array.dictionary, 0, array.dictionary->length);
  for (const std::int64_t at : positions.whole_) {
    const auto place = static_cast<std::size_t>(at);
    if (kind_ == Kind::floating)
      floating_.push_back(values.floating_.at(place));
    else if (kind_ == Kind::whole)
      whole_.push_back(values.whole_.at(place));
    else
      append_text(values.names_[static_cast<std::size_t>(values.whole_.at(place))]);
  }
}

}  // namespace antipode::python

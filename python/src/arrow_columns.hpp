// Columns of Arrow arrays as vectors: whole numbers, floats, or text as positions in a list of
// distinct names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arrow_abi.hpp"

namespace antipode::python {

// Columns need not have one.
inline std::string_view name_of(const ArrowSchema& schema) {
  return schema.name != nullptr ? schema.name : std::string_view();
}

class ArrowColumn {
 public:
  // UsageError for values of another kind. The schema must stay.
  explicit ArrowColumn(const ArrowSchema& schema);

  // The values of one more array; UsageError where one is missing. `offset` and `length`: of the
  // rows that count.
  void append(const ArrowArray& array, std::int64_t offset, std::int64_t length);

  enum class Kind { whole, floating, text };
  Kind kind() const { return kind_; }
  std::vector<std::int64_t>& whole() { return whole_; }  // text: positions in names()
  std::vector<double>& floating() { return floating_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  void refuse_missing(const ArrowArray& array, std::int64_t offset, std::int64_t length) const;
  template <class Number>
  void append_numbers(const ArrowArray& array, std::int64_t offset, std::int64_t length);
  template <class Offset>
  void append_texts(const ArrowArray& array, std::int64_t offset, std::int64_t length);
  void append_views(const ArrowArray& array, std::int64_t offset, std::int64_t length);
  void append_encoded(const ArrowArray& array, std::int64_t offset, std::int64_t length);
  void append_text(std::string_view text);
  std::size_t rows() const { return kind_ == Kind::floating ? floating_.size() : whole_.size(); }

  const ArrowSchema& schema_;
  std::string format_;
  Kind kind_ = Kind::whole;
  std::vector<std::int64_t> whole_;
  std::vector<double> floating_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> places_;
};

}  // namespace antipode::python

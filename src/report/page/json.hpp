// The numbers of a page as JSON inside HTML, without a library: the page is also part of builds
// that have none. Text is escaped so that nothing in it can end the element it stands in.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace antipode::page {

class Json {
 public:
  Json() : text_("null") {}
  Json(double value);  // what is no finite number becomes null
  Json(std::same_as<bool> auto value) : text_(value ? "true" : "false") {}
  template <std::integral Number>
  requires(!std::same_as<Number, bool>) Json(Number value) : text_(std::to_string(value)) {}
  Json(std::string_view text);  // control characters and bytes that are no UTF-8 as \xNN
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  template <class Value>
  Json(const std::optional<Value>& value) : Json(value ? Json(*value) : Json()) {}
  template <class Value>
  Json(const std::vector<Value>& values) : text_("[") {
    for (const Value& each : values) text_ += (text_.size() > 1 ? "," : "") + Json(each).text_;
    text_ += ']';
  }

  using Field = std::pair<std::string_view, Json>;
  static Json object(std::initializer_list<Field> fields);
  static Json array(std::initializer_list<Json> values) { return std::vector<Json>(values); }
  Json& add(std::string_view name, const Json& value);  // to an object

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Six digits: for what is drawn, not read.
Json rounded(double value);

// For text between tags and in attributes.
std::string escape_html(std::string_view text);

// The text, or its first `most` bytes and an ellipsis.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace antipode::page

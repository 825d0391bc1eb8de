#include "report/page/json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "antipode/error.hpp"

namespace antipode::page {

Json::Json(double value) : text_(std::isfinite(value) ? fmt::format("{}", value) : "null") {}

// '<' would begin a tag or a comment; the line separators end a line of a script in old browsers.
Json::Json(std::string_view text) : text_("\"") {
  for (const char byte : printable(text)) {
    if (byte == '"' || byte == '\\')
      text_ += '\\', text_ += byte;
    else if (byte == '<' || byte == '>' || byte == '&')
      text_ += fmt::format("\\u{:04x}", static_cast<unsigned char>(byte));
    else
      text_ += byte;
  }
  text_ += '"';
}

Json Json::object(std::initializer_list<Field> fields) {
  Json result;
  result.text_ = "{}";
  for (const auto& [name, value] : fields) result.add(name, value);
  return result;
}

Json& Json::add(std::string_view name, const Json& value) {
  text_.pop_back();
  text_ += fmt::format("{}\"{}\":{}}}", text_.size() > 1 ? "," : "", name, value.text_);
  return *this;
}

Json rounded(double value) {
  if (!std::isfinite(value)) return {};
  return std::stod(fmt::format("{:.6g}", value));
}

std::string escape_html(std::string_view text) {
  std::string result;
  for (const char byte : printable(text)) switch (byte) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += byte;
    }
  return result;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = 0;
  while (end < most) end += std::max<std::size_t>(1, character_length(text.substr(end)));
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace antipode::page

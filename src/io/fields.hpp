// The fields of a line of comma-separated values: quoted ones without quotes, others without
// surrounding blanks.
#pragma once

#include <string>
#include <string_view>

#include "io/tokens.hpp"

namespace antipode {

class Fields {
 public:
  // With ' ' any run of blanks separates.
  Fields(std::string_view line, char separator) : rest_(line), separator_(separator) {}

  // Advances to the next field; false at the end of the line. An unclosed quote is a Fault.
  bool next() {
    if (ended_) return false;
    skip_blanks();
    if (separator_ == ' ' && rest_.empty()) return false;
    at_ = rest_.data();
    if (rest_.starts_with('"')) {
      take_quoted();
    } else {
      take_plain();
    }
    return true;
  }
  std::string_view field() const { return field_; }
  const char* at() const { return at_; }  // where the field begins in the line

 private:
  bool is_padding(char c) const { return is_blank(c) && c != separator_; }
  bool separates(char c) const { return separator_ == ' ' ? is_blank(c) : c == separator_; }
  void skip_blanks() {
    while (!rest_.empty() &&
           (is_padding(rest_.front()) || (separator_ == ' ' && is_blank(rest_.front()))))
      rest_.remove_prefix(1);
  }
  void end_at(std::size_t length) {
    ended_ = length == rest_.size();
    rest_.remove_prefix(ended_ ? length : length + 1);
  }
  void take_plain() {
    std::size_t length = 0;
    while (length < rest_.size() && !separates(rest_[length])) ++length;
    field_ = rest_.substr(0, length);
    while (!field_.empty() && is_padding(field_.back())) field_.remove_suffix(1);
    end_at(length);
  }
  void take_quoted() {
    std::size_t end = rest_.find('"', 1);
    if (end != std::string_view::npos && !rest_.substr(end + 1).starts_with('"')) {
      field_ = rest_.substr(1, end - 1);
    } else {
      end = unescape();
      field_ = unescaped_;
    }
    rest_.remove_prefix(end + 1);
    std::size_t length = 0;
    while (length < rest_.size() && is_padding(rest_[length])) ++length;
    if (length < rest_.size() && !separates(rest_[length]))
      throw Fault{at_, "text follows the closing quote of a name"};
    end_at(length);
  }
  // Copies a quoted field with "" replaced by a quote; returns the position of the closing quote.
  std::size_t unescape() {
    unescaped_.clear();
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] != '"') {
        unescaped_ += rest_[i];
      } else if (i + 1 < rest_.size() && rest_[i + 1] == '"') {
        unescaped_ += rest_[i++];
      } else {
        return i;
      }
    }
    throw Fault{at_, "a quoted name is not closed on its line"};
  }

  std::string_view rest_, field_;
  std::string unescaped_;
  char separator_;
  const char* at_ = nullptr;
  bool ended_ = false;
};

}  // namespace antipode

// Reads certificates strictly: every field is there once, is of its type and range, and means
// something.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "report/common.hpp"

namespace antipode::report {

struct NoCertificate {
  std::string why;
};

// Fields of an object, each required and of the right type, and no other.
class Fields {
 public:
  Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) throw NoCertificate{where_ + " is no object"};
  }
  const Json& at(const char* key) {
    ++used_;
    const auto found = object_.find(key);
    if (found == object_.end())
      throw NoCertificate{fmt::format("{} has no field '{}'", where_, key)};
    return *found;
  }
  template <class Number>
  Number number(const char* key) {
    return checked_number<Number>(at(key), key);
  }
  std::string text(const char* key) {
    const Json& value = at(key);
    if (!value.is_string()) throw NoCertificate{fmt::format("'{}' is no text", key)};
    return value.get<std::string>();
  }
  std::vector<std::string> texts(const char* key) {
    const Json& list = at(key);
    std::vector<std::string> result;
    if (!list.is_array()) throw NoCertificate{fmt::format("'{}' is no list", key)};
    for (const Json& item : list) {
      if (!item.is_string())
        throw NoCertificate{fmt::format("'{}' holds something that is no text", key)};
      result.push_back(item.get<std::string>());
    }
    return result;
  }
  template <class Number>
  std::vector<Number> numbers(const char* key) {
    const Json& list = at(key);
    std::vector<Number> result;
    if (!list.is_array()) throw NoCertificate{fmt::format("'{}' is no list", key)};
    for (const Json& item : list) result.push_back(checked_number<Number>(item, key));
    return result;
  }
  void finish() const {
    if (used_ != object_.size()) throw NoCertificate{where_ + " has fields that mean nothing"};
  }

 private:
  template <class Number>
  static Number checked_number(const Json& value, const char* key) {
    if (!value.is_number_unsigned() ||
        value.get<std::uint64_t>() > std::numeric_limits<Number>::max())
      throw NoCertificate{fmt::format("'{}' is no number of its range", key)};
    return static_cast<Number>(value.get<std::uint64_t>());
  }

  const Json& object_;
  std::string where_;
  std::size_t used_ = 0;
};

// Asked while a text is parsed: refuses a key that an object has already (JSON's readers differ on
// which one counts), more keys than a certificate has, and lists in lists without end.
class Plain {
 public:
  explicit Plain(const std::function<void()>& pause) : pause_(pause) {}
  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    constexpr int kDeepest = 16;
    constexpr std::size_t kFields = 32;  // more than any object of a certificate has
    constexpr std::uint64_t kBetween = 1 << 16;
    if (++events_ % kBetween == 0 && pause_) pause_();
    if (depth > kDeepest)
      throw NoCertificate{fmt::format("it is nested more than {} deep", kDeepest)};
    const auto level = static_cast<std::size_t>(depth);
    if (event == Json::parse_event_t::object_start) {
      keys_.resize(level + 2);
      keys_[level + 1].clear();
    } else if (event == Json::parse_event_t::key) {
      if (!keys_[level].insert(parsed.get<std::string>()).second)
        throw NoCertificate{
            fmt::format("an object has the field '{}' twice", parsed.get<std::string>())};
      if (keys_[level].size() > kFields) throw NoCertificate{"an object has too many fields"};
    }
    return true;
  }

 private:
  const std::function<void()>& pause_;
  std::uint64_t events_ = 0;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open, by their depth
};

inline std::uint64_t number_from_hex(const std::string& text, const char* key) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc{} || end != text.data() + text.size() || text.size() != 16)
    throw NoCertificate{fmt::format("the {} is not 16 hexadecimal digits", key)};
  return number;
}

inline Question question_from(const std::string& name) {
  for (const Question each : {Question::diameter, Question::radius, Question::center,
                              Question::periphery, Question::eccentricity})
    if (question_name(each) == name) return each;
  throw NoCertificate{"unknown question '" + name + "'"};
}

// 'graph' of a certificate.
inline Fingerprint fingerprint_from(const Json& json) {
  Fields graph(json, "'graph'");
  const auto order = graph.number<Vertex>("vertices");
  const auto size = graph.number<EdgeOffset>("edges");
  const Fingerprint result{order, size, number_from_hex(graph.text("hash"), "hash")};
  graph.finish();
  return result;
}

inline Json to_json(const Fingerprint& graph) {
  return {{"vertices", graph.order},
          {"edges", graph.size},
          {"hash", fmt::format("{:016x}", graph.hash)}};
}

inline constexpr std::string_view kPathCertificateSchema = "antipode-path-certificate/1";
PathCertificate path_certificate_from(const Json& json);

}  // namespace antipode::report

// Numbers for names in the order in which they occur, and the labels that names make.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

bool is_utf8(std::string_view text);

class Dictionary {
 public:
  // The number of this name; a new one if it is new. A name that is not UTF-8 is a Fault, since
  // answers are UTF-8.
  Vertex id(std::string_view name);
  const std::vector<std::string>& names() const { return names_; }

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  std::unordered_map<std::string, Vertex, TextHash, std::equal_to<>> ids_;
  std::vector<std::string> names_;
};

// Number labels if all names are whole numbers in their usual form, so that the format makes no
// difference; else text labels.
Labels labels_of(const std::vector<std::string>& names);

}  // namespace antipode

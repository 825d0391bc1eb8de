// The text after "gen:": a kind and its parameters, each read once, with defaults. A parameter that
// the kind does not read is an error.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "antipode/graph.hpp"

namespace antipode {

struct LengthRange {
  Length least = 1, most = 1;
};

class GeneratorSpec {
 public:
  explicit GeneratorSpec(std::string_view text);

  const std::string& kind() const { return kind_; }
  bool has(const std::string& key) const { return values_.contains(key); }
  std::uint64_t integer(const std::string& key, std::uint64_t fallback, std::uint64_t least,
                        std::uint64_t most);
  double real(const std::string& key, double fallback, double least, double most);
  std::uint64_t seed() { return integer("seed", 1, 0, ~std::uint64_t{0}); }
  Vertex order(const std::string& key, Vertex fallback);
  std::optional<LengthRange> lengths();  // lengths=LEAST..MOST
  bool directed();                       // a key without a value
  void refuse_unread() const;

 private:
  [[noreturn]] void refuse(const std::string& why) const;

  std::string kind_;
  std::map<std::string, std::string> values_;
  std::set<std::string> read_;
};

// Refuses a request whose edges would not fit any machine, before anything is allocated.
void refuse_too_many_edges(const std::string& kind, double edges);

}  // namespace antipode

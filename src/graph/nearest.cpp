#include "graph/nearest.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace antipode {

namespace {

// Insertions, deletions, other letters and swapped neighbours that lead from one word to the other.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last, now(b.size() + 1);
  std::iota(now.begin(), now.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, now);
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool is_same = a[i - 1] == b[j - 1];
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (is_same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
  }
  return now.back();
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known) {
  constexpr std::size_t kLongest = 64;  // nothing that is known is nearly as long
  if (word.size() > kLongest) return {};
  std::size_t least = 1 + word.size() / 4;
  std::string_view best;
  for (const std::string_view each : known)
    if (const std::size_t edits = edits_between(word, each);
        edits <= least && edits < std::max(word.size(), each.size()))
      least = edits - std::min<std::size_t>(edits, 1), best = each;
  return best.empty() ? "" : "; did you mean " + std::string(best) + "?";
}

}  // namespace antipode

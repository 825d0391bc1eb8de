// Writes graphs as BVGraphs, in every coding, with choices that no real writer would make. Bits are
// the characters '0' and '1': slow and plain, and nothing is shared with the reader.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace antipode::testing {

using ArcLists = std::vector<std::vector<std::uint64_t>>;  // sorted

inline std::string binary(std::uint64_t number, std::size_t width) {
  std::string bits(width, '0');
  for (std::size_t i = 0; i < width; ++i)
    if ((number >> (width - 1 - i) & 1) != 0) bits[i] = '1';
  return bits;
}
inline std::size_t width_of(std::uint64_t number) {
  std::size_t width = 0;
  for (; number > 0; number /= 2) ++width;
  return width;
}
inline std::string unary_code(std::uint64_t number) { return std::string(number, '0') + "1"; }
inline std::string gamma_code(std::uint64_t number) {
  const std::size_t width = width_of(number + 1);
  return std::string(width - 1, '0') + binary(number + 1, width);
}
inline std::string delta_code(std::uint64_t number) {
  const std::size_t width = width_of(number + 1);
  return gamma_code(width - 1) + binary(number + 1, width).substr(1);
}
// One of `count` numbers: some of them with one bit less.
inline std::string truncated_code(std::uint64_t number, std::uint64_t count) {
  const std::size_t width = width_of(count - 1);
  const std::uint64_t shorter = (std::uint64_t{1} << width) - count;
  return number < shorter ? binary(number, width - 1) : binary(number + shorter, width);
}
inline std::string golomb_code(std::uint64_t number, std::uint64_t k) {
  return unary_code(number / k) + truncated_code(number % k, k);
}
inline std::string zeta_code(std::uint64_t number, std::uint64_t k) {
  std::uint64_t steps = 0, least = 1;
  for (; number + 1 >= least << k; least <<= k) ++steps;
  return unary_code(steps) + truncated_code(number + 1 - least, (least << k) - least);
}
inline std::string nibble_code(std::uint64_t number) {
  std::string bits;
  for (bool last = true; last || number > 0; last = false, number /= 8)
    bits = (last ? "1" : "0") + binary(number % 8, 3) + bits;
  return bits;
}

struct BvStyle {
  std::string degrees = "GAMMA", references = "UNARY", block_counts = "GAMMA", blocks = "GAMMA",
              residuals = "ZETA", offsets = "GAMMA";
  std::uint64_t window = 7, longest_chain = 3, min_interval = 4, k = 3;

  std::string code(const std::string& coding, std::uint64_t number) const {
    if (coding == "UNARY") return unary_code(number);
    if (coding == "GAMMA") return gamma_code(number);
    if (coding == "DELTA") return delta_code(number);
    if (coding == "GOLOMB") return golomb_code(number, k);
    if (coding == "NIBBLE") return nibble_code(number);
    return zeta_code(number, k);
  }
  std::string properties(std::uint64_t nodes, std::uint64_t arcs) const {
    return "#BVGraph properties\nversion=0\ngraphclass=it.unimi.dsi.webgraph.BVGraph\nnodes=" +
           std::to_string(nodes) + "\narcs=" + std::to_string(arcs) +
           "\nwindowsize=" + std::to_string(window) +
           "\nmaxrefcount=" + std::to_string(longest_chain) +
           "\nminintervallength=" + std::to_string(min_interval) + "\nzetak=" + std::to_string(k) +
           "\ncompressionflags=OUTDEGREES_" + degrees + "|REFERENCES_" + references +
           "|BLOCK_COUNT_" + block_counts + "|BLOCKS_" + blocks + "|RESIDUALS_" + residuals +
           "|OFFSETS_" + offsets + "\n";
  }
  static BvStyle any(std::mt19937_64& random) {
    const auto of = [&](std::vector<std::string> codings) {
      return codings[random() % codings.size()];
    };
    BvStyle style;
    style.degrees = of({"GAMMA", "DELTA"});
    style.references = of({"UNARY", "GAMMA", "DELTA"});
    style.block_counts = of({"UNARY", "GAMMA", "DELTA"});
    style.blocks = of({"UNARY", "GAMMA", "DELTA"});
    style.residuals = of({"GAMMA", "DELTA", "GOLOMB", "ZETA", "NIBBLE"});
    style.offsets = of({"GAMMA", "DELTA"});
    style.window = random() % 9;
    style.longest_chain = random() % 3 == 0 ? 1 << 30 : 1 + random() % 4;
    style.min_interval = random() % 6;
    style.k = 1 + random() % 9;
    return style;
  }
};

inline std::string packed_bits(const std::string& bits, std::size_t padding = 0) {
  std::string bytes((bits.size() + 7) / 8 + padding, '\0');
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[i] == '1') bytes[i / 8] = static_cast<char>(bytes[i / 8] | (128 >> (i % 8)));
  return bytes;
}

struct WrittenBvGraph {
  std::string properties, graph, offsets;
};

class BvWriter {
 public:
  BvWriter(const ArcLists& lists, const BvStyle& style, std::mt19937_64& random)
      : lists_(lists), style_(style), random_(random), depth_(lists.size(), 0) {}

  WrittenBvGraph run(std::size_t padding = 0) {
    std::string stream, offsets = style_.code(style_.offsets, 0);
    std::uint64_t arcs = 0;
    for (std::size_t node = 0; node < lists_.size(); ++node) {
      const std::string bits = record(node);
      stream += bits;
      offsets += style_.code(style_.offsets, bits.size());
      arcs += lists_[node].size();
    }
    return {style_.properties(lists_.size(), arcs), packed_bits(stream, padding),
            packed_bits(offsets, padding)};
  }

 private:
  std::string record(std::size_t node) {
    std::vector<std::uint64_t> rest = lists_[node];
    std::string bits = style_.code(style_.degrees, rest.size());
    if (rest.empty()) return bits;
    if (style_.window > 0) {
      const std::uint64_t back = reference(node);
      bits += style_.code(style_.references, back);
      if (back > 0) bits += blocks(lists_[node - back], rest);
    }
    if (!rest.empty() && style_.min_interval > 0) bits += intervals(node, rest);
    for (std::size_t i = 0; i < rest.size(); ++i)
      bits += style_.code(style_.residuals,
                          i == 0 ? relative(node, rest[0]) : rest[i] - rest[i - 1] - 1);
    return bits;
  }

  static std::uint64_t relative(std::uint64_t node, std::uint64_t to) {
    return to >= node ? 2 * (to - node) : 2 * (node - to) - 1;
  }

  std::uint64_t reference(std::size_t node) {
    const std::uint64_t back = random_() % (std::min<std::uint64_t>(style_.window, node) + 1);
    if (back == 0 || depth_[node - back] >= style_.longest_chain) return 0;
    depth_[node] = depth_[node - back] + 1;
    return back;
  }

  // Takes from `rest` what is in `from`, too.
  std::string blocks(const std::vector<std::uint64_t>& from, std::vector<std::uint64_t>& rest) {
    std::vector<std::uint64_t> runs{0};
    for (const std::uint64_t to : from) {
      const auto at = std::find(rest.begin(), rest.end(), to);
      const bool copied = at != rest.end();
      if (copied != (runs.size() % 2 == 1)) runs.push_back(0);
      ++runs.back();
      if (copied) rest.erase(at);
    }
    runs.pop_back();  // the last one follows from the others
    std::string bits = style_.code(style_.block_counts, runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
      bits += style_.code(style_.blocks, i == 0 ? runs[i] : runs[i] - 1);
    return bits;
  }

  // Takes some runs of consecutive nodes from `rest`.
  std::string intervals(std::size_t node, std::vector<std::uint64_t>& rest) {
    std::string bits;
    std::vector<std::uint64_t> kept;
    std::uint64_t count = 0, after = 0;
    for (std::size_t i = 0, end = 0; i < rest.size(); i = end) {
      for (end = i + 1; end < rest.size() && rest[end] == rest[end - 1] + 1;) ++end;
      if (end - i < style_.min_interval || random_() % 4 == 0) {
        kept.insert(kept.end(), rest.begin() + static_cast<std::ptrdiff_t>(i),
                    rest.begin() + static_cast<std::ptrdiff_t>(end));
        continue;
      }
      bits += gamma_code(count++ == 0 ? relative(node, rest[i]) : rest[i] - after - 1) +
              gamma_code(end - i - style_.min_interval);
      after = rest[end - 1] + 1;
    }
    rest = kept;
    return gamma_code(count) + bits;
  }

  const ArcLists& lists_;
  const BvStyle& style_;
  std::mt19937_64& random_;
  std::vector<std::uint64_t> depth_;  // of each node's chain of references
};

inline WrittenBvGraph as_bvgraph(const ArcLists& lists, const BvStyle& style = {},
                                 std::uint64_t seed = 1, std::size_t padding = 0) {
  std::mt19937_64 random(seed);
  return BvWriter(lists, style, random).run(padding);
}

}  // namespace antipode::testing

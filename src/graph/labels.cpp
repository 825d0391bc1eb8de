// Labels: what a file calls its vertices.
#include <algorithm>
#include <charconv>

#include "antipode/graph.hpp"
#include "graph/hash.hpp"

namespace antipode {

Labels Labels::sequential(std::uint64_t first, Vertex count) {
  Labels labels;
  labels.count_ = count;
  labels.first_ = first;
  return labels;
}

Labels Labels::integers(std::shared_ptr<const void> owner, std::span<const std::uint64_t> values) {
  Labels labels;
  labels.kind_ = Kind::integers;
  labels.count_ = static_cast<Vertex>(values.size());
  labels.values_ = values;
  labels.owner_ = std::move(owner);
  return labels;
}

Labels Labels::integers(std::vector<std::uint64_t> values) {
  auto owner = std::make_shared<const std::vector<std::uint64_t>>(std::move(values));
  return integers(owner, std::span(*owner));
}

Labels Labels::names(std::shared_ptr<const void> owner, std::span<const std::uint64_t> ends,
                     std::string_view text) {
  Labels labels = integers(std::move(owner), ends);
  labels.kind_ = Kind::names;
  labels.text_ = text;
  return labels;
}

Labels Labels::names(const std::vector<std::string>& names) {
  struct Store {
    std::vector<std::uint64_t> ends;
    std::string text;
  };
  auto store = std::make_shared<Store>();
  for (const auto& name : names) {
    store->text += name;
    store->ends.push_back(store->text.size());
  }
  return Labels::names(store, std::span(store->ends), store->text);
}

std::string_view Labels::name(Vertex v) const {
  const std::uint64_t begin = v == 0 ? 0 : values_[v - 1];
  return text_.substr(begin, values_[v] - begin);
}

std::string Labels::of(Vertex v) const {
  switch (kind_) {
    case Kind::sequential:
      return std::to_string(first_ + v);
    case Kind::integers:
      return std::to_string(values_[v]);
    case Kind::names:
      return std::string(name(v));
  }
  return {};
}

std::uint64_t Labels::hash(Vertex v) const {
  switch (kind_) {
    case Kind::sequential:
      return mix(first_ + v);
    case Kind::integers:
      return mix(values_[v]);
    case Kind::names:
      return hash_text(name(v));
  }
  return 0;
}

bool Labels::is_before(Vertex a, Vertex b) const {
  switch (kind_) {
    case Kind::sequential:
      return a < b;
    case Kind::integers:
      return values_[a] < values_[b];
    case Kind::names:
      return name(a).size() != name(b).size() ? name(a).size() < name(b).size() : name(a) < name(b);
  }
  return false;
}

Vertex Labels::find(std::string_view label) const {
  if (kind_ == Kind::names) {
    for (Vertex v = 0; v < count_; ++v)
      if (name(v) == label) return v;
    return kNoVertex;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), value);
  if (error != std::errc{} || end != label.data() + label.size()) return kNoVertex;
  if (kind_ == Kind::sequential) {
    return value >= first_ && value - first_ < count_ ? static_cast<Vertex>(value - first_)
                                                      : kNoVertex;
  }
  const auto found = std::find(values_.begin(), values_.end(), value);
  return found == values_.end() ? kNoVertex : static_cast<Vertex>(found - values_.begin());
}

}  // namespace antipode

#include "cli/two_phases.hpp"

#include <cstring>

#include "antipode/error.hpp"

namespace antipode::cli {

namespace {

enum Phase : unsigned char { kFirst = 1, kSecond = 2 };

template <class T>
void put(std::vector<unsigned char>& bytes, std::span<const T> values) {
  const auto* begin = reinterpret_cast<const unsigned char*>(values.data());
  bytes.insert(bytes.end(), begin, begin + values.size_bytes());
}

template <class T>
std::span<const unsigned char> take(std::span<const unsigned char> bytes, std::span<T> values) {
  if (bytes.size() < values.size_bytes())
    throw InputError("the checkpoint", "is shorter than the answer it is about");
  std::memcpy(values.data(), bytes.data(), values.size_bytes());
  return bytes.subspan(values.size_bytes());
}

}  // namespace

TwoPhases::TwoPhases(CheckpointStore& file, Vertex order) : file_(file), first_bytes_{kFirst} {
  const std::vector<unsigned char> state = file.load();
  if (state.empty()) return;
  if (state.front() != kFirst && state.front() != kSecond)
    throw InputError("the checkpoint", "is not about eccentricities along and against arcs");
  const auto rest = std::span(state).subspan(1);
  if (state.front() == kFirst)
    loaded_.assign(rest.begin(), rest.end());
  else
    read_first(rest, order);
}

void TwoPhases::read_first(std::span<const unsigned char> bytes, Vertex order) {
  PathEccentricities found;
  found.lower.resize(order);
  found.reached.resize(order);
  found.exact = true;
  const std::size_t before = bytes.size();
  const auto whole = bytes;
  bytes = take(bytes, std::span(&found.searches, 1));
  bytes = take(bytes, std::span(found.lower));
  bytes = take(bytes, std::span(found.reached));
  for (Vertex v = 0; v < order; ++v)
    if (found.lower[v] > (kNoPath >> 1) || found.reached[v] == 0 || found.reached[v] > order)
      throw InputError("the checkpoint", "has eccentricities that no graph has");
  found.upper = found.lower;
  first_bytes_ = {kSecond};
  put(first_bytes_, whole.first(before - bytes.size()));
  loaded_.assign(bytes.begin(), bytes.end());
  first_ = std::move(found);
}

void TwoPhases::finish_first(PathEccentricities found) {
  first_bytes_ = {kSecond};
  loaded_.clear();
  if (found.exact && file_.is_active()) {
    put(first_bytes_, std::span<const std::uint64_t>(&found.searches, 1));
    put(first_bytes_, std::span<const Length>(found.lower));
    put(first_bytes_, std::span<const Vertex>(found.reached));
  }
  first_ = std::move(found);
}

void TwoPhases::Store::save(std::span<const unsigned char> state) {
  std::vector<unsigned char> all = phases_.first_bytes_;
  all.insert(all.end(), state.begin(), state.end());
  phases_.file_.save(all);
}

}  // namespace antipode::cli

// The records of a BVGraph's stream, one for each node. See bvgraph.cpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "io/bvgraph.hpp"

namespace antipode {

// Reads one record: head(), then expand() or skip_residuals(). `first_arc[v]`: the arcs of all
// nodes before v. Any fault is an InputError that names the node.
class RecordReader {
 public:
  RecordReader(const BvFiles& files, const BvProperties& properties)
      : name_(files.name), properties_(properties), bits_(files.graph) {}

  std::uint64_t at() const { return bits_.at(); }
  std::uint64_t end() const { return bits_.end(); }
  void seek(std::uint64_t at) { bits_.seek(at); }
  bool ends_in_zeros() { return bits_.ends_in_zeros(); }
  Vertex degree() const { return degree_; }
  Vertex reference() const { return reference_; }  // nodes back; 0: none

  [[noreturn]] void refuse(Vertex node, const std::string& what) const {
    throw InputError(name_ + ".graph", fmt::format("node {}: {}", node, what));
  }

  // Begins a record.
  void read_degree(Vertex node) {
    const std::uint64_t degree = read(node, properties_.degrees);
    if (degree > properties_.order)
      refuse(node, fmt::format("{} arcs in a graph of {} nodes", degree, properties_.order));
    degree_ = static_cast<Vertex>(degree);
  }
  // All of a record but its residuals.
  void head(Vertex node, const std::vector<EdgeOffset>& first_arc) {
    read_degree(node);
    reference_ = 0;
    blocks_.clear();
    intervals_.clear();
    residuals_ = degree_;
    if (degree_ == 0) return;
    if (properties_.window > 0) read_reference(node);
    if (reference_ > 0) {
      const Vertex from = node - reference_;
      residuals_ -= read_blocks(node, first_arc[from + 1] - first_arc[from]);
    }
    if (residuals_ > 0 && properties_.min_interval > 0) residuals_ -= read_intervals(node);
  }
  void skip_residuals(Vertex node) {
    for (std::uint64_t i = 0; i < residuals_; ++i) read(node, properties_.residuals);
  }
  // Writes the arcs of the node. `copied`: those of the node it refers to.
  void expand(Vertex node, const Edge* copied, Edge* into) {
    if (reference_ == 0 && intervals_.empty()) {
      std::uint64_t next = 0;
      for (std::uint64_t i = 0; i < residuals_; ++i)
        into[i] = {node, static_cast<Vertex>(next = next_residual(node, next, i))};
      return;
    }
    merge(node, copied, into);
  }

 private:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  struct Interval {
    std::uint64_t first, end;
  };

  std::uint64_t read(Vertex node, Coding coding) {
    try {
      return bits_.read(coding, properties_.k);
    } catch (const BitFault& fault) {
      refuse(node, fault.what);
    }
  }

  void read_reference(Vertex node) {
    const std::uint64_t back = read(node, properties_.references);
    if (back > properties_.window)
      refuse(node,
             fmt::format("it refers {} nodes back; the window is of {}", back, properties_.window));
    if (back > node) refuse(node, fmt::format("it refers {} nodes back, before the first", back));
    reference_ = static_cast<Vertex>(back);
  }

  // The arcs that are copied from a list of `there`. Blocks to copy and blocks to skip alternate.
  std::uint64_t read_blocks(Vertex node, std::uint64_t there) {
    const std::uint64_t count = read(node, properties_.block_counts);
    std::uint64_t total = 0, copied = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t block = read(node, properties_.blocks) + (i > 0 ? 1 : 0);
      if (block > there - total)
        refuse(node,
               fmt::format("it copies beyond the {} arcs of node {}", there, node - reference_));
      push_charged(blocks_, block);
      total += block;
      if (i % 2 == 0) copied += block;
    }
    if (count % 2 == 0) {  // the rest is copied, too
      push_charged(blocks_, there - total);
      copied += there - total;
    }
    if (copied > degree_)
      refuse(node, fmt::format("it copies {} arcs and has {}", copied, degree_));
    return copied;
  }

  // The sum of the lengths of all intervals.
  std::uint64_t read_intervals(Vertex node) {
    const std::uint64_t count = read(node, Coding::gamma);
    std::uint64_t sum = 0, previous = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t code = read(node, Coding::gamma);
      const std::uint64_t first = i == 0 ? near(node, code) : after(node, previous, code);
      const std::uint64_t longer = read(node, Coding::gamma), rest = residuals_ - sum;
      if (properties_.min_interval > rest || longer > rest - properties_.min_interval)
        refuse(node, "its intervals hold more arcs than it has");
      const std::uint64_t length = longer + properties_.min_interval;
      if (length > properties_.order - first) refuse_beyond(node);
      push_charged(intervals_, Interval{first, first + length});
      previous = first + length;
      sum += length;
    }
    return sum;
  }

  [[noreturn]] void refuse_beyond(Vertex node) const {
    refuse(node, fmt::format("an arc to no node from 0 to {}",
                             static_cast<std::int64_t>(properties_.order) - 1));
  }
  // Even codes are of numbers from 0, odd ones of those from -1 down: relative to the node.
  std::uint64_t near(Vertex node, std::uint64_t code) const {
    const std::uint64_t distance = code / 2 + code % 2;
    const bool is_before = code % 2 == 1;
    if (is_before ? distance > node : distance >= properties_.order - node) refuse_beyond(node);
    return is_before ? node - distance : node + distance;
  }
  // At least one node is between.
  std::uint64_t after(Vertex node, std::uint64_t previous, std::uint64_t code) const {
    if (previous >= properties_.order || code >= properties_.order - previous - 1)
      refuse_beyond(node);
    return previous + code + 1;
  }
  std::uint64_t next_residual(Vertex node, std::uint64_t previous, std::uint64_t number) {
    const std::uint64_t code = read(node, properties_.residuals);
    return number == 0 ? near(node, code) : after(node, previous, code);
  }

  // Three sorted sequences: arcs copied, intervals and residuals.
  void merge(Vertex node, const Edge* copied, Edge* into) {
    std::size_t block = 0, interval = 0;
    std::uint64_t in_block = 0, residual_count = 0, residual = kNone, run = kNone, copy = kNone;
    const auto next_copy = [&] {
      while (in_block == 0) {
        if (block >= blocks_.size()) return kNone;
        if (block > 0) copied += blocks_[block - 1];
        in_block = blocks_[block];
        block += 2;
      }
      --in_block;
      return std::uint64_t{(copied++)->to};
    };
    const auto next_of_residuals = [&] {
      if (residual_count == residuals_) return kNone;
      return next_residual(node, residual, residual_count++);
    };
    copy = next_copy();
    if (!intervals_.empty()) run = intervals_[0].first;
    residual = next_of_residuals();
    std::uint64_t previous = kNone;
    for (Vertex i = 0; i < degree_; ++i) {
      const std::uint64_t next = std::min({copy, run, residual});
      if (i > 0 && next <= previous) refuse(node, fmt::format("it lists node {} twice", next));
      into[i] = {node, static_cast<Vertex>(next)};
      previous = next;
      if (next == copy) {
        copy = next_copy();
      } else if (next == residual) {
        residual = next_of_residuals();
      } else if (++run == intervals_[interval].end) {
        run = ++interval < intervals_.size() ? intervals_[interval].first : kNone;
      }
    }
  }

  const std::string& name_;
  const BvProperties& properties_;
  Bits bits_;
  Vertex degree_ = 0, reference_ = 0;
  std::uint64_t residuals_ = 0;
  std::vector<std::uint64_t> blocks_;  // an odd number: copied, skipped, copied, …
  std::vector<Interval> intervals_;
};

}  // namespace antipode

// Rodinia's BFS input: n; n lines "first-edge degree"; the source; m; m lines "target weight"; ids
// from 0. It is one long sequence of numbers. So blocks are parsed without knowledge of their
// position, and a state machine interprets the numbers.
#include <fmt/format.h>

#include "antipode/error.hpp"
#include "io/blocks.hpp"
#include "io/formats.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

std::vector<std::uint64_t> parse_numbers(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(text.size() / 6);
  for (Tokens tokens(text); tokens.next();) numbers.push_back(tokens.number("a number"));
  return numbers;
}

// The place of a number, found again for a message only.
const char* place_of(std::string_view text, std::size_t index) {
  Tokens tokens(text);
  for (tokens.next(); index > 0; --index) {
    tokens.word();
    tokens.next();
  }
  return tokens.at();
}

class Interpreter {
 public:
  Interpreter(std::string name, Lengths wanted) : name_(std::move(name)), wanted_(wanted) {}

  void take(std::uint64_t number) {
    const std::uint64_t at = position_++;
    if (at == 0) {
      order_ = checked_order(number, name_);
    } else if (at <= 2 * std::uint64_t{order_}) {
      take_row(number, at % 2 == 1);
    } else if (at == 2 * std::uint64_t{order_} + 1) {
      if (number >= order_ && order_ > 0)
        throw Fault{nullptr, fmt::format("the source {} is no vertex", number)};
    } else if (at == 2 * std::uint64_t{order_} + 2) {
      if (number != total_)
        throw Fault{nullptr, fmt::format("{} edges announced, but the degrees add up to {}", number,
                                         total_)};
    } else {
      take_target(number, (at - 2 * std::uint64_t{order_}) % 2 == 1);
    }
  }

  ParsedGraph finish() {
    if (position_ == 0) throw InputError(name_, "the file is empty");
    if (position_ < 3 + 2 * std::uint64_t{order_} + 2 * total_) {
      throw InputError(
          name_,
          fmt::format("{} numbers where {} vertices and {} edges need {}: the file is truncated",
                      position_, order_, total_, 3 + 2 * std::uint64_t{order_} + 2 * total_));
    }
    ParsedGraph graph;
    graph.order = order_;
    graph.edges.push_back(std::move(edges_));
    graph.labels = Labels::sequential(0, order_);
    graph.lists_both_ends = true;
    graph.has_lengths = lengths_;
    if (wanted_ == Lengths::used) {
      graph.has_lengths = true;
      graph.lengths.push_back(std::move(kept_lengths_));
    }
    graph.has_directions = true;
    return graph;
  }

 private:
  void take_row(std::uint64_t number, bool first_edge) {
    if (first_edge) {
      if (number != total_)
        throw Fault{nullptr,
                    fmt::format("vertex {} begins at edge {}, but the one before ends at {}",
                                ends_.size(), number, total_)};
      return;
    }
    if (number > std::uint64_t{1} << 40)
      throw Fault{nullptr, fmt::format("vertex {} has {} edges, more than a file can hold",
                                       ends_.size(), number)};
    total_ += number;
    ends_.push_back(total_);
  }

  void take_target(std::uint64_t number, bool target) {
    if (!target) {
      lengths_ |= number != 1;
      if (wanted_ == Lengths::used) kept_lengths_.push_back({number, 0});
      return;
    }
    if (edges_.size() == total_)
      throw Fault{nullptr, fmt::format("more than the {} edges announced", total_)};
    if (number >= order_)
      throw Fault{nullptr, fmt::format("vertex {} in a graph of {} vertices", number, order_)};
    while (edges_.size() >= ends_[row_]) ++row_;
    edges_.push_back({row_, static_cast<Vertex>(number)});
  }

  std::string name_;
  Lengths wanted_;
  std::uint64_t position_ = 0, total_ = 0;
  Vertex order_ = 0, row_ = 0;
  std::vector<std::uint64_t> ends_;
  std::vector<Edge> edges_;
  std::vector<Decimal> kept_lengths_;
  bool lengths_ = false;
};

}  // namespace

ParsedGraph read_rodinia(Input& input) {
  Interpreter interpreter(input.name(), input.lengths());
  parse_blocks(input, parse_numbers,
               [&](std::string_view text, std::vector<std::uint64_t>&& numbers) {
                 for (std::size_t i = 0; i < numbers.size(); ++i) {
                   try {
                     interpreter.take(numbers[i]);
                   } catch (Fault& fault) {
                     fault.at = place_of(text, i);
                     throw;
                   }
                 }
               });
  return interpreter.finish();
}

}  // namespace antipode

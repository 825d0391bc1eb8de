// Parallel parsing of text in bounded memory. Each thread reads (and decompresses) the next block
// of whole lines, one thread at a time, and parses it while others read theirs. Results are taken
// in order. A fault is thrown as a place in the text; lines are counted only then.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "antipode/error.hpp"
#include "antipode/graph.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"
#include "io/input.hpp"

namespace antipode {

struct Fault {
  const char* at;
  std::string what;
};

// parse(text) returns a piece, on any thread; take(text, piece) receives the pieces in order, one
// at a time. Both may throw a Fault.
template <class Parse, class Take>
class BlockParser {
 public:
  BlockParser(Input& input, Parse& parse, Take& take)
      : input_(input),
        parse_(parse),
        take_(take),
        lines_before_(input.lines_read()),
        slots_(4 * std::size_t{threads()}) {}

  void run() {
    // A file of one block is done before a second thread has woken up.
    if (block() && !input_.at_end()) {
      in_team(static_cast<int>(threads()), [this](int) {
        while (block()) {
        }
      });
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Slot {
    std::string text;
    std::optional<std::invoke_result_t<Parse, std::string_view>> piece;
    std::uint64_t lines = 0;
    std::optional<Fault> fault;
    std::exception_ptr failure;
    bool last = false;  // its lines need no count
    bool parsed = false;
  };

  // Reads and parses the next block; false at the end.
  bool block() {
    Slot* const slot = fill();
    if (!slot) return false;
    parse(*slot);
    take_in_order(*slot);
    return true;
  }

  // The next block, in its slot, once the earlier block in that slot was taken; null at the end.
  Slot* fill() {
    const std::lock_guard one_reader(reading_);
    {
      std::unique_lock lock(taking_);
      room_.wait(lock, [&] { return read_ - taken_ < slots_.size() || failure_; });
      if (at_end_ || failure_) return nullptr;
    }
    Slot& slot = slots_[read_ % slots_.size()];
    try {
      at_end_ = !input_.block(slot.text);
      // The parsed piece is at most a few times as long as the text; it is charged before.
      if (!fits_memory(kBecomes * slot.text.size()))
        refuse_bytes(kBecomes * slot.text.size(), input_.name());
      if (at_end_) return nullptr;
      slot.last = input_.at_end();
    } catch (...) {
      slot.failure = std::current_exception();  // thrown in its turn, after earlier faults
      at_end_ = true;
    }
    ++read_;
    return &slot;
  }

  void parse(Slot& slot) {
    if (slot.failure) return;
    try {
      slot.piece = parse_(std::string_view(slot.text));
      slot.lines =
          slot.last
              ? 0
              : static_cast<std::uint64_t>(std::count(slot.text.begin(), slot.text.end(), '\n'));
    } catch (const Fault& fault) {
      try {
        slot.fault = fault;
      } catch (...) {  // no memory for the message
        slot.failure = std::current_exception();
      }
    } catch (...) {
      slot.failure = std::current_exception();
    }
  }

  void take_in_order(Slot& mine) {
    const std::lock_guard lock(taking_);
    mine.parsed = true;
    try {
      for (Slot* next = &slots_[taken_ % slots_.size()]; next->parsed && !failure_;
           next = &slots_[++taken_ % slots_.size()]) {
        take(*next);
        next->parsed = false;
      }
    } catch (...) {
      failure_ = std::current_exception();
    }
    room_.notify_one();
  }

  void take(Slot& slot) {
    if (slot.failure) std::rethrow_exception(slot.failure);
    try {
      if (slot.fault) throw Fault(*slot.fault);
      take_(std::string_view(slot.text), std::move(*slot.piece));
    } catch (const Fault& fault) {
      const auto line =
          lines_before_ + 1 +
          static_cast<std::uint64_t>(std::count(std::as_const(slot.text).data(), fault.at, '\n'));
      throw InputError(input_.where(line), fault.what);
    }
    lines_before_ += slot.lines;
  }

  static constexpr std::uint64_t kBecomes = 4;

  Input& input_;
  Parse& parse_;
  Take& take_;
  std::mutex reading_, taking_;  // taken in this order
  std::condition_variable room_;
  std::uint64_t lines_before_;
  std::vector<Slot> slots_;
  std::size_t read_ = 0, taken_ = 0;  // blocks
  bool at_end_ = false;
  std::exception_ptr failure_;
};

template <class Parse, class Take>
void parse_blocks(Input& input, Parse parse, Take take) {
  BlockParser<Parse, Take>(input, parse, take).run();
}

}  // namespace antipode

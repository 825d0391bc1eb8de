// Parallel parsing of text in bounded memory. Blocks of whole lines are parsed by all threads while the next ones are
// read and decompressed; their results are taken in order. A fault is thrown as a place in the text, and only then
// is it worth counting lines.
#pragma once

#include <algorithm>
#include <exception>
#include <future>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "antipode/error.hpp"
#include "antipode/graph.hpp"
#include "io/input.hpp"

namespace antipode {

struct Fault {
  const char* at;
  std::string what;
};

// parse(text) returns a piece, on any thread; take(text, piece) gets the pieces in order. Both may throw a Fault.
template <class Parse, class Take>
void parse_blocks(Input& input, Parse parse, Take take) {
  using Piece = std::invoke_result_t<Parse, std::string_view>;
  const std::size_t at_once = std::size_t{threads()} * 2;
  std::vector<std::string> current, upcoming;
  const auto read = [&](std::vector<std::string>& blocks) {
    blocks.resize(at_once);
    std::size_t count = 0;
    while (count < at_once && input.block(blocks[count])) ++count;
    blocks.resize(count);
  };
  std::uint64_t lines_before = input.lines_read();
  const auto located = [&](const std::string& block, const Fault& fault) {
    return InputError(input.where(lines_before + 1 + static_cast<std::uint64_t>(std::count(block.data(), fault.at, '\n'))), fault.what);
  };

  for (read(current); !current.empty(); current.swap(upcoming)) {
    const bool more = current.size() == at_once;
    auto reading = std::async(more ? std::launch::async : std::launch::deferred, [&] { read(upcoming); });
    std::vector<std::optional<Piece>> pieces(current.size());
    std::vector<std::optional<Fault>> faults(current.size());
    std::vector<std::exception_ptr> failures(current.size());
    std::vector<std::uint64_t> lines(current.size());
#pragma omp parallel for schedule(dynamic, 1) if (current.size() > 1)
    for (std::size_t i = 0; i < current.size(); ++i) {
      try {
        pieces[i] = parse(std::string_view(current[i]));
        lines[i] = static_cast<std::uint64_t>(std::count(current[i].begin(), current[i].end(), '\n'));
      } catch (const Fault& fault) {
        faults[i] = fault;
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
    for (std::size_t i = 0; i < current.size(); ++i) {
      if (faults[i]) throw located(current[i], *faults[i]);
      if (failures[i]) std::rethrow_exception(failures[i]);
      try {
        take(std::string_view(current[i]), std::move(*pieces[i]));
      } catch (const Fault& fault) {
        throw located(current[i], fault);
      }
      lines_before += lines[i];
    }
    reading.get();
  }
}

}  // namespace antipode

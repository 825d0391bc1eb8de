#include "kept_state.hpp"

#include <array>
#include <cstdio>

#include "antipode/error.hpp"

namespace antipode::python {

namespace {

std::string key_of(const std::string& question, const Graph& graph) {
  // What the program has there is the checksum of a list of sources, which is empty here.
  std::uint64_t sum = checksum(std::as_bytes(graph.offsets()));
  sum = checksum(std::as_bytes(graph.targets()), sum);
  sum = checksum({}, sum);
  if (graph.has_lengths()) sum = checksum(std::as_bytes(graph.adjacency().lengths), sum);
  std::array<char, 17> hex;
  std::snprintf(hex.data(), hex.size(), "%016llx", static_cast<unsigned long long>(sum));
  return question + " of " + std::to_string(graph.order()) + " vertices, " +
         std::to_string(graph.size()) + " edges, " + hex.data();
}

}  // namespace

void KeptState::open(const std::string& question, const Graph& graph) {
  if (is_wanted())
    file_.emplace(ask_.file, key_of(question, graph),
                  ask_.resume ? Checkpoint::Begin::resume : Checkpoint::Begin::anew);
}

void KeptState::remove() {
  if (is_active()) file_->remove();
}

bool KeptState::is_due() {
  return is_active() && std::chrono::duration<double>(Clock::now() - last_).count() >= ask_.every;
}

void KeptState::save(std::span<const unsigned char> state) {
  last_ = Clock::now();
  try {
    file_->save(state);
  } catch (const DeviceError& error) {
    warning_ = std::string("no checkpoint: ") + error.what();
  }
}

std::vector<unsigned char> KeptState::load() {
  if (!ask_.resume || !is_active()) return {};
  auto state = file_->load();
  if (state.empty()) warning_ = ask_.file + ": nothing was kept before: everything is computed";
  return state;
}

void KeptState::warn() {
  if (!warning_.empty() && PyErr_WarnEx(PyExc_UserWarning, warning_.c_str(), 2) != 0)
    throw nanobind::python_error();
}

}  // namespace antipode::python

// The one file that knows which engines were built, best first.
#include <algorithm>

#include "antipode/engine.hpp"
#include "antipode/error.hpp"
#include "engine/cpu/engine.hpp"

namespace antipode {

namespace {

struct Entry {
  EngineInfo (*info)();
  std::unique_ptr<Engine> (*make)(const Graph&, const EngineOptions&);
};

constexpr Entry kEntries[] = {
    {cpu::info, cpu::make_engine},
};

}  // namespace

std::vector<EngineInfo> engines() {
  std::vector<EngineInfo> result;
  for (const Entry& entry : kEntries) result.push_back(entry.info());
  return result;
}

std::unique_ptr<Engine> make_engine(std::string_view name, const Graph& graph, const EngineOptions& options) {
  std::string built;
  for (const Entry& entry : kEntries) {
    const EngineInfo info = entry.info();
    if (info.usable && (name == "auto" || name == info.name)) return entry.make(graph, options);
    if (name == info.name) throw DeviceError("engine '" + info.name + "' cannot be used: " + info.detail);
    built += " " + info.name;
  }
  throw DeviceError("no engine '" + std::string(name) + "' in this build; it has" + built);
}

}  // namespace antipode

#include "engine/cpu/instruction_set.hpp"

#include <cstdlib>
#include <string_view>

namespace antipode::cpu {

InstructionSet best_instruction_set() {
#if defined(__x86_64__)
  const char* wanted = std::getenv("ANTIPODE_LANES");
  const std::string_view name = wanted == nullptr ? "" : wanted;
  __builtin_cpu_init();
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  const bool avx2 = __builtin_cpu_supports("avx2");
  if (avx512 && (name.empty() || name == "avx512")) return InstructionSet::avx512;
  if (avx2 && (name.empty() || name == "avx2")) return InstructionSet::avx2;
#endif
  return InstructionSet::portable;
}

}  // namespace antipode::cpu

// The widest instruction set that this machine has and batches are compiled for.
#pragma once

namespace antipode::cpu {

enum class InstructionSet { portable, avx2, avx512 };
// ANTIPODE_LANES=portable|avx2|avx512 overrides the choice, for tests.
InstructionSet best_instruction_set();

}  // namespace antipode::cpu

// The parts of the writer of tables.
#pragma once

#include "antipode/table.hpp"
#include "io/output.hpp"

namespace antipode {

void write_npz(const Table& table, OutputFile& file);

}  // namespace antipode

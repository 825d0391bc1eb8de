// Compiled programs on disk, by device and source: a file that is damaged, or that the driver does
// not take, is made again. They lie in $ANTIPODE_CACHE, else in antipode/ below $XDG_CACHE_HOME or
// ~/.cache; ANTIPODE_CACHE="" keeps none.
#pragma once

#include "engine/opencl/context.hpp"

namespace antipode::opencl {

// `file`: for messages. A DeviceError holds the compiler's log.
cl_program built_program(const Context& context, const std::string& source,
                         const std::string& options, std::string_view file);

}  // namespace antipode::opencl

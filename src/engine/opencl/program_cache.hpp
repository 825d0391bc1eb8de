// Compiled programs on disk, by device and source. A file that is damaged, or that the driver
// rejects, is replaced. Folder: $ANTIPODE_CACHE, else antipode/ in $XDG_CACHE_HOME or ~/.cache;
// with ANTIPODE_CACHE="" there is no cache.
#pragma once

#include "engine/opencl/context.hpp"

namespace antipode::opencl {

// `file`: for messages. A DeviceError holds the compiler's log.
cl_program build_program(const Context& context, const std::string& source,
                         const std::string& options, std::string_view file);

}  // namespace antipode::opencl

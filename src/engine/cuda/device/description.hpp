// What GPU there is, and whether this engine can use it.
#pragma once

#include <string>

namespace antipode::cuda {

struct DeviceDescription {
  std::string detail;  // the GPU, or why there is none
  bool is_usable = false;
};
DeviceDescription describe_device();

}  // namespace antipode::cuda

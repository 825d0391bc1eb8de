#include "engine/cuda/device/description.hpp"

#include <cuda_runtime.h>

namespace antipode::cuda {

DeviceDescription describe_device() {
  int devices = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&devices);
      status != cudaSuccess || devices == 0) {
    cudaGetLastError();
    return {.detail = status == cudaErrorInsufficientDriver
                          ? "no NVIDIA driver, or one too old for this build"
                      : status == cudaSuccess ? "no GPU found"
                                              : cudaGetErrorString(status)};
  }
  cudaDeviceProp properties{};
  if (const cudaError_t status = cudaGetDeviceProperties(&properties, 0); status != cudaSuccess) {
    cudaGetLastError();
    return {.detail = cudaGetErrorString(status)};
  }
  DeviceDescription result{
      .detail = std::string(properties.name) + ", " +
                std::to_string(properties.totalGlobalMem >> 20) + " MiB, compute capability " +
                std::to_string(properties.major) + "." + std::to_string(properties.minor),
      .is_usable = properties.major >= 8};
  if (!result.is_usable) result.detail += "; 8.0 or later is needed";
  return result;
}

}  // namespace antipode::cuda

// What all parts of the OpenCL engine share: devices, checked calls, buffers, programs and their
// launches. OpenCL 1.2 features only; handles never leave this room.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "antipode/engine.hpp"
#include "engine/opencl/loader.hpp"

namespace antipode::opencl {

// Every OpenCL call goes through here: a failure becomes a DeviceError that names what was
// attempted.
void check(cl_int status, const char* what);

struct Device {
  cl_platform_id platform = nullptr;
  cl_device_id id = nullptr;
  DeviceInfo info;
  bool is_cpu = false, has_doubles = false;
  unsigned units = 1;
  std::size_t most_items = 1;                          // of a work-group
  std::uint64_t largest_buffer = 0, local_memory = 0;  // bytes; local: of a work-group
};

// All devices of all platforms, in the order of the platforms. If there are none, `why` says so.
std::vector<Device> devices(std::string* why = nullptr);
// By number, or by a part of its name or its platform's name; empty: the first one. If there is
// none, a DeviceError lists all devices.
Device find_device(const std::string& which);

// A command queue on a device. All engines of the process share its context and compiled programs.
class Context {
 public:
  explicit Context(const Device& device);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Device& device() const { return device_; }
  cl_context handle() const { return context_; }
  cl_command_queue queue() const { return queue_; }
  void finish() const { check(cl().clFinish(queue_), "waiting for the device"); }
  // Retained for the caller. `file`: for messages.
  cl_program program(const std::string& source, const std::string& options,
                     std::string_view file) const;

 private:
  struct Shared;
  static Shared& shared_of(const Device& device);

  Device device_;
  Shared& shared_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

cl_mem allocate(const Context& context, std::size_t bytes);

template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Context& context, std::size_t count)
      : context_(&context), data_(allocate(context, count * sizeof(T))), count_(count) {}
  Buffer(const Context& context, std::span<const T> values) : Buffer(context, values.size()) {
    upload(values);
  }
  Buffer(Buffer&& other) noexcept
      : context_(other.context_),
        data_(std::exchange(other.data_, nullptr)),
        count_(std::exchange(other.count_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Buffer() {
    if (data_ != nullptr) cl().clReleaseMemObject(data_);
  }

  cl_mem handle() const { return data_; }
  std::size_t size() const { return count_; }

  // Blocking: the host may reuse its memory when these return.
  void upload(std::span<const T> from, std::size_t at = 0) const {
    if (!from.empty())
      check(cl().clEnqueueWriteBuffer(context_->queue(), data_, CL_TRUE, at * sizeof(T),
                                      from.size_bytes(), from.data(), 0, nullptr, nullptr),
            "copying to the device");
  }
  void download(std::span<T> to, std::size_t at = 0) const {
    if (!to.empty())
      check(cl().clEnqueueReadBuffer(context_->queue(), data_, CL_TRUE, at * sizeof(T),
                                     to.size_bytes(), to.data(), 0, nullptr, nullptr),
            "copying from the device");
  }
  std::vector<T> values(std::size_t count, std::size_t at = 0) const {
    std::vector<T> result(count);
    download(result, at);
    return result;
  }
  std::vector<T> values() const { return values(count_); }
  T value(std::size_t at) const { return values(1, at)[0]; }
  void fill(T value) const { fill(value, count_); }
  void fill(T value, std::size_t count) const {
    if (count > 0)
      check(cl().clEnqueueFillBuffer(context_->queue(), data_, &value, sizeof(T), 0,
                                     count * sizeof(T), 0, nullptr, nullptr),
            "filling memory");
  }

 private:
  const Context* context_ = nullptr;
  cl_mem data_ = nullptr;
  std::size_t count_ = 0;
};

// Number of work-items, and of those of a work-group.
struct Range {
  std::size_t items, group;
  static Range over(std::size_t count, std::size_t group = 256) {
    return {(count + group - 1) / group * group, group};
  }
};

// A kernel argument: local memory of a work-group.
struct Local {
  std::size_t bytes;
};

// The kernels of one .cl file, compiled with macros and with another file in front; or from the
// cache on disk (program_cache.hpp).
class Program {
 public:
  Program(const Context& context, std::string_view file, const std::string& macros = "",
          std::string_view before = "");
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Arguments are buffers or plain values of the kernel's own types.
  template <class... Arguments>
  void run(const char* kernel, Range range, const Arguments&... arguments) const {
    if (range.items == 0) return;
    const cl_kernel handle = find(kernel);
    cl_uint index = 0;
    (set(handle, index++, arguments), ...);
    launch(handle, range, kernel);
  }
  std::size_t most_items(const char* kernel) const;  // of a work-group

 private:
  cl_kernel find(const char* name) const;
  void launch(cl_kernel kernel, Range range, const char* name) const;
  template <class T>
  static void set(cl_kernel kernel, cl_uint index, const Buffer<T>& buffer) {
    const cl_mem handle = buffer.handle();
    check(cl().clSetKernelArg(kernel, index, sizeof(handle), &handle),
          "passing a buffer to a kernel");
  }
  static void set(cl_kernel kernel, cl_uint index, Local local) {
    check(cl().clSetKernelArg(kernel, index, local.bytes, nullptr), "giving a kernel local memory");
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  static void set(cl_kernel kernel, cl_uint index, T value) {
    check(cl().clSetKernelArg(kernel, index, sizeof(T), &value), "passing a number to a kernel");
  }

  const Context& context_;
  cl_program program_ = nullptr;
  mutable std::map<std::string, cl_kernel, std::less<>> kernels_;
};

// The text of an embedded .cl file, by its name without ending.
std::string_view kernel_source(std::string_view file);

}  // namespace antipode::opencl

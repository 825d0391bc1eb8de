// Devices, contexts that are shared per device, and compiled programs.
#include "engine/opencl/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <mutex>

#include "antipode/error.hpp"
#include "engine/opencl/program_cache.hpp"

namespace antipode::opencl {

namespace {

std::string text_of(const auto& ask) {
  std::size_t size = 0;
  if (ask(0, nullptr, &size) != CL_SUCCESS || size == 0) return "";
  std::string text(size, '\0');
  if (ask(size, text.data(), nullptr) != CL_SUCCESS) return "";
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
  return text_of([&](std::size_t size, void* to, std::size_t* needed) {
    return cl().clGetPlatformInfo(platform, what, size, to, needed);
  });
}

std::string device_text(cl_device_id device, cl_device_info what) {
  return text_of([&](std::size_t size, void* to, std::size_t* needed) {
    return cl().clGetDeviceInfo(device, what, size, to, needed);
  });
}

// A zero value if the device does not support the query.
template <class T>
T device_value(cl_device_id device, cl_device_info what) {
  T value{};
  return cl().clGetDeviceInfo(device, what, sizeof(T), &value, nullptr) == CL_SUCCESS ? value : T{};
}

// OpenCL 1.2 with a compiler, and groups of the size that the kernels are written for.
bool is_usable(cl_device_id id) {
  constexpr std::size_t kItems = 256;
  const std::string version = device_text(id, CL_DEVICE_VERSION);  // "OpenCL 1.2 …"
  return version.size() >= 10 && version.substr(7, 3) >= "1.2" &&
         device_value<cl_bool>(id, CL_DEVICE_AVAILABLE) != 0 &&
         device_value<cl_bool>(id, CL_DEVICE_COMPILER_AVAILABLE) != 0 &&
         device_value<std::size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE) >= kItems;
}

Device make_device(cl_platform_id platform, cl_device_id id, std::size_t number) {
  Device result;
  result.platform = platform;
  result.id = id;
  result.info = {.number = number,
                 .platform = platform_text(platform, CL_PLATFORM_NAME),
                 .name = device_text(id, CL_DEVICE_NAME),
                 .version = device_text(id, CL_DEVICE_VERSION),
                 .driver = device_text(id, CL_DRIVER_VERSION),
                 .memory = device_value<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE)};
  // A CPU can run the kernels for other devices, slowly; used by tests.
  result.is_cpu = (device_value<cl_device_type>(id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0 &&
                  std::getenv("ANTIPODE_OPENCL_NOT_AS_CPU") == nullptr;
  result.has_doubles = device_value<cl_device_fp_config>(id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  result.units = device_value<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS);
  result.most_items = device_value<std::size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  result.largest_buffer = device_value<cl_ulong>(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  result.local_memory = device_value<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE);
  return result;
}

std::string to_lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

void check(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  const bool memory = status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES ||
                      status == CL_OUT_OF_HOST_MEMORY || status == CL_INVALID_BUFFER_SIZE;
  throw DeviceError(fmt::format("OpenCL, {}: error {}{}", what, status,
                                memory ? " (out of memory, or of registers): use a smaller graph, "
                                         "a device with more, or --engine cpu"
                                       : ""));
}

std::vector<Device> devices(std::string* why) {
  std::vector<Device> result;
  if (!missing_functions().empty()) {
    if (why != nullptr) *why = missing_functions();
    return result;
  }
  cl_uint count = 0;
  const cl_int status = cl().clGetPlatformIDs(0, nullptr, &count);
  if (status != CL_SUCCESS || count == 0) {
    if (why != nullptr)
      *why = "no OpenCL platform is installed (on Debian, pocl-opencl-icd makes one of the CPU)";
    return result;
  }
  std::vector<cl_platform_id> platforms(count);
  check(cl().clGetPlatformIDs(count, platforms.data(), nullptr), "listing platforms");
  for (const cl_platform_id platform : platforms) {
    cl_uint found = 0;
    if (cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &found) != CL_SUCCESS ||
        found == 0)
      continue;
    std::vector<cl_device_id> ids(found);
    check(cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, found, ids.data(), nullptr),
          "listing devices");
    for (const cl_device_id id : ids)
      if (is_usable(id)) result.push_back(make_device(platform, id, result.size()));
  }
  if (result.empty() && why != nullptr)
    *why = fmt::format(
        "none of the {} OpenCL platforms has a device with OpenCL 1.2, a compiler and groups of "
        "256 work-items",
        count);
  return result;
}

Device find_device(const std::string& which) {
  std::string why;
  const auto all = devices(&why);
  if (all.empty()) throw DeviceError("engine 'opencl' cannot be used: " + why);
  if (which.empty()) return all.front();
  std::string list;
  for (const Device& device : all) {
    if (which == std::to_string(device.info.number)) return device;
    list +=
        fmt::format("\n  {}: {} ({})", device.info.number, device.info.name, device.info.platform);
  }
  for (const Device& device : all)  // also if a name contains a number
    if (to_lower(device.info.platform + " " + device.info.name).find(to_lower(which)) !=
        std::string::npos)
      return device;
  throw DeviceError(fmt::format("no OpenCL device '{}'; there is{}", which, list));
}

struct Context::Shared {
  std::mutex mutex;
  cl_context context = nullptr;
  std::map<std::string, cl_program> programs;  // by options and source
};

Context::Shared& Context::shared_of(const Device& device) {
  static std::mutex mutex;
  // Never freed: drivers may be unloaded before static objects are destroyed.
  static auto& all = *new std::map<cl_device_id, Shared>;
  const std::scoped_lock lock(mutex);
  Shared& shared = all[device.id];
  if (shared.context == nullptr) {
    cl_int status = CL_SUCCESS;
    const cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device.platform), 0};
    shared.context = cl().clCreateContext(properties, 1, &device.id, nullptr, nullptr, &status);
    check(status, "making a context");
  }
  return shared;
}

Context::Context(const Device& device)
    : device_(device), shared_(shared_of(device)), context_(shared_.context) {
  cl_int status = CL_SUCCESS;
  queue_ = cl().clCreateCommandQueue(context_, device.id, 0, &status);
  check(status, "making a queue");
}

Context::~Context() {
  cl().clFinish(queue_);
  cl().clReleaseCommandQueue(queue_);
}

cl_program Context::program(const std::string& source, const std::string& options,
                            std::string_view file) const {
  const std::scoped_lock lock(shared_.mutex);
  cl_program& program = shared_.programs[options + "\n" + source];
  if (program == nullptr) program = build_program(*this, source, options, file);
  check(cl().clRetainProgram(program), "keeping a program");
  return program;
}

cl_mem allocate(const Context& context, std::size_t bytes) {
  if (bytes > context.device().largest_buffer)
    throw DeviceError(
        fmt::format("{} lets no buffer be larger than {} bytes, and one of {} is needed: use "
                    "another device or --engine cpu",
                    context.device().info.name, context.device().largest_buffer, bytes));
  cl_int status = CL_SUCCESS;
  const cl_mem memory = cl().clCreateBuffer(context.handle(), CL_MEM_READ_WRITE,
                                            std::max<std::size_t>(bytes, 16), nullptr, &status);
  check(status, "allocating memory");
  return memory;
}

Program::Program(const Context& context, std::string_view file, const std::string& macros,
                 std::string_view before)
    : context_(context) {
  const Device& device = context.device();
  const std::string options = fmt::format("-cl-std=CL1.2{}{}", device.is_cpu ? " -D ON_CPU" : "",
                                          macros.empty() ? "" : " " + macros);
  program_ =
      context.program(std::string(kernel_source("common")) + std::string(kernel_source(before)) +
                          std::string(kernel_source(file)),
                      options, file);
}

Program::~Program() {
  for (const auto& [name, kernel] : kernels_) cl().clReleaseKernel(kernel);
  cl().clReleaseProgram(program_);
}

cl_kernel Program::find(const char* name) const {
  if (const auto known = kernels_.find(std::string_view(name)); known != kernels_.end())
    return known->second;
  cl_int status = CL_SUCCESS;
  const cl_kernel kernel = cl().clCreateKernel(program_, name, &status);
  check(status, "making a kernel");
  return kernels_.emplace(name, kernel).first->second;
}

std::size_t Program::most_items(const char* kernel) const {
  std::size_t most = 0;
  check(cl().clGetKernelWorkGroupInfo(find(kernel), context_.device().id, CL_KERNEL_WORK_GROUP_SIZE,
                                      sizeof(most), &most, nullptr),
        "asking how large a work-group may be");
  return std::min(most, context_.device().most_items);
}

void Program::launch(cl_kernel kernel, Range range, const char* name) const {
  check(cl().clEnqueueNDRangeKernel(context_.queue(), kernel, 1, nullptr, &range.items,
                                    &range.group, 0, nullptr, nullptr),
        name);
}

}  // namespace antipode::opencl

// Reads, checks and writes files of compiled programs; compiles from source otherwise.
#include "engine/opencl/program_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <random>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "antipode/error.hpp"
#include "graph/hash.hpp"

namespace antipode::opencl {

namespace {

namespace fs = std::filesystem;

// The header of a cache file, before the binary.
struct Header {
  std::uint64_t magic = 0x31304C43504E41ull;  // "ANPCL01"
  std::uint64_t key = 0, bytes = 0, checksum = 0;
};

std::optional<fs::path> folder() {
  if (const char* named = std::getenv("ANTIPODE_CACHE"))
    return *named == '\0' ? std::nullopt : std::optional<fs::path>(named);
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
    return fs::path(cache) / "antipode";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return fs::path(home) / ".cache" / "antipode";
  return std::nullopt;
}

// Owned and writable by this user alone, since the binary will be executed.
bool is_own(const fs::path& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 && !S_ISLNK(status.st_mode);
}

std::vector<unsigned char> load(const fs::path& path, std::uint64_t key) {
  if (!is_own(path) || !is_own(path.parent_path())) return {};
  std::ifstream in(path, std::ios::binary);
  Header header, expected;
  if (!in.read(reinterpret_cast<char*>(&header), sizeof(header)) ||
      header.magic != expected.magic || header.key != key)
    return {};
  std::error_code error;
  if (const auto size = fs::file_size(path, error);
      error || header.bytes == 0 || size != sizeof(header) + header.bytes)
    return {};
  std::vector<unsigned char> binary(header.bytes);
  in.read(reinterpret_cast<char*>(binary.data()), static_cast<std::streamsize>(binary.size()));
  return in && hash_bytes(binary.data(), binary.size(), key) == header.checksum
             ? binary
             : std::vector<unsigned char>();
}

bool write_all(int file, const void* data, std::size_t size) {
  for (const char* at = static_cast<const char*>(data); size > 0;) {
    const ssize_t count = ::write(file, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count, size -= static_cast<std::size_t>(count);
  }
  return true;
}

// The cache is optional, so failures to write are ignored. A folder that others may write to is not
// used.
void store(const fs::path& path, std::uint64_t key, std::span<const unsigned char> binary) {
  std::error_code error;
  std::random_device random;
  fs::create_directories(path.parent_path(), error);
  if (!is_own(path.parent_path())) return;
  const fs::path temporary = path.string() + fmt::format(".tmp-{}-{}", ::getpid(), random());
  const int file =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return;
  Header header;
  header.key = key;
  header.bytes = binary.size();
  header.checksum = hash_bytes(binary.data(), binary.size(), key);
  const bool written =
      write_all(file, &header, sizeof header) && write_all(file, binary.data(), binary.size());
  if (::close(file) != 0 || !written) {
    fs::remove(temporary, error);
    return;
  }
  fs::rename(temporary, path, error);
  if (error) fs::remove(temporary, error);
}

std::vector<unsigned char> binary_of(cl_program program) {
  std::size_t size = 0;
  if (cl().clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr) !=
          CL_SUCCESS ||
      size == 0)
    return {};
  std::vector<unsigned char> binary(size);
  unsigned char* to = binary.data();
  if (cl().clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(to), &to, nullptr) != CL_SUCCESS)
    return {};
  return binary;
}

cl_program from_binary(const Context& context, std::span<const unsigned char> binary,
                       const std::string& options) {
  const unsigned char* data = binary.data();
  const std::size_t size = binary.size();
  cl_int status = CL_SUCCESS, taken = CL_SUCCESS;
  const cl_program program = cl().clCreateProgramWithBinary(
      context.handle(), 1, &context.device().id, &size, &data, &taken, &status);
  if (status != CL_SUCCESS) return nullptr;
  if (taken == CL_SUCCESS && cl().clBuildProgram(program, 1, &context.device().id, options.c_str(),
                                                 nullptr, nullptr) == CL_SUCCESS)
    return program;
  cl().clReleaseProgram(program);
  return nullptr;
}

cl_program from_source(const Context& context, const std::string& source,
                       const std::string& options, std::string_view file) {
  const char* text = source.c_str();
  const std::size_t size = source.size();
  cl_int status = CL_SUCCESS;
  const cl_program program =
      cl().clCreateProgramWithSource(context.handle(), 1, &text, &size, &status);
  check(status, "passing a program to the compiler");
  status = cl().clBuildProgram(program, 1, &context.device().id, options.c_str(), nullptr, nullptr);
  if (status == CL_SUCCESS) return program;
  std::size_t length = 0;
  cl().clGetProgramBuildInfo(program, context.device().id, CL_PROGRAM_BUILD_LOG, 0, nullptr,
                             &length);
  std::string log(length, '\0');
  cl().clGetProgramBuildInfo(program, context.device().id, CL_PROGRAM_BUILD_LOG, length, log.data(),
                             nullptr);
  cl().clReleaseProgram(program);
  while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
  throw DeviceError(fmt::format("{} does not compile {}.cl (error {}, {}); its log:\n{}",
                                context.device().info.name, file, status, options, log));
}

}  // namespace

cl_program build_program(const Context& context, const std::string& source,
                         const std::string& options, std::string_view file) {
  const DeviceInfo& device = context.device().info;
  const std::string identity = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", device.platform, device.name,
                                           device.version, device.driver, options, source);
  const std::uint64_t key = hash_text(identity);
  const auto place = folder();
  const fs::path path = place ? *place / fmt::format("{}-{:016x}.clbin", file, key) : fs::path();
  if (place)
    if (const auto binary = load(path, key); !binary.empty())
      if (const cl_program program = from_binary(context, binary, options)) return program;
  const cl_program program = from_source(context, source, options, file);
  if (place)
    if (const auto binary = binary_of(program); !binary.empty()) store(path, key, binary);
  return program;
}

}  // namespace antipode::opencl

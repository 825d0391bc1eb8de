// Sources of bytes: files, memory, and gzip and zstd streams around them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/input.hpp"

namespace antipode {

std::unique_ptr<ByteStream> file_stream(const std::string& path);
std::unique_ptr<ByteStream> memory_stream(std::string_view bytes);
// `first` was already read from `inner`. Damaged data is an InputError that names `name`.
std::unique_ptr<ByteStream> gzip_stream(std::string name, std::string first,
                                        std::unique_ptr<ByteStream> inner);
std::unique_ptr<ByteStream> zstd_stream(std::string name, std::string first,
                                        std::unique_ptr<ByteStream> inner);
std::unique_ptr<ByteStream> resumed_stream(std::string first, std::unique_ptr<ByteStream> inner);

}  // namespace antipode

// What can go wrong, by kind of fault. The library throws these and never prints, aborts or exits;
// the program turns each kind into one exit code.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace antipode {

class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The request makes no sense: an unknown generator, a source that is no vertex. Exit code 2.
class UsageError : public Error {
  using Error::Error;
};

// A file is not what it claims to be. The message opens with "file:line: " where a line is known.
// Exit code 3.
class InputError : public Error {
 public:
  InputError(const std::string& where, const std::string& what) : Error(where + ": " + what) {}
};

// An engine is missing, or a machine has too little memory. Exit code 4.
class DeviceError : public Error {
  using Error::Error;
};

// More memory is needed than there is, or than a limit allows.
class OutOfMemory : public DeviceError {
  using DeviceError::DeviceError;
};

// Standard output is a pipe that nothing reads any more.
class ClosedPipe : public DeviceError {
  using DeviceError::DeviceError;
};

// Thrown out of a search when Engine::interrupt_when said so; measures catch it and return the
// bounds they have.
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

// Text as a terminal may be given it: control characters and bytes that are no UTF-8 are written as
// \xNN. Messages may hold names of files and vertices as they are.
enum class LineEnds { escaped, kept };
std::string printable(std::string_view text, LineEnds ends = LineEnds::escaped);

// The bytes of the UTF-8 character that the text begins with; 0: it begins with none.
std::size_t character_length(std::string_view text);

}  // namespace antipode

// Compresses output whose name ends in .gz or .zst.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace antipode {

class Packer {
 public:
  using Sink = std::function<void(std::string_view)>;
  virtual ~Packer() = default;
  void pack(std::string_view text, const Sink& sink);  // sinks what is ready
  void finish(const Sink& sink) { step({}, Part::last, sink); }

 protected:
  enum class Part { inner, last };
  virtual void step(std::string_view text, Part part, const Sink& sink) = 0;
};

std::unique_ptr<Packer> packer_for(std::string_view path);  // null: the name has another ending

}  // namespace antipode

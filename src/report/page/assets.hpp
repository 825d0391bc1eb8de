// The files of the page that are not made of numbers: its frame, style and script, embedded when
// the program is built.
#pragma once

#include <string_view>

namespace antipode::page {

struct Asset {
  std::string_view text, digest;  // base64 of its SHA-256, which the page's policy lets pass
};
Asset asset(std::string_view file);  // "page.css"

}  // namespace antipode::page

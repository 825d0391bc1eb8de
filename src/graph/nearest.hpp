// Suggests what was meant by a word that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace antipode {

// "; did you mean …?" for a word that is nearly one of these, else nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace antipode

// The text of 'antipode help VERB'.
#include "cli/help.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "antipode/io.hpp"
#include "cli/option_table.hpp"
#include "cli/terminal.hpp"

namespace antipode::cli {

namespace {

std::string heading_of(const OptionInfo& option) {
  return std::string(shared_option(option.name).heading);
}

template <class Entry, class HeadingOf>
std::vector<std::pair<std::string, std::vector<Entry>>> by_heading(
    const std::vector<Entry>& entries, std::vector<std::string> headings, HeadingOf heading) {
  for (const Entry& each : entries)
    if (std::find(headings.begin(), headings.end(), heading(each)) == headings.end())
      headings.push_back(heading(each));
  std::vector<std::pair<std::string, std::vector<Entry>>> result;
  for (const std::string& name : headings) {
    std::vector<Entry> below;
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(below),
                 [&](const Entry& each) { return heading(each) == name; });
    if (!below.empty()) result.emplace_back(name, std::move(below));
  }
  return result;
}

// Lines of at most so many characters, broken at blanks.
std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t at = 0, columns = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const auto length = static_cast<std::size_t>(std::count_if(
        word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; }));  // of UTF-8
    if (columns > 0 && columns + 1 + length > width) {
      lines.emplace_back();
      columns = 0;
    }
    if (columns > 0) lines.back() += " ", ++columns;
    lines.back() += word;
    columns += length;
    at = end + 1;
  }
  return lines;
}

std::string entry(const std::string& left, const std::string& right) {
  constexpr std::size_t kLeft = 30, kMost = 100;
  const std::size_t width = std::min(width_of(STDOUT_FILENO), kMost);
  std::string text = fmt::format("  {:<{}}", left, kLeft - 2);
  if (left.size() + 4 > kLeft) text += fmt::format("\n{:{}}", "", kLeft);
  const auto lines = lines_of(right, std::max(width, kLeft + 20) - kLeft);
  return text + fmt::format("{}\n", fmt::join(lines, fmt::format("\n{:{}}", "", kLeft)));
}

std::string title(const std::string& text) {
  return "\n" + styled(text + ":", Style::bold, STDOUT_FILENO) + "\n";
}

std::string option_entry(const OptionInfo& option) {
  std::string left = option.letter == 0 ? "    " + option.name
                                        : fmt::format("-{}, {}", option.letter, option.name);
  if (!option.value.empty()) left += " " + option.value;
  if (option.is_list) left += "…";
  std::string right = option.text;
  if (!option.chosen.empty()) right += fmt::format(" [{}]", option.chosen);
  return entry(left, right);
}

}  // namespace

std::vector<std::pair<std::string, std::vector<OptionInfo>>> options_by_heading(
    const CommandInfo& command) {
  return by_heading(command.options, {std::begin(kHeadings), std::end(kHeadings)}, heading_of);
}

std::vector<std::pair<std::string, std::vector<CommandInfo>>> commands_by_heading(
    const CommandInfo& command) {
  return by_heading(command.commands, {}, [](const CommandInfo& each) { return each.heading; });
}

std::string shown_name(const OptionInfo& argument) {
  std::string name = argument.name;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

std::string usage(const CommandInfo& command) {
  std::string text = command.name;
  if (!command.commands.empty()) text += " VERB";
  for (const OptionInfo& each : command.arguments) {
    const std::string name = shown_name(each) + (each.is_list ? "…" : "");
    text += each.is_required ? " " + name : " [" + name + "]";
  }
  return text + " [options]";
}

std::string help_text(const CommandInfo& command) {
  std::string text = fmt::format("{}\n\nUsage: {}\n", command.summary, usage(command));
  for (const auto& [heading, below] : commands_by_heading(command)) {
    text += title(heading.empty() ? "Verbs" : heading);
    for (const CommandInfo& each : below)
      text += entry(each.name.substr(each.name.rfind(' ') + 1), each.summary);
  }
  if (!command.arguments.empty()) text += "\n";
  for (const OptionInfo& each : command.arguments) text += entry(shown_name(each), each.text);
  for (const auto& [heading, below] : options_by_heading(command)) {
    text += title(heading);
    for (const OptionInfo& each : below) text += option_entry(each);
  }
  text += command.footer;
  if (!command.examples.empty()) text += title("Examples");
  for (const std::string& line : command.examples) text += "  " + line + "\n";
  return text;
}

}  // namespace antipode::cli

// Manual pages, in the macros of man(7).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "antipode/graph.hpp"
#include "antipode/io.hpp"
#include "cli/help.hpp"

namespace antipode::cli {

namespace {

// The code point at a place of UTF-8, and how many bytes it has.
std::pair<unsigned, std::size_t> code_point(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  unsigned code = length == 1 ? first : first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length && at + i < text.size(); ++i)
    code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3F);
  return {code, length};
}

// Text that means itself: no character of it is a request or another sign than it is here.
std::string plain(std::string_view text) {
  std::string result;
  if (text.starts_with('.') || text.starts_with('\'')) result = "\\&";
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, length] = code_point(text, at);
    if (code >= 0x80)
      result += fmt::format("\\[u{:04X}]", code);
    else if (code == '\\')
      result += "\\e";
    else if (code == '-')
      result += "\\-";
    else if (code == '\'')
      result += "\\(aq";
    else if (code == '^' || code == '~' || code == '`')
      result += code == '^' ? "\\(ha" : code == '~' ? "\\(ti" : "\\(ga";
    else
      result += text[at];
    at += length;
  }
  return result;
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

std::string section(std::string_view title) { return fmt::format(".SH {}\n", title); }

std::string tagged(const std::string& tag, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", tag, plain(text));
}

// Lines as they are.
std::string listing(const std::vector<std::string>& lines) {
  std::string text = ".nf\n";
  for (const std::string& line : lines) text += plain(line) + "\n";
  return text + ".fi\n";
}

std::string option_entry(const OptionInfo& option) {
  std::string tag = bold(option.name);
  if (option.letter != 0) tag = bold(std::string("-") + option.letter) + ", " + tag;
  if (!option.value.empty()) tag += " " + italic(option.value);
  std::string text = option.text;
  if (!option.chosen.empty()) text += fmt::format(" [{}]", option.chosen);
  return tagged(tag, text);
}

std::string page_name(const CommandInfo& command) {
  std::string name = command.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string head(const CommandInfo& command, std::string_view version, std::string_view date) {
  std::string name = page_name(command), title = name;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string synopsis = usage(command).substr(command.name.size());
  return fmt::format(".TH {} 1 {} \"antipode {}\" \"User Commands\"\n", plain(title), date,
                     plain(version)) +
         section("NAME") + fmt::format("{} \\- {}\n", plain(name), plain(command.summary)) +
         section("SYNOPSIS") + bold(command.name) + plain(synopsis) + "\n";
}

std::string verbs(const CommandInfo& command) {
  std::string text = section("VERBS");
  for (const auto& [heading, below] : commands_by_heading(command)) {
    if (!heading.empty()) text += fmt::format(".SS {}\n", plain(heading));
    for (const CommandInfo& each : below)
      text += tagged(fmt::format("\\fB{}\\fR(1)", plain(page_name(each))), each.summary);
  }
  return text;
}

// What every verb reads, and what it ends with.
std::string of_program() {
  std::string text = section("GRAPHS") +
                     "A graph is a file, or \\- for standard input, or one that is generated. The "
                     "format of a file is recognized;\n.B \\-\\-format\nnames it.\n" +
                     ".SS Generated graphs\n";
  for (const Generator& each : generators())
    text += tagged(bold(fmt::format("gen:{}", each.kind)) +
                       (each.parameters.empty() ? "" : "?" + plain(each.parameters)),
                   each.summary);
  text += ".SS Formats\n";
  for (const Format& each : formats())
    text += tagged(bold(each.name) + (each.endings.empty() ? "" : " " + plain(each.endings)),
                   fmt::format("{} ({})", each.summary, each.writable ? "read, write" : "read"));
  constexpr std::pair<const char*, const char*> kCodes[] = {
      {"0", "exact answer"},
      {"1", "a bug in Antipode"},
      {"2", "usage"},
      {"3", "bad input"},
      {"4", "device or memory"},
      {"5", "stopped early; bounds printed where there are any"},
      {"6", "certificate refused"}};
  text += section("EXIT STATUS");
  for (const auto& [code, meaning] : kCodes) text += tagged(bold(code), meaning);
  constexpr std::pair<const char*, const char*> kVariables[] = {
      {"NO_COLOR", "no colour in a terminal, if it is set and not empty"},
      {"TERM", "dumb: neither colour nor a line that is drawn again and again"},
      {"OMP_NUM_THREADS", "the number of threads where --threads names none"}};
  text += section("ENVIRONMENT");
  for (const auto& [name, meaning] : kVariables) text += tagged(bold(name), meaning);
  return text;
}

}  // namespace

std::string man_page(const CommandInfo& command, const CommandInfo& program,
                     std::string_view version, std::string_view date) {
  const bool is_program = command.name == program.name;
  std::string text = head(command, version, date) + section("DESCRIPTION");
  text += plain(command.summary) + ".\n";
  for (const OptionInfo& each : command.arguments)
    text += tagged(italic(shown_name(each)), each.text);
  if (!command.commands.empty()) text += verbs(command);
  text += section("OPTIONS");
  for (const auto& [heading, below] : options_by_heading(command)) {
    text += fmt::format(".SS {}\n", plain(heading));
    for (const OptionInfo& each : below) text += option_entry(each);
  }
  if (is_program) text += of_program();
  if (!command.examples.empty()) text += section("EXAMPLES") + listing(command.examples);
  text += section("SEE ALSO");
  return text + (is_program ? bold("antipode help") + " " + italic("VERB") + "\n"
                            : fmt::format("\\fB{}\\fR(1)\n", plain(program.name)));
}

}  // namespace antipode::cli

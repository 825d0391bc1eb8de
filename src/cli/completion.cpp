// Completions for bash, zsh and fish, written from what the parser knows: verbs, options, their
// values, kinds of generated graphs, and names of files.
#include <fmt/format.h>

#include <algorithm>

#include "antipode/error.hpp"
#include "antipode/graph.hpp"
#include "cli/help.hpp"

namespace antipode::cli {

namespace {

bool takes_graph(const OptionInfo& option) {
  return option.name == "graph" || option.name == "graphs";
}
bool takes_file(const OptionInfo& option) {
  return option.type == "FILE" || option.type == "TARGET";
}

std::vector<std::string> graph_kinds() {
  std::vector<std::string> kinds;
  for (const Generator& each : generators()) kinds.push_back(fmt::format("gen:{}", each.kind));
  return kinds;
}

// The words after the name of the program that lead to a command.
std::string path_of(const CommandInfo& command) {
  const std::size_t blank = command.name.find(' ');
  return blank == std::string::npos ? "" : command.name.substr(blank + 1);
}
std::string last_word(const CommandInfo& command) {
  return command.name.substr(command.name.rfind(' ') + 1);
}
std::string function_of(const CommandInfo& command) {
  std::string name = "_" + command.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

// The command itself, and all below it.
std::vector<const CommandInfo*> all_commands(const CommandInfo& command) {
  std::vector<const CommandInfo*> all{&command};
  for (const CommandInfo& each : command.commands)
    for (const CommandInfo* below : all_commands(each)) all.push_back(below);
  return all;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// For bash and zsh; fish has other rules.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

// bash: three tables, and a function that looks at the line up to the cursor.
std::string bash_values(const OptionInfo& option) {
  if (takes_graph(option)) return "@graph";
  return takes_file(option) ? "@file" : fmt::format("{}", fmt::join(option.words, " "));
}

std::string bash_tables(const CommandInfo& program) {
  std::string commands, options, values;
  for (const CommandInfo* command : all_commands(program)) {
    std::string names, verbs;
    for (const CommandInfo& each : command->commands) verbs += last_word(each) + " ";
    for (const OptionInfo& each : command->options) {
      names += each.name + " ";
      if (each.value.empty()) continue;
      std::string pattern = quoted(command->name + " " + each.name);
      if (each.letter != 0)
        pattern += "|" + quoted(fmt::format("{} -{}", command->name, each.letter));
      values += fmt::format("    {}) REPLY={} ;;\n", pattern, quoted(bash_values(each)));
    }
    for (std::size_t i = 0; i < command->arguments.size(); ++i) {
      const OptionInfo& each = command->arguments[i];
      const std::string place = each.is_list ? "'*" : fmt::format("{}'", i + 1);
      values +=
          fmt::format("    '{} {}) REPLY={} ;;\n", command->name, place, quoted(bash_values(each)));
    }
    commands += fmt::format("    {}) REPLY={} ;;\n", quoted(command->name), quoted(verbs));
    options += fmt::format("    {}) REPLY={} ;;\n", quoted(command->name), quoted(names));
  }
  const auto table = [](std::string_view name, std::string_view says, const std::string& cases) {
    return fmt::format("{}() {{  # {}\n  case $1 in\n{}    *) REPLY=; return 1 ;;\n  esac\n}}\n\n",
                       name, says, cases);
  };
  return table("_antipode_verbs", "the verbs of a command", commands) +
         table("_antipode_options", "the options of a command", options) +
         table("_antipode_values", "what an option or an argument of a command may be", values);
}

// Bash splits words at : and =, so what is before them is left out of what it is offered.
constexpr std::string_view kBash = R"(_antipode() {
  local line=${COMP_LINE:0:COMP_POINT} command=antipode word option= skip REPLY kinds
  local -i place=1
  local current=${line##*[[:space:]]}
  local -a words
  kinds='KINDS'
  read -ra words <<< "${line%"$current"}"
  for word in "${words[@]:1}"; do
    if [[ -n $option ]]; then
      option=
    elif [[ $word == -* ]]; then
      if [[ $word != *=* ]] && _antipode_values "$command $word"; then option=$word; fi
    elif _antipode_options "$command $word"; then
      command+=" $word"
    else
      place+=1
    fi
  done
  if [[ -z $option && $current == --*=* ]]; then
    option=${current%%=*} current=${current#*=}
  fi
  COMPREPLY=()
  if [[ -n $option ]]; then
    _antipode_values "$command $option" || return
  elif [[ $current == -* ]]; then
    _antipode_options "$command"
  else
    _antipode_verbs "$command"
    [[ -n $REPLY ]] || _antipode_values "$command $place" || _antipode_values "$command *" || return
  fi
  case $REPLY in
    @graph) COMPREPLY=($(compgen -W "$kinds" -- "$current")) ;;&
    @*)
      compopt -o filenames 2> /dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
      ;;
    *) COMPREPLY=($(compgen -W "$REPLY" -- "$current")) ;;
  esac
  skip=${current%"${current##*[:=]}"}
  COMPREPLY=("${COMPREPLY[@]#"$skip"}")
}
complete -F _antipode antipode
)";

std::string bash(const CommandInfo& program) {
  return bash_tables(program) +
         replaced(std::string(kBash), "KINDS", fmt::format("{}", fmt::join(graph_kinds(), " ")));
}

// zsh: a function for each command.
std::string zsh_text(const std::string& text) {
  std::string result = text;
  for (const char* sign : {"\\", "[", "]", ":"})
    result = replaced(result, sign, std::string("\\") + sign);
  return result;
}

std::string zsh_values(const OptionInfo& option) {
  if (takes_graph(option)) return "_antipode_graph";
  if (takes_file(option)) return "_files";
  return option.words.empty() ? " " : fmt::format("({})", fmt::join(option.words, " "));
}

std::string zsh_arguments(const CommandInfo& command) {
  std::string text;
  for (const OptionInfo& each : command.options) {
    std::string spec = "[" + zsh_text(each.text) + "]";
    if (!each.value.empty()) spec += ":" + each.value + ":" + zsh_values(each);
    if (each.letter == 0)
      text += fmt::format(" \\\n    {}", quoted(each.name + spec));
    else
      text +=
          fmt::format(" \\\n    '(-{0} {1})'{{-{0},{1}}}{2}", each.letter, each.name, quoted(spec));
  }
  for (const OptionInfo& each : command.arguments)
    text += fmt::format(" \\\n    {}", quoted(fmt::format("{}:{}:{}", each.is_list ? "*" : "",
                                                          shown_name(each), zsh_values(each))));
  return text;
}

std::string zsh_function(const CommandInfo& command) {
  if (command.commands.empty())
    return fmt::format("{}() {{\n  _arguments -s{}\n}}\n\n", function_of(command),
                       zsh_arguments(command));
  std::string verbs, cases;
  for (const CommandInfo& each : command.commands) {
    verbs += "      " + quoted(zsh_text(last_word(each)) + ":" + each.summary) + "\n";
    cases += fmt::format("        {}) {} ;;\n", last_word(each), function_of(each));
  }
  return fmt::format(
      "{}() {{\n  local curcontext=$curcontext state line\n"
      "  _arguments -C{} \\\n    '1:verb:->verb' '*::argument:->rest' && return\n"
      "  case $state in\n    verb)\n      local -a verbs=(\n{}      )\n"
      "      _describe verb verbs\n      ;;\n    rest)\n      case $words[1] in\n{}      esac\n"
      "      ;;\n  esac\n}}\n\n",
      function_of(command), zsh_arguments(command), verbs, cases);
}

std::string zsh(const CommandInfo& program) {
  std::string text = fmt::format(
      "_antipode_graph() {{\n  local -i found=1\n  compadd -- {} && found=0\n"
      "  _files && found=0\n  return found\n}}\n\n",
      fmt::join(graph_kinds(), " "));
  for (const CommandInfo* each : all_commands(program)) text += zsh_function(*each);
  return text +
         "if [[ $funcstack[1] == _antipode ]]; then\n  _antipode \"$@\"\nelse\n"
         "  compdef _antipode antipode\nfi\n";
}

// fish: a rule for each verb, option and argument.
std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_values(const OptionInfo& option) {
  if (takes_graph(option)) return fmt::format(" -F -a '{}'", fmt::join(graph_kinds(), " "));
  if (takes_file(option)) return " -F";
  return option.words.empty() ? "" : fmt::format(" -a '{}'", fmt::join(option.words, " "));
}

std::string fish(const CommandInfo& program) {
  std::string text =
      "# Whether the words of the line are these verbs, -ge: and more.\n"
      "function __antipode_at\n  set -l words (commandline -opc | string match -v -- '-*')\n"
      "  test (count $words) $argv[1] (count $argv); or return\n"
      "  for i in (seq 2 (count $argv))\n    test $words[$i] = $argv[$i]; or return\n  end\n"
      "end\n\ncomplete -c antipode -f\n";
  for (const CommandInfo* command : all_commands(program)) {
    const std::string at = fmt::format(
        "__antipode_at {} {}", command->commands.empty() ? "-ge" : "-eq", path_of(*command));
    for (const CommandInfo& each : command->commands)
      text += fmt::format("complete -c antipode -n {} -a {} -d {}\n", fish_quoted(at),
                          last_word(each), fish_quoted(each.summary));
    for (const OptionInfo& each : command->options) {
      text += fmt::format("complete -c antipode -n {}", fish_quoted(at));
      if (each.letter != 0) text += fmt::format(" -s {}", each.letter);
      text += fmt::format(" -l {} -d {}", each.name.substr(2), fish_quoted(each.text));
      text += each.value.empty()
                  ? "\n"
                  : " -r" + (takes_file(each) ? "" : std::string(" -f")) + fish_values(each) + "\n";
    }
    for (const OptionInfo& each : command->arguments)
      text += fmt::format("complete -c antipode -n {}{}\n", fish_quoted(at), fish_values(each));
  }
  return text;
}

}  // namespace

std::string completion(const CommandInfo& program, std::string_view shell) {
  const std::string head = fmt::format("# Written by 'antipode help --completion {}'.\n\n", shell);
  if (shell == "bash") return head + bash(program);
  if (shell == "fish") return head + fish(program);
  if (shell == "zsh") return "#compdef antipode\n" + head + zsh(program);
  throw UsageError("completions are for bash, zsh and fish");
}

}  // namespace antipode::cli

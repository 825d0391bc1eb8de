#include "certificate_dicts.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <charconv>

#include "dict_fields.hpp"

namespace antipode::python {

namespace {

constexpr std::string_view kSchema = "antipode-certificate/1";
constexpr std::string_view kPathSchema = "antipode-path-certificate/1";

constexpr Named<Question> kQuestions[] = {{Question::diameter, "diameter"},
                                          {Question::radius, "radius"},
                                          {Question::center, "center"},
                                          {Question::periphery, "periphery"},
                                          {Question::eccentricity, "eccentricity"}};
constexpr Named<Fact::Rule> kRules[] = {
    {Fact::Rule::eccentricity, "eccentricity"},   {Fact::Rule::reach, "reach"},
    {Fact::Rule::reach_outside, "reach-outside"}, {Fact::Rule::ball, "ball"},
    {Fact::Rule::clique_ball, "clique-ball"},     {Fact::Rule::twins, "twins"},
    {Fact::Rule::pendant_paths, "stems"}};
using PathRule = PathFact::Rule;
constexpr Named<PathRule> kPathRules[] = {
    {PathRule::hub, "hub"},     {PathRule::hub_outside, "hub-outside"},
    {PathRule::split, "split"}, {PathRule::tails, "tails"},
    {PathRule::heads, "heads"}, {PathRule::components, "components"},
    {PathRule::lower, "lower"}, {PathRule::upper, "upper"}};
constexpr Named<PathFact::Side> kSides[] = {{PathFact::Side::tails, "tails"},
                                            {PathFact::Side::heads, "heads"}};
constexpr Named<Along> kAlong[] = {{Along::arcs, "arcs"}, {Along::reversed_arcs, "reversed-arcs"}};
constexpr Named<PathCertificate::Scope> kScopes[] = {
    {PathCertificate::Scope::reachable, "reachable"}, {PathCertificate::Scope::largest, "largest"}};

bool is_about_center(Question question) {
  return question == Question::radius || question == Question::center;
}
bool has_members(Question question) {
  return question == Question::center || question == Question::periphery;
}

std::string hex(std::uint64_t number) {
  std::array<char, 16> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + 16, number, 16);
  const std::string text(digits.data(), end);
  return std::string(16 - text.size(), '0') + text;
}

nb::dict to_dict(const Fingerprint& graph) {
  nb::dict result;
  result["vertices"] = graph.order;
  result["edges"] = graph.size;
  result["hash"] = hex(graph.hash);
  return result;
}

Fingerprint fingerprint_from(nb::handle object) {
  DictFields fields(object, "'graph'");
  const auto order = fields.number<Vertex>("vertices");
  const auto size = fields.number<EdgeOffset>("edges");
  const Fingerprint result{order, size, fields.hex("hash")};
  fields.finish();
  return result;
}

Fact fact_from(nb::handle object) {
  DictFields fields(object, "a fact");
  Fact fact;
  fact.rule = fields.word("rule", kRules);
  fact.vertices = fields.texts("vertices");
  fact.value = fields.number<Distance>("value");
  fact.left = fields.number<Vertex>("left");
  fields.finish();
  return fact;
}

Certificate certificate_of_edges(nb::handle object) {
  DictFields fields(object, "the certificate");
  fields.at("schema");
  Certificate result;
  result.question = fields.word("question", kQuestions);
  result.graph = fingerprint_from(fields.at("graph"));
  DictFields component(fields.at("component"), "'component'");
  result.component_order = component.number<Vertex>("vertices");
  result.component_size = component.number<EdgeOffset>("edges");
  component.finish();
  result.value = fields.number<Distance>("value");
  result.path = fields.texts("path");
  fields.for_each("facts", [&](nb::handle fact) { result.facts.push_back(fact_from(fact)); });
  if (has_members(result.question)) result.members = fields.texts("members");
  if (result.question == Question::eccentricity)
    result.distribution = fields.numbers<Vertex>("distribution");
  fields.finish();
  return result;
}

bool has_vertex(PathRule rule) {
  return rule == PathRule::hub || rule == PathRule::hub_outside || rule == PathRule::split ||
         rule == PathRule::components;
}
bool is_hub(PathRule rule) { return rule == PathRule::hub || rule == PathRule::hub_outside; }
bool has_group(PathRule rule) { return !is_hub(rule) && rule != PathRule::split; }
bool has_left(PathRule rule) { return rule != PathRule::lower && rule != PathRule::upper; }

// A rule has the fields that it needs and no others.
nb::dict to_dict(const PathFact& fact) {
  nb::dict result;
  result["rule"] = name_in(kPathRules, fact.rule);
  if (has_vertex(fact.rule)) result["vertex"] = fact.vertex;
  if (is_hub(fact.rule)) {
    result["heads"] = fact.value;
    result["tails"] = fact.other;
  }
  if (fact.rule == PathRule::components) {
    result["side"] = name_in(kSides, fact.side);
    result["along"] = name_in(kAlong, fact.along);
  }
  if (has_group(fact.rule)) result["vertices"] = fact.group;
  if (fact.rule == PathRule::upper)
    result["values"] = fact.values;
  else if (!is_hub(fact.rule))
    result["value"] = fact.value;
  if (has_left(fact.rule)) result["left"] = fact.left;
  return result;
}

PathFact path_fact_from(nb::handle object) {
  DictFields fields(object, "a fact");
  PathFact fact;
  fact.rule = fields.word("rule", kPathRules);
  if (has_vertex(fact.rule)) fact.vertex = fields.text("vertex");
  if (is_hub(fact.rule)) {
    fact.value = fields.number<Length>("heads");
    fact.other = fields.number<Length>("tails");
  }
  if (fact.rule == PathRule::components) {
    fact.side = fields.word("side", kSides);
    fact.along = fields.word("along", kAlong);
  }
  if (has_group(fact.rule)) fact.group = fields.texts("vertices");
  if (fact.rule == PathRule::upper)
    fact.values = fields.numbers<Length>("values");
  else if (!is_hub(fact.rule))
    fact.value = fields.number<Length>("value");
  if (has_left(fact.rule)) fact.left = fields.number<std::uint64_t>("left");
  fields.finish();
  return fact;
}

PathCertificate certificate_of_paths(nb::handle object) {
  DictFields fields(object, "the certificate");
  fields.at("schema");
  PathCertificate result;
  result.question = fields.word("question", kQuestions);
  result.graph = fingerprint_from(fields.at("graph"));
  result.directed = fields.truth("directed");
  result.weighted = fields.truth("weighted");
  DictFields scope(fields.at("scope"), "'scope'");
  result.scope = scope.word("pairs", kScopes);
  result.order = scope.number<Vertex>("vertices");
  result.size = scope.number<EdgeOffset>("edges");
  scope.finish();
  result.value = fields.number<Length>("value");
  result.text = fields.text("text");
  result.path = fields.texts("path");
  fields.for_each("facts", [&](nb::handle fact) { result.facts.push_back(path_fact_from(fact)); });
  if (is_about_center(result.question)) result.reach_all = fields.number<Vertex>("reach_all");
  if (has_members(result.question)) result.members = fields.texts("members");
  if (result.question == Question::eccentricity) {
    result.along = fields.word("along", kAlong);
    result.digest = fields.hex("digest");
  }
  fields.finish();
  return result;
}

}  // namespace

std::uint64_t DictFields::hex(const char* key) {
  const std::string digits = text(key);
  std::uint64_t number = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, number, 16);
  if (digits.size() != 16 || error != std::errc{} || end != last)
    throw NoCertificate("'" + std::string(key) + "' is not 16 hexadecimal digits");
  return number;
}

Question question_of(std::string_view name) {
  for (const auto& [question, each] : kQuestions)
    if (each == name) return question;
  throw UsageError("no question is called '" + std::string(name) + "'");
}

std::string_view name_of(Question question) { return name_in(kQuestions, question); }

nb::dict to_dict(const Certificate& certificate) {
  nb::dict result, component;
  result["schema"] = kSchema;
  result["question"] = name_of(certificate.question);
  result["graph"] = to_dict(certificate.graph);
  component["vertices"] = certificate.component_order;
  component["edges"] = certificate.component_size;
  result["component"] = component;
  result["value"] = certificate.value;
  result["path"] = certificate.path;
  nb::list facts;
  for (const Fact& fact : certificate.facts) {
    nb::dict each;
    each["rule"] = name_in(kRules, fact.rule);
    each["vertices"] = fact.vertices;
    each["value"] = fact.value;
    each["left"] = fact.left;
    facts.append(each);
  }
  result["facts"] = facts;
  if (has_members(certificate.question)) result["members"] = certificate.members;
  if (certificate.question == Question::eccentricity)
    result["distribution"] = certificate.distribution;
  return result;
}

nb::dict to_dict(const PathCertificate& certificate) {
  nb::dict result, scope;
  result["schema"] = kPathSchema;
  result["question"] = name_of(certificate.question);
  result["graph"] = to_dict(certificate.graph);
  result["directed"] = certificate.directed;
  result["weighted"] = certificate.weighted;
  scope["pairs"] = name_in(kScopes, certificate.scope);
  scope["vertices"] = certificate.order;
  scope["edges"] = certificate.size;
  result["scope"] = scope;
  result["value"] = certificate.value;
  result["text"] = certificate.text;
  result["path"] = certificate.path;
  nb::list facts;
  for (const PathFact& fact : certificate.facts) facts.append(to_dict(fact));
  result["facts"] = facts;
  if (is_about_center(certificate.question)) result["reach_all"] = certificate.reach_all;
  if (has_members(certificate.question)) result["members"] = certificate.members;
  if (certificate.question == Question::eccentricity) {
    result["along"] = name_in(kAlong, certificate.along);
    result["digest"] = hex(certificate.digest);
  }
  return result;
}

AnyCertificate certificate_from(nb::handle object) {
  const std::string schema = DictFields(object, "the certificate").text("schema");
  if (schema == kSchema) return certificate_of_edges(object);
  if (schema == kPathSchema) return certificate_of_paths(object);
  throw NoCertificate("its schema is neither " + std::string(kSchema) + " nor " +
                      std::string(kPathSchema));
}

}  // namespace antipode::python

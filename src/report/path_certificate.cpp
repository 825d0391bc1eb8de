// Certificates with lengths and directions to and from JSON; format in docs/paths.md,
// "Certificates". A rule has the fields that it needs and no others.
#include <algorithm>

#include "report/certificate_fields.hpp"

namespace antipode::report {

namespace {

using Rule = PathFact::Rule;
using Side = PathFact::Side;
using Scope = PathCertificate::Scope;

template <class Value>
using Name = std::pair<Value, std::string_view>;

constexpr Name<Rule> kRules[] = {
    {Rule::hub, "hub"},     {Rule::hub_outside, "hub-outside"},
    {Rule::split, "split"}, {Rule::tails, "tails"},
    {Rule::heads, "heads"}, {Rule::components, "components"},
    {Rule::lower, "lower"}, {Rule::upper, "upper"},
};
constexpr Name<Side> kSides[] = {{Side::tails, "tails"}, {Side::heads, "heads"}};
constexpr Name<Along> kAlong[] = {{Along::arcs, "arcs"}, {Along::reversed_arcs, "reversed-arcs"}};
constexpr Name<Scope> kScopes[] = {{Scope::reachable, "reachable"}, {Scope::largest, "largest"}};

template <class Value, std::size_t kCount>
std::string_view name_of(const Name<Value> (&names)[kCount], Value value) {
  return std::find_if(std::begin(names), std::end(names),
                      [value](const auto& entry) { return entry.first == value; })
      ->second;
}

template <class Value, std::size_t kCount>
Value value_of(const Name<Value> (&names)[kCount], const std::string& name) {
  const auto found = std::find_if(std::begin(names), std::end(names),
                                  [&](const auto& entry) { return entry.second == name; });
  if (found == std::end(names)) throw NoCertificate{"unknown word '" + name + "'"};
  return found->first;
}

bool truth(const Json& value, const char* key) {
  if (!value.is_boolean()) throw NoCertificate{fmt::format("'{}' is neither true nor false", key)};
  return value.get<bool>();
}

bool has_center(const PathCertificate& certificate) {
  return certificate.question == Question::radius || certificate.question == Question::center;
}
bool has_members(const PathCertificate& certificate) {
  return certificate.question == Question::center || certificate.question == Question::periphery;
}

Json json_of(const PathFact& fact) {
  Json json = {{"rule", name_of(kRules, fact.rule)}};
  switch (fact.rule) {
    case Rule::hub:
    case Rule::hub_outside:
      json["vertex"] = fact.vertex;
      json["heads"] = fact.value;
      json["tails"] = fact.other;
      break;
    case Rule::split:
      json["vertex"] = fact.vertex;
      json["value"] = fact.value;
      break;
    case Rule::components:
      json["vertex"] = fact.vertex;
      json["side"] = name_of(kSides, fact.side);
      json["along"] = name_of(kAlong, fact.along);
      [[fallthrough]];
    case Rule::tails:
    case Rule::heads:
      json["vertices"] = fact.group;
      json["value"] = fact.value;
      break;
    case Rule::lower:
      json["vertices"] = fact.group;
      json["value"] = fact.value;
      return json;
    case Rule::upper:
      json["vertices"] = fact.group;
      json["values"] = fact.values;
      return json;
  }
  json["left"] = fact.left;
  return json;
}

PathFact fact_from(const Json& json) {
  Fields fields(json, "a fact");
  PathFact fact;
  fact.rule = value_of(kRules, fields.text("rule"));
  switch (fact.rule) {
    case Rule::hub:
    case Rule::hub_outside:
      fact.vertex = fields.text("vertex");
      fact.value = fields.number<Length>("heads");
      fact.other = fields.number<Length>("tails");
      break;
    case Rule::split:
      fact.vertex = fields.text("vertex");
      fact.value = fields.number<Length>("value");
      break;
    case Rule::components:
      fact.vertex = fields.text("vertex");
      fact.side = value_of(kSides, fields.text("side"));
      fact.along = value_of(kAlong, fields.text("along"));
      [[fallthrough]];
    case Rule::tails:
    case Rule::heads:
    case Rule::lower:
      fact.group = fields.texts("vertices");
      fact.value = fields.number<Length>("value");
      break;
    case Rule::upper:
      fact.group = fields.texts("vertices");
      fact.values = fields.numbers<Length>("values");
      break;
  }
  if (fact.rule != Rule::lower && fact.rule != Rule::upper)
    fact.left = fields.number<std::uint64_t>("left");
  fields.finish();
  return fact;
}

}  // namespace

std::string to_json(const PathCertificate& certificate) {
  Json json = {{"schema", kPathCertificateSchema},
               {"question", question_name(certificate.question)},
               {"graph", to_json(certificate.graph)},
               {"directed", certificate.directed},
               {"weighted", certificate.weighted},
               {"scope",
                {{"pairs", name_of(kScopes, certificate.scope)},
                 {"vertices", certificate.order},
                 {"edges", certificate.size}}},
               {"value", certificate.value},
               {"text", certificate.text},
               {"path", certificate.path}};
  Json facts = Json::array();
  for (const PathFact& fact : certificate.facts) facts.push_back(json_of(fact));
  json["facts"] = std::move(facts);
  if (has_center(certificate)) json["reach_all"] = certificate.reach_all;
  if (has_members(certificate)) json["members"] = certificate.members;
  if (certificate.question == Question::eccentricity) {
    json["along"] = name_of(kAlong, certificate.along);
    json["digest"] = fmt::format("{:016x}", certificate.digest);
  }
  return dump(json, 1);
}

PathCertificate path_certificate_from(const Json& json) {
  Fields fields(json, "the certificate");
  fields.at("schema");
  PathCertificate certificate;
  certificate.question = question_from(fields.text("question"));
  certificate.graph = fingerprint_from(fields.at("graph"));
  certificate.directed = truth(fields.at("directed"), "directed");
  certificate.weighted = truth(fields.at("weighted"), "weighted");
  Fields scope(fields.at("scope"), "'scope'");
  certificate.scope = value_of(kScopes, scope.text("pairs"));
  certificate.order = scope.number<Vertex>("vertices");
  certificate.size = scope.number<EdgeOffset>("edges");
  scope.finish();
  certificate.value = fields.number<Length>("value");
  certificate.text = fields.text("text");
  certificate.path = fields.texts("path");
  const Json& facts = fields.at("facts");
  if (!facts.is_array()) throw NoCertificate{"'facts' is no list"};
  for (const Json& fact : facts) certificate.facts.push_back(fact_from(fact));
  if (has_center(certificate)) certificate.reach_all = fields.number<Vertex>("reach_all");
  if (has_members(certificate)) certificate.members = fields.texts("members");
  if (certificate.question == Question::eccentricity) {
    certificate.along = value_of(kAlong, fields.text("along"));
    certificate.digest = number_from_hex(fields.text("digest"), "digest");
  }
  fields.finish();
  return certificate;
}

}  // namespace antipode::report

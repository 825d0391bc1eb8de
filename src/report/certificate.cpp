// Certificates to and from JSON; format in docs/definitions.md, "Certificates".
#include <algorithm>

#include "antipode/error.hpp"
#include "report/certificate_fields.hpp"

namespace antipode::report {

namespace {

constexpr std::string_view kCertificateSchema = "antipode-certificate/1";

constexpr std::pair<Fact::Rule, std::string_view> kRules[] = {
    {Fact::Rule::eccentricity, "eccentricity"},   {Fact::Rule::reach, "reach"},
    {Fact::Rule::reach_outside, "reach-outside"}, {Fact::Rule::ball, "ball"},
    {Fact::Rule::clique_ball, "clique-ball"},     {Fact::Rule::twins, "twins"},
    {Fact::Rule::pendant_paths, "stems"},
};

std::string_view rule_name(Fact::Rule rule) {
  return std::find_if(std::begin(kRules), std::end(kRules),
                      [rule](const auto& entry) { return entry.first == rule; })
      ->second;
}

Fact fact_from(const Json& json) {
  Fields fields(json, "a fact");
  Fact fact;
  const std::string rule = fields.text("rule");
  const auto found = std::find_if(std::begin(kRules), std::end(kRules),
                                  [&](const auto& entry) { return entry.second == rule; });
  if (found == std::end(kRules)) throw NoCertificate{"unknown rule '" + rule + "'"};
  fact.rule = found->first;
  fact.vertices = fields.texts("vertices");
  fact.value = fields.number<Distance>("value");
  fact.left = fields.number<Vertex>("left");
  fields.finish();
  return fact;
}

Certificate certificate_from(const Json& json) {
  Fields fields(json, "the certificate");
  if (fields.text("schema") != kCertificateSchema)
    throw NoCertificate{"its schema is neither " + std::string(kCertificateSchema) + " nor " +
                        std::string(kPathCertificateSchema)};
  Certificate certificate;
  certificate.question = question_from(fields.text("question"));
  certificate.graph = fingerprint_from(fields.at("graph"));
  Fields component(fields.at("component"), "'component'");
  certificate.component_order = component.number<Vertex>("vertices");
  certificate.component_size = component.number<EdgeOffset>("edges");
  component.finish();
  certificate.value = fields.number<Distance>("value");
  certificate.path = fields.texts("path");
  const Json& facts = fields.at("facts");
  if (!facts.is_array()) throw NoCertificate{"'facts' is no list"};
  for (const Json& fact : facts) certificate.facts.push_back(fact_from(fact));
  if (certificate.question == Question::center || certificate.question == Question::periphery)
    certificate.members = fields.texts("members");
  if (certificate.question == Question::eccentricity)
    certificate.distribution = fields.numbers<Vertex>("distribution");
  fields.finish();
  return certificate;
}

}  // namespace

std::string to_json(const Certificate& certificate) {
  Json json = {{"schema", kCertificateSchema},
               {"question", question_name(certificate.question)},
               {"graph", to_json(certificate.graph)},
               {"component",
                {{"vertices", certificate.component_order}, {"edges", certificate.component_size}}},
               {"value", certificate.value},
               {"path", certificate.path}};
  Json facts = Json::array();
  for (const Fact& fact : certificate.facts)
    facts.push_back({{"rule", rule_name(fact.rule)},
                     {"vertices", fact.vertices},
                     {"value", fact.value},
                     {"left", fact.left}});
  json["facts"] = std::move(facts);
  if (certificate.question == Question::center || certificate.question == Question::periphery)
    json["members"] = certificate.members;
  if (certificate.question == Question::eccentricity)
    json["distribution"] = certificate.distribution;
  return dump(json, 1);
}

std::optional<AnyCertificate> parse_any_certificate(const std::string& name,
                                                    const std::string& text, std::string& why,
                                                    const std::function<void()>& pause) {
  try {
    const Json json = Json::parse(text, Plain(pause));
    const auto schema = json.is_object() ? json.find("schema") : json.end();
    if (schema != json.end() && *schema == std::string(kPathCertificateSchema))
      return path_certificate_from(json);
    return certificate_from(json);
  } catch (const Json::exception& error) {
    throw InputError(name, std::string("not JSON: ") + error.what());
  } catch (const NoCertificate& no) {
    why = no.why;
    return std::nullopt;
  }
}

std::optional<Certificate> parse_certificate(const std::string& name, const std::string& text,
                                             std::string& why, const std::function<void()>& pause) {
  auto parsed = parse_any_certificate(name, text, why, pause);
  if (!parsed) return std::nullopt;
  if (auto* certificate = std::get_if<Certificate>(&*parsed)) return std::move(*certificate);
  why = "it is about lengths or directions";
  return std::nullopt;
}

namespace {

// What a certificate of either kind says.
struct Claim {
  Question question = Question::diameter;
  Json value;
  std::string text;
  std::size_t facts = 0;
};
Claim claim_of(const Certificate& certificate, const LengthUnit&) {
  return {certificate.question, certificate.value, std::to_string(certificate.value),
          certificate.facts.size()};
}
Claim claim_of(const PathCertificate& certificate, const LengthUnit& unit) {
  const bool is_center =
      certificate.question == Question::radius || certificate.question == Question::center;
  if (is_center && certificate.reach_all == 0)
    return {certificate.question, Json(), "undefined", certificate.facts.size()};
  return {certificate.question, length_json(certificate.value, unit), certificate.text,
          certificate.facts.size()};
}

}  // namespace

std::string render(const Context& context, const VerdictReport& answer, Style style) {
  const auto& [certificate, verdict, stopped] = answer;
  const Claim claim =
      certificate
          ? std::visit([&](const auto& each) { return claim_of(each, context.unit); }, *certificate)
          : Claim{};
  if (style == Style::json) {
    const auto question = certificate ? Json(question_name(claim.question)) : Json();
    const auto proved = verdict.accepted ? claim.value : Json();
    const auto value = stopped ? Json() : Json(verdict.accepted);
    return json_text(context, {{"value", value},
                               {"exact", !stopped},
                               {"question", question},
                               {"proved", proved},
                               {"reason", verdict.reason},
                               {"facts", claim.facts},
                               {"searches", verdict.searches}});
  }
  if (stopped)
    return "not decided: stopped before every fact was checked\n" + context_lines(context);
  if (!verdict.accepted) return fmt::format("refused: {}\n", printable(verdict.reason));
  return fmt::format("accepted: {} {} of {}\n  facts     {}\n  searches  {}\n",
                     question_name(claim.question), claim.text, printable(context.graph_name),
                     group_digits(claim.facts), group_digits(verdict.searches)) +
         context_lines(context);
}

}  // namespace antipode::report

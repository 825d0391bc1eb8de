// Certificates to and from JSON; format in docs/definitions.md, "Certificates".
#include <algorithm>
#include <charconv>
#include <set>

#include "antipode/error.hpp"
#include "report/common.hpp"

namespace antipode::report {

namespace {

constexpr std::string_view kCertificateSchema = "antipode-certificate/1";

constexpr std::pair<Fact::Rule, std::string_view> kRules[] = {
    {Fact::Rule::eccentricity, "eccentricity"},   {Fact::Rule::reach, "reach"},
    {Fact::Rule::reach_outside, "reach-outside"}, {Fact::Rule::ball, "ball"},
    {Fact::Rule::clique_ball, "clique-ball"},     {Fact::Rule::twins, "twins"},
    {Fact::Rule::pendant_paths, "stems"},
};
constexpr Question kQuestions[] = {Question::diameter, Question::radius, Question::center,
                                   Question::periphery, Question::eccentricity};

std::string_view rule_name(Fact::Rule rule) {
  return std::find_if(std::begin(kRules), std::end(kRules),
                      [rule](const auto& entry) { return entry.first == rule; })
      ->second;
}

struct NoCertificate {
  std::string why;
};

// Fields of an object, each required and of the right type, and no other.
class Fields {
 public:
  Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) throw NoCertificate{where_ + " is no object"};
  }
  const Json& at(const char* key) {
    ++used_;
    const auto found = object_.find(key);
    if (found == object_.end())
      throw NoCertificate{fmt::format("{} has no field '{}'", where_, key)};
    return *found;
  }
  template <class Number>
  Number number(const char* key) {
    return checked_number<Number>(at(key), key);
  }
  std::string text(const char* key) {
    const Json& value = at(key);
    if (!value.is_string()) throw NoCertificate{fmt::format("'{}' is no text", key)};
    return value.get<std::string>();
  }
  std::vector<std::string> texts(const char* key) {
    const Json& list = at(key);
    std::vector<std::string> result;
    if (!list.is_array()) throw NoCertificate{fmt::format("'{}' is no list", key)};
    for (const Json& item : list) {
      if (!item.is_string())
        throw NoCertificate{fmt::format("'{}' holds something that is no text", key)};
      result.push_back(item.get<std::string>());
    }
    return result;
  }
  std::vector<Vertex> numbers(const char* key) {
    const Json& list = at(key);
    std::vector<Vertex> result;
    if (!list.is_array()) throw NoCertificate{fmt::format("'{}' is no list", key)};
    for (const Json& item : list) result.push_back(checked_number<Vertex>(item, key));
    return result;
  }
  void finish() const {
    if (used_ != object_.size()) throw NoCertificate{where_ + " has fields that mean nothing"};
  }

 private:
  template <class Number>
  static Number checked_number(const Json& value, const char* key) {
    if (!value.is_number_unsigned() ||
        value.get<std::uint64_t>() > std::numeric_limits<Number>::max())
      throw NoCertificate{fmt::format("'{}' is no number of its range", key)};
    return static_cast<Number>(value.get<std::uint64_t>());
  }

  const Json& object_;
  std::string where_;
  std::size_t used_ = 0;
};

// Asked while a text is parsed: refuses a key that an object has already (JSON's readers differ on
// which one counts), more keys than a certificate has, and lists in lists without end.
class Plain {
 public:
  explicit Plain(const std::function<void()>& pause) : pause_(pause) {}
  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    constexpr int kDeepest = 16;
    constexpr std::size_t kFields = 32;  // more than any object of a certificate has
    constexpr std::uint64_t kBetween = 1 << 16;
    if (++events_ % kBetween == 0 && pause_) pause_();
    if (depth > kDeepest)
      throw NoCertificate{fmt::format("it is nested more than {} deep", kDeepest)};
    const auto level = static_cast<std::size_t>(depth);
    if (event == Json::parse_event_t::object_start) {
      keys_.resize(level + 2);
      keys_[level + 1].clear();
    } else if (event == Json::parse_event_t::key) {
      if (!keys_[level].insert(parsed.get<std::string>()).second)
        throw NoCertificate{
            fmt::format("an object has the field '{}' twice", parsed.get<std::string>())};
      if (keys_[level].size() > kFields) throw NoCertificate{"an object has too many fields"};
    }
    return true;
  }

 private:
  const std::function<void()>& pause_;
  std::uint64_t events_ = 0;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open, by their depth
};

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

std::uint64_t hash_from(const std::string& text) {
  std::uint64_t hash = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  if (error != std::errc{} || end != text.data() + text.size() || text.size() != 16)
    throw NoCertificate{"the graph's hash is not 16 hexadecimal digits"};
  return hash;
}

Certificate certificate_from(const Json& json) {
  Fields fields(json, "the certificate");
  if (fields.text("schema") != kCertificateSchema)
    throw NoCertificate{"its schema is not " + std::string(kCertificateSchema)};
  Certificate certificate;
  const std::string question = fields.text("question");
  const auto found = std::find_if(std::begin(kQuestions), std::end(kQuestions),
                                  [&](Question q) { return question_name(q) == question; });
  if (found == std::end(kQuestions)) throw NoCertificate{"unknown question '" + question + "'"};
  certificate.question = *found;
  Fields graph(fields.at("graph"), "'graph'");
  certificate.graph = {graph.number<Vertex>("vertices"), graph.number<EdgeOffset>("edges"),
                       hash_from(graph.text("hash"))};
  graph.finish();
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
    certificate.distribution = fields.numbers("distribution");
  fields.finish();
  return certificate;
}

}  // namespace

std::string to_json(const Certificate& certificate) {
  Json json = {{"schema", kCertificateSchema},
               {"question", question_name(certificate.question)},
               {"graph",
                {{"vertices", certificate.graph.order},
                 {"edges", certificate.graph.size},
                 {"hash", fmt::format("{:016x}", certificate.graph.hash)}}},
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

std::optional<Certificate> parse_certificate(const std::string& name, const std::string& text,
                                             std::string& why, const std::function<void()>& pause) {
  try {
    return certificate_from(Json::parse(text, Plain(pause)));
  } catch (const Json::exception& error) {
    throw InputError(name, std::string("not JSON: ") + error.what());
  } catch (const NoCertificate& no) {
    why = no.why;
    return std::nullopt;
  }
}

std::string render(const Context& context, const VerdictReport& answer, Style style) {
  const auto& [certificate, verdict, stopped] = answer;
  if (style == Style::json) {
    const auto question = certificate ? Json(question_name(certificate->question)) : Json();
    const auto proved = verdict.accepted ? Json(certificate->value) : Json();
    const auto value = stopped ? Json() : Json(verdict.accepted);
    return json_text(context, {{"value", value},
                               {"exact", !stopped},
                               {"question", question},
                               {"proved", proved},
                               {"reason", verdict.reason},
                               {"facts", certificate ? certificate->facts.size() : 0},
                               {"searches", verdict.searches}});
  }
  if (stopped)
    return "not decided: stopped before every fact was checked\n" + context_lines(context);
  if (!verdict.accepted) return fmt::format("refused: {}\n", printable(verdict.reason));
  return fmt::format("accepted: {} {} of {}\n  facts     {}\n  searches  {}\n",
                     question_name(certificate->question), certificate->value,
                     printable(context.graph_name), group_digits(certificate->facts.size()),
                     group_digits(verdict.searches)) +
         context_lines(context);
}

}  // namespace antipode::report

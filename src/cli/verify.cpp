// antipode verify
#include <chrono>

#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "antipode/path_certificate.hpp"
#include "cli/estimate.hpp"
#include "graph/limits.hpp"

namespace antipode::cli {

namespace {

struct Options {
  CommonOptions common;
  std::string certificate;
};

// A parsed byte takes up to 32; no certificate has more than a GiB.
std::optional<report::AnyCertificate> read_certificate(const Options& options, std::string& why) {
  const LoadWatch watch(options.common);
  const std::string text =
      text_of(options.certificate, {.most = std::uint64_t{1} << 30, .memory_per_byte = 32});
  return report::parse_any_certificate(options.certificate, text, why, stop_if_asked);
}

ExitCode refuse(const Options& options, const std::string& why) {
  report::Context context;
  context.measure = "verify";
  const Verdict verdict{false, options.certificate + " is no certificate: " + why, 0};
  print_answer(report::render(context, report::VerdictReport{{}, verdict}, options.common.style()),
               options.common.style());
  return kRefused;
}

// The graph is read as the certificate says; options may say the same.
void read_as(CommonOptions& common, const report::AnyCertificate& any) {
  const auto* certificate = std::get_if<PathCertificate>(&any);
  const bool directed = certificate && certificate->directed,
             weighted = certificate && certificate->weighted;
  if (common.directed && !directed)
    throw UsageError("--directed: the certificate is about a graph without directions");
  if (common.weighted && !weighted)
    throw UsageError("--weighted: the certificate is about a graph without lengths");
  common.directed = directed;
  common.weighted = weighted;
}

// From the searches of the path and of a few vertices of the first fact.
ExitCode print_verify_estimate(Session& session, const PathCertificate& certificate) {
  constexpr std::size_t kTimed = 8;
  const std::uint64_t each_hub = certificate.directed ? 2 : 1;
  std::uint64_t all = 1;
  for (const PathFact& fact : certificate.facts)
    all += fact.group.size() + (fact.vertex.empty() ? 0 : each_hub);
  PathCertificate few = certificate;
  few.facts.resize(std::min<std::size_t>(few.facts.size(), 1));
  for (PathFact& fact : few.facts) {
    fact.group.resize(std::min(fact.group.size(), kTimed));
    fact.values.resize(std::min(fact.values.size(), kTimed));
  }
  const auto start = std::chrono::steady_clock::now();
  Observer observer;
  const std::uint64_t timed = verify_paths(few, session.whole(), observer).searches;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  session.finish_phase("estimate");
  all = std::max(all, timed);
  session.print(report::EstimateReport{
      all, timed,
      seconds * static_cast<double>(all) / static_cast<double>(std::max<std::uint64_t>(timed, 1))});
  return kExact;
}

Verdict verdict_on(const Certificate& certificate, const Graph& whole, Observer& observer) {
  return verify(certificate, whole, observer);
}
Verdict verdict_on(const PathCertificate& certificate, const Graph& whole, Observer& observer) {
  return verify_paths(certificate, whole, observer);
}

void set_used(report::Context& context, const Certificate& certificate) {
  context.used_vertices = certificate.component_order;
  context.used_edges = certificate.component_size;
}
void set_used(report::Context& context, const PathCertificate& certificate) {
  context.used_vertices = certificate.order;
  context.used_edges = certificate.size;
}

ExitCode run(Options options) {
  catch_interrupts();
  set_memory_limit(options.common.memory_limit);
  std::string why;
  const auto any = read_certificate(options, why);
  if (!any) return refuse(options, why);
  read_as(options.common, *any);
  Session session("verify", options.common);
  session.whole_graph();  // an error where one was asked for
  return std::visit(
      [&](const auto& certificate) -> ExitCode {
        if (options.common.estimate) return print_verify_estimate(session, certificate);
        report::VerdictReport answer{certificate, {}};
        try {
          LiveObserver observer("verify", options.common, "checks");
          answer.verdict = verdict_on(certificate, session.whole(), observer);
        } catch (const Interrupted&) {
          answer.stopped = true;
        }
        session.finish_phase("compute");
        set_used(session.context(), certificate);
        session.print(answer);
        if (answer.stopped) return kStoppedEarly;
        return answer.verdict.accepted ? kExact : kRefused;
      },
      *any);
}

}  // namespace

std::function<ExitCode()> configure_verify(Command command) {
  auto options = std::make_shared<Options>();
  add_source(command, "certificate", options->certificate, "the file that --certificate wrote")
      .required();
  options->common.add_source_to(command);
  options->common.add_answer_to(command);
  options->common.add_disconnected_to(command, {"largest", "error"});
  command.add_flag("--directed", options->common.directed,
                   "refuse a certificate about a graph without directions; it says so itself");
  command.add_flag("--weighted", options->common.weighted,
                   "refuse a certificate about a graph without lengths; it says so itself");
  options->common.add_estimate_to(command);
  return [options] { return run(*options); };
}

}  // namespace antipode::cli

// antipode verify
#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "cli/estimate.hpp"
#include "graph/limits.hpp"

namespace antipode::cli {

namespace {

struct Options {
  CommonOptions common;
  std::string certificate;
};

// A parsed byte takes up to 32; no certificate has more than a GiB.
std::optional<Certificate> read_certificate(const Options& options, std::string& why) {
  const LoadWatch watch(options.common);
  const std::string text =
      text_of(options.certificate, {.most = std::uint64_t{1} << 30, .memory_per_byte = 32});
  return report::parse_certificate(options.certificate, text, why, stop_if_asked);
}

ExitCode refuse(const Options& options, const std::string& why) {
  report::Context context;
  context.measure = "verify";
  const Verdict verdict{false, options.certificate + " is no certificate: " + why, 0};
  print_out(report::render(context, report::VerdictReport{{}, verdict}, options.common.style()));
  return kRefused;
}

ExitCode run(const Options& options) {
  catch_interrupts();
  set_memory_limit(options.common.memory_limit);
  std::string why;
  const auto certificate = read_certificate(options, why);
  if (!certificate) return refuse(options, why);
  Session session("verify", options.common);
  session.whole_graph();  // an error where one was asked for
  if (options.common.estimate) return print_verify_estimate(session, *certificate);
  report::VerdictReport answer{*certificate, {}};
  try {
    LiveObserver observer("verify", options.common);
    answer.verdict = verify(*certificate, session.whole(), observer);
  } catch (const Interrupted&) {
    answer.stopped = true;
  }
  session.finish_phase("compute");
  session.context().used_vertices = certificate->component_order;
  session.context().used_edges = certificate->component_size;
  session.print(answer);
  if (answer.stopped) return kStoppedEarly;
  return answer.verdict.accepted ? kExact : kRefused;
}

}  // namespace

std::function<ExitCode()> configure_verify(CLI::App& command) {
  auto options = std::make_shared<Options>();
  add_source(command, "certificate", options->certificate, "the file that --certificate wrote")
      ->required();
  options->common.add_source_to(command);
  options->common.add_answer_to(command);
  options->common.add_disconnected_to(command, {"largest", "error"});
  options->common.add_estimate_to(command);
  return [options] { return run(*options); };
}

}  // namespace antipode::cli

// antipode verify
#include <fstream>
#include <sstream>

#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "cli/estimate.hpp"

namespace antipode::cli {

namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) throw InputError(path, "cannot be read as a certificate");
  return text.str();
}

}  // namespace

std::function<ExitCode()> configure_verify(CLI::App& command) {
  struct Options {
    CommonOptions common;
    std::string certificate;
  };
  auto options = std::make_shared<Options>();
  command.add_option("certificate", options->certificate, "the file that --certificate wrote")
      ->required();
  options->common.add_to(command);
  options->common.add_estimate_to(command);
  return [options] {
    std::string why;
    const auto certificate =
        report::parse_certificate(options->certificate, file_text(options->certificate), why);
    if (!certificate) {
      report::Context context;
      context.measure = "verify";
      print_out(
          report::render(context,
                         report::VerdictReport{
                             {}, {false, options->certificate + " is no certificate: " + why, 0}},
                         options->common.style()));
      return kRefused;
    }
    Session session("verify", options->common);
    if (options->common.estimate) return print_verify_estimate(session, *certificate);
    const Verdict verdict = verify(*certificate, session.whole());
    session.finish_phase("compute");
    session.context().used_vertices = certificate->component_order;
    session.context().used_edges = certificate->component_size;
    session.print(report::VerdictReport{*certificate, verdict});
    return verdict.accepted ? kExact : kRefused;
  };
}

}  // namespace antipode::cli

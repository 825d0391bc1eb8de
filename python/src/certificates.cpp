// Proofs of distances, and their checks. A certificate names vertices by the labels of its graph,
// which Python's side gives it; the question is asked again, as the program asks it where a
// certificate is wanted.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <string>
#include <utility>

#include "antipode/io.hpp"
#include "antipode/path_measures.hpp"
#include "bind.hpp"
#include "certificate_dicts.hpp"

namespace antipode::python {

namespace {

Certificate prove(Engine& engine, const Graph& whole, Question question, Watch& watch) {
  const auto stop = [&watch] { return watch.stop(); };
  if (question == Question::diameter) {
    DiameterOptions options;
    options.concurrent = 1;  // a proof by few searches is the quickest to check
    const Diameter found = diameter(engine, options, watch);
    if (!found.exact()) throw Interrupted();
    const Interruption interruption(engine, stop);
    return certify(engine, whole, found);
  }
  CheckpointStore none;
  const Eccentricities found = eccentricities(engine, question, watch, none);
  if (!found.exact) throw Interrupted();
  const Interruption interruption(engine, stop);
  return certify(engine, whole, question, found);
}

PathCertificate prove(PathEngine& engine, const Graph& whole, Question question, Watch& watch) {
  const auto checked = [](auto found, bool exact) {
    if (!exact) throw Interrupted();
    return found;
  };
  switch (question) {
    case Question::diameter: {
      const PathDiameter found = diameter(engine, watch);
      return certify_paths(engine, whole, checked(found, found.exact()), watch);
    }
    case Question::radius:
    case Question::center: {
      const PathCenter found = center(engine, question, watch);
      return certify_paths(engine, whole, question, checked(found, found.exact), watch);
    }
    case Question::periphery: {
      const PathPeriphery found = periphery(engine, watch);
      return certify_paths(engine, whole, checked(found, found.exact), watch);
    }
    case Question::eccentricity:
      break;
  }
  CheckpointStore none;
  const PathEccentricities found = eccentricities(engine, Along::arcs, watch, none);
  return certify_paths(engine, whole, Along::arcs, checked(found, found.exact), watch);
}

AnyCertificate prove(GraphObject& part, const Graph& whole, Question question,
                     const Machine& machine, Watch& watch) {
  const Graph& graph = part.graph();
  if (graph.is_directed() || graph.has_lengths())
    return prove(part.path_engine(machine), whole, question, watch);
  if (graph.part() == nullptr) return prove(part.engine(machine), whole, question, watch);
  // A proof must not rest on a symmetry of which the checker knows nothing.
  const auto engine = make_engine(machine.engine, graph.materialized(), machine.options());
  return prove(*engine, whole, question, watch);
}

// Of a component of `whole`, or of all of it.
nb::dict certificate_of(GraphObject& part, const GraphObject& whole, const std::string& question,
                        const Ask& ask) {
  Watch watch(ask.progress, ask.time_limit);
  const auto made = alone(part, watch, [&] {
    return prove(part, whole.graph(), question_of(question), ask.machine, watch);
  });
  watch.rethrow();
  if (!made) throw Interrupted();
  return std::visit([](const auto& each) { return to_dict(each); }, *made);
}

Verdict verdict_on(const Certificate& certificate, const Graph& graph, Observer& observer) {
  if (graph.is_directed()) return {false, "the certificate is about a graph without directions", 0};
  return verify(certificate, graph, observer);
}
Verdict verdict_on(const PathCertificate& certificate, const Graph& graph, Observer& observer) {
  return verify_paths(certificate, graph, observer);
}

// Whether it is accepted, the reason if it is not, and how many searches that took.
nb::tuple verify_certificate(const GraphObject& object, nb::handle certificate, const Ask& ask) {
  const AnyCertificate any = certificate_from(certificate);
  Watch watch(ask.progress, ask.time_limit);
  const auto verdict = without_gil(watch, [&] {
    return std::visit([&](const auto& each) { return verdict_on(each, object.graph(), watch); },
                      any);
  });
  watch.rethrow();
  if (!verdict) throw Interrupted();
  return nb::make_tuple(verdict->accepted, verdict->reason, verdict->searches);
}

// Parsed, a byte may take 32.
nb::bytes read_file(const std::string& path) {
  Watch watch(nb::none(), 0);
  const auto text = without_gil(watch, [&] {
    const LoadWatch loading(watch);
    return text_of(path, {.most = std::uint64_t{1} << 30, .memory_per_byte = 32});
  });
  return nb::bytes(text.value().data(), text.value().size());
}

void write_text_file(const std::string& path, const std::string& text) {
  const nb::gil_scoped_release release;
  write_text(path, text);
}

}  // namespace

void bind_certificates(GraphClass& graph, nb::module_& module) {
  graph
      .def("certificate", &certificate_of, nb::arg("whole"), nb::arg("question"), nb::arg("ask"),
           "A proof about this component of the whole graph, as the fields of its file.")
      .def("verify", &verify_certificate, nb::arg("certificate").none(), nb::arg("ask"),
           "Whether it is accepted, why not, and the number of searches.");
  module.def(
      "check_certificate", [](nb::handle fields) { certificate_from(fields); },
      nb::arg("fields").none());
  module.def("read_file", &read_file, nb::arg("path"))
      .def("write_text", &write_text_file, nb::arg("path"), nb::arg("text"))
      .def("check_target", &check_target, nb::arg("path"));
}

}  // namespace antipode::python

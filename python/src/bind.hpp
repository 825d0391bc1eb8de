// The parts of the module; each adds its functions to the class that Python sees.
#pragma once

#include <nanobind/nanobind.h>

#include "graph_object.hpp"

namespace antipode::python {

using GraphClass = nb::class_<GraphObject>;

void bind_errors(nb::module_& module);
void bind_makers(GraphClass& graph, nb::module_& module);
void bind_dicts(nb::module_& module);
void bind_facts(GraphClass& graph);                      // sizes, arrays, components
void bind_distances(GraphClass& graph);                  // diameter and what belongs to it
void bind_sums(GraphClass& graph, nb::module_& module);  // sums over sources
void bind_page(nb::module_& module);                     // the page of figures
void bind_rows(GraphClass& graph);                       // distances and paths
void bind_arrow_in(nb::module_& module);                 // tables of other libraries
void bind_arrow_out(nb::module_& module);                // answers as tables
void bind_certificates(GraphClass& graph, nb::module_& module);

}  // namespace antipode::python

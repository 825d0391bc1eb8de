// Graphs in which a few vertices stand for all, as those made of a part: all is known after a
// search from each of these. docs/definitions.md, "The order/degree problem".
#pragma once

#include "antipode/measures.hpp"

namespace antipode {

bool few_stand_for_all(Engine& engine, Question question);  // so few that nothing else is quicker
Diameter diameter_by_residues(Engine& engine, Observer& observer);
Eccentricities eccentricities_by_residues(Engine& engine, Observer& observer);

}  // namespace antipode

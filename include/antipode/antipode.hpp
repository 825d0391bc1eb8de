// All of the public face.
#pragma once

#include "antipode/ask.hpp"
#include "antipode/certificate.hpp"
#include "antipode/engine.hpp"
#include "antipode/error.hpp"
#include "antipode/golf.hpp"
#include "antipode/graph.hpp"
#include "antipode/io.hpp"
#include "antipode/measures.hpp"
#include "antipode/page.hpp"
#include "antipode/table.hpp"

// Where the rows of 'antipode distances' come from: searches that count edges, or that add lengths.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "antipode/io.hpp"
#include "cli/session.hpp"

namespace antipode::cli {

class Rows {
 public:
  virtual ~Rows() = default;
  virtual Length most(const Components& parts) = 0;  // no distance is longer
  // The rows of some sources, one after the other.
  virtual void some(std::span<const Vertex> sources,
                    const std::function<void(std::vector<Length>)>& sink) = 0;
  // Of the sources from `done` on, which says how far it came; keep() where the checkpoint wants
  // the state. Whether all are there.
  virtual bool all(std::span<const Vertex> sources, Vertex& done, DistanceFile* file,
                   Observer& observer, CheckpointStore& checkpoint,
                   const std::function<void()>& keep) = 0;
};

std::unique_ptr<Rows> rows_of(Engine& engine);
std::unique_ptr<Rows> rows_of(PathEngine& engine);

}  // namespace antipode::cli

#include "measure/cost.hpp"

#include <algorithm>
#include <cmath>

namespace antipode {

void CostModel::add_search(double seconds, Vertex outside) {
  searches_ += 1;
  search_seconds_ += (seconds - search_seconds_) / std::min(searches_, 8.0);
  if (outside_before_ > 0) lasting_ = std::sqrt(outside / outside_before_);
  outside_before_ = outside_now_;
  outside_now_ = outside;
}

double CostModel::batch_seconds(double lanes, Distance levels) const {
  const double lane =
      std::min(costs_.most_source, costs_.source + costs_.source_and_level * levels);
  return search_seconds_ * correction_ * (costs_.fixed + lane * lanes);
}

void CostModel::add_batch(double seconds, std::size_t lanes, Vertex before, Vertex after) {
  const double guessed = batch_seconds(static_cast<double>(lanes), guessed_levels_);
  correction_ *= std::clamp(seconds / std::max(guessed, 1e-9), 0.1, 10.0);
  removed_per_lane_ = std::max(
      1.0, static_cast<double>(before - std::min(before, after)) / static_cast<double>(lanes));
  outside_before_ = outside_now_ = after;
  lasting_ = 1;
}

bool CostModel::batch_pays(Vertex outside, std::size_t batch_size, Distance levels) const {
  const double left = outside, most = static_cast<double>(batch_size);
  guessed_levels_ = levels;
  // While searches still thin the candidates out, about log(left) more of them will do.
  const double decay =
      lasting_ < 1 ? std::log(left + 1) / -std::log(std::max(lasting_, 1e-6)) : left;
  const double one_by_one = std::min(left, decay + 1) * search_seconds_;
  const double lanes = std::min(left, most);
  const double batches = left <= most ? 1 : left / (most * removed_per_lane_);
  const double batch = batch_seconds(lanes, levels);
  return batches * batch < one_by_one && searches_ * search_seconds_ > batch / costs_.patience;
}

}  // namespace antipode

#include "engine/cuda/search/resident/slice_layout.hpp"

#include <algorithm>

#include "engine/cuda/search/resident/slices.hpp"
#include "graph/folding.hpp"
#include "graph/parallel.hpp"

namespace antipode::cuda {

namespace {

constexpr Vertex kWorthFolding =
    16;  // at least one of so many vertices comes off, or unfolding takes longer than it saves

// Whom to ask for the distance of a vertex that came off.
unsigned fold_of(const Rows& whole, const std::vector<Vertex>& place, Vertex v,
                 std::vector<Vertex>& lists) {
  Vertex left[Fold::kMost] = {kNoVertex, kNoVertex, kNoVertex, kNoVertex}, count = 0;
  for (const Vertex u : whole.neighbors(v))
    if (place[u] != kNoVertex) left[count++] = place[u];
  if (count == 1) return Fold::kOff | left[0];
  lists.insert(lists.end(), std::begin(left), std::end(left));
  return Fold::kOff | Fold::kListed | static_cast<unsigned>(lists.size() / Fold::kMost - 1);
}

}  // namespace

SliceLayout::SliceLayout(const Graph& whole, std::size_t blocks) : graph(whole) {
  if (whole.order() < Fold::kPlace) fold(whole);
  share_out(blocks);
}

void SliceLayout::fold(const Graph& whole) {
  Skeleton skeleton = skeleton_of(whole, Fold::kLongest, Fold::kMost, static_cast<int>(threads()));
  if (whole.order() - skeleton.graph.order() < whole.order() / kWorthFolding) return;
  const Rows rows = whole.rows();
  folds.resize(whole.order());
  for (Vertex v = 0; v < whole.order(); ++v)
    folds[v] = skeleton.place[v] != kNoVertex ? skeleton.place[v]
                                              : fold_of(rows, skeleton.place, v, lists);
  graph = std::move(skeleton.graph);
}

void SliceLayout::share_out(std::size_t blocks) {
  const Rows rows = graph.rows();
  const auto quads_of = [&](Vertex v) { return GraphView::quad_count(rows.degree(v)); };
  std::uint64_t all = 0;
  for (Vertex v = 0; v < rows.order(); ++v) all += quads_of(v);
  most_quads = static_cast<unsigned>((all + blocks * Slice::kTogether - 1) /
                                     (blocks * Slice::kTogether) * Slice::kTogether);
  const auto close = [&] {
    SlicePart& part = parts.back();
    part.word = part.first / 32;
    part.words = (part.first + part.count - 1) / 32 + 1 - part.word;
    part.notice = static_cast<unsigned>(notices.size());
    for (unsigned w = 0; w < part.words; w += kNoticeWords) notices.push_back(part.word + w);
    last_notices.push_back(static_cast<unsigned>(notices.size()) - 1);
    most_words = std::max(most_words, part.words);
    most_owned = std::max(most_owned, part.count);
  };
  const auto open = [&](Vertex first) {
    if (!parts.empty()) close();
    parts.push_back({static_cast<unsigned>(owners.size()), 0, first, 0, 0, 0, 0});
  };
  for (Vertex v = 0; v < rows.order(); ++v) {
    Vertex quads = quads_of(v);
    if (parts.empty() || (quads > 0 && parts.back().length == most_quads)) open(v);
    while (true) {
      SlicePart& part = parts.back();
      const Vertex here = std::min(quads, most_quads - part.length);
      part.count = v + 1 - part.first;
      part.length += here;
      owners.insert(owners.end(), here, static_cast<unsigned short>(v - part.first));
      quads -= here;
      if (quads == 0) break;
      open(v);
    }
  }
  close();
  std::vector<unsigned char> tellers(rows.order() / 32 + 1 + kNoticeWords, 0);  // up to two
  for (const SlicePart& part : parts)
    for (unsigned w = part.word;
         w < part.word + (part.words + kNoticeWords - 1) / kNoticeWords * kNoticeWords; ++w)
      tellers[w] = static_cast<unsigned char>(std::min(tellers[w] + 1, 2));
  for (unsigned& notice : notices)
    if (std::any_of(&tellers[notice], &tellers[notice] + kNoticeWords,
                    [](unsigned char count) { return count > 1; }))
      notice |= kSharedNotice;
  parts.resize(blocks, {0, 0, 0, 0, 0, 0, 0});
  owners.resize(owners.size() + Slice::kTogether);  // the last are read together with others
}

}  // namespace antipode::cuda

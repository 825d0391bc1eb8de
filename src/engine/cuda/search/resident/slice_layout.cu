#include "engine/cuda/search/resident/slice_layout.hpp"

#include <algorithm>

#include "engine/cuda/search/resident/slices.hpp"
#include "graph/folding.hpp"
#include "graph/parallel.hpp"

namespace antipode::cuda {

namespace {

// At least one vertex in kWorthFolding must be removed, or unfolding takes longer than it
// saves.
constexpr Vertex kWorthFolding = 16;

// Where a removed vertex finds its distance: one neighbour, or a list appended to `lists`.
unsigned make_fold(const Adjacency& whole, const std::vector<Vertex>& place, Vertex v,
                   std::vector<Vertex>& lists) {
  Vertex anchors[Fold::kMostAnchors] = {kNoVertex, kNoVertex, kNoVertex, kNoVertex}, count = 0;
  for (const Vertex u : whole.neighbors(v))
    if (place[u] != kNoVertex) anchors[count++] = place[u];
  if (count == 1) return Fold::kRemoved | anchors[0];
  lists.insert(lists.end(), std::begin(anchors), std::end(anchors));
  return Fold::kRemoved | Fold::kListed |
         static_cast<unsigned>(lists.size() / Fold::kMostAnchors - 1);
}

}  // namespace

SliceLayout::SliceLayout(const Graph& whole, std::size_t blocks) : graph(whole) {
  if (whole.order() < Fold::kPlace) fold(whole);
  partition(blocks);
}

void SliceLayout::fold(const Graph& whole) {
  Skeleton skeleton =
      skeleton_of(whole, Fold::kMostDegree, Fold::kMostAnchors, static_cast<int>(threads()));
  if (whole.order() - skeleton.graph.order() < whole.order() / kWorthFolding) return;
  const Adjacency adjacency = whole.adjacency();
  folds.resize(whole.order());
  for (Vertex v = 0; v < whole.order(); ++v)
    folds[v] = skeleton.place[v] != kNoVertex ? skeleton.place[v]
                                              : make_fold(adjacency, skeleton.place, v, lists);
  graph = std::move(skeleton.graph);
}

void SliceLayout::partition(std::size_t blocks) {
  const Adjacency adjacency = graph.adjacency();
  const auto quads_of = [&](Vertex v) { return GraphView::quad_count(adjacency.degree(v)); };
  std::uint64_t all = 0;
  for (Vertex v = 0; v < adjacency.order(); ++v) all += quads_of(v);
  most_quads = static_cast<unsigned>((all + blocks * Slice::kOwnersPerRead - 1) /
                                     (blocks * Slice::kOwnersPerRead) * Slice::kOwnersPerRead);
  const auto close = [&] {
    SliceView& part = parts.back();
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
    parts.push_back({.begin = static_cast<unsigned>(owners.size()),
                     .length = 0,
                     .first = first,
                     .count = 0,
                     .word = 0,
                     .words = 0,
                     .notice = 0});
  };
  for (Vertex v = 0; v < adjacency.order(); ++v) {
    Vertex quads = quads_of(v);
    if (parts.empty() || (quads > 0 && parts.back().length == most_quads)) open(v);
    while (true) {
      SliceView& part = parts.back();
      const Vertex taken = std::min(quads, most_quads - part.length);
      part.count = v + 1 - part.first;
      part.length += taken;
      owners.insert(owners.end(), taken, static_cast<unsigned short>(v - part.first));
      quads -= taken;
      if (quads == 0) break;
      open(v);
    }
  }
  close();
  mark_shared_notices();
  parts.resize(blocks, SliceView{});
  owners.resize(owners.size() +
                Slice::kOwnersPerRead);  // padding: owners are read kOwnersPerRead at a time
}

void SliceLayout::mark_shared_notices() {
  // slices that write each word, saturated at two
  std::vector<unsigned char> writers(graph.order() / 32 + 1 + kNoticeWords, 0);
  for (const SliceView& part : parts)
    for (unsigned w = part.word;
         w < part.word + (part.words + kNoticeWords - 1) / kNoticeWords * kNoticeWords; ++w)
      writers[w] = static_cast<unsigned char>(std::min(writers[w] + 1, 2));
  for (unsigned& notice : notices)
    if (std::any_of(&writers[notice], &writers[notice] + kNoticeWords,
                    [](unsigned char count) { return count > 1; }))
      notice |= kSharedNotice;
}

}  // namespace antipode::cuda

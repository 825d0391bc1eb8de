// Fuzz target for checkpoints. The first byte chooses the question. The others are the fields of
// its state, as from a checkpoint with the right key, checksum, totals and seal, or a whole
// checkpoint file.
//
// Checked: no crash, and an Error or a finished result of the right shape: one value per vertex,
// bounds in order, at most as many sources, pairs and distances as the graph can have. Not checked:
// that the values are right, since a state whose counts fit cannot be told from a true one.
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "antipode/error.hpp"
#include "antipode/golf.hpp"
#include "antipode/io.hpp"
#include "antipode/measures.hpp"
#include "support/forged_state.hpp"

namespace {

using namespace antipode;

class Given final : public CheckpointStore {
 public:
  explicit Given(std::vector<unsigned char> state) : state_(std::move(state)) {}
  bool is_active() const override { return true; }
  std::vector<unsigned char> load() override { return state_; }

 private:
  std::vector<unsigned char> state_;
};

void require(bool holds) {
  if (!holds) __builtin_trap();
}

void check_average(Engine& engine, CheckpointStore& checkpoint, Observer& observer) {
  const Average result = average(engine, 0, 1, observer, checkpoint);
  const std::uint64_t order = engine.graph().order();
  require(result.finished && result.sources == order);
  require(result.pairs.size() <= order &&
          result.reachable + result.unreachable == order * (order - 1));
  require(result.unreachable <= order * (order - 1));
}

void check_closeness(Engine& engine, CheckpointStore& checkpoint, Observer& observer) {
  const Closeness result = closeness(engine, observer, checkpoint);
  require(result.finished && result.sources <= engine.graph().order());
  for (Vertex v = 0; v < engine.graph().order(); ++v) {
    result.closeness(v, true);
    result.harmonic(v);
  }
}

void check_betweenness(Engine& engine, const Core& core, CheckpointStore& checkpoint,
                       Observer& observer) {
  const Betweenness result = betweenness(engine, core, {.edges = true}, observer, checkpoint);
  require(result.finished && result.sources <= core.graph.order());
  require(result.vertices.size() == core.parent.size());
}

void check_eccentricity(Engine& engine, CheckpointStore& checkpoint, Observer& observer) {
  const Eccentricities result =
      eccentricities(engine, Question::eccentricity, observer, checkpoint);
  const Vertex order = engine.graph().order();
  require(result.exact && result.lower.size() == order && result.upper == result.lower);
  for (const Distance each : result.lower) require(each < order);
  for (const Step& step : result.steps) require(step.vertex < order);
}

void check_directed(Engine& engine, CheckpointStore& checkpoint, Observer& observer) {
  const ForwardEccentricities result = forward_eccentricities(engine, observer, checkpoint);
  const Vertex order = engine.graph().order();
  require(result.finished && result.sources == order);
  require(result.value.size() == order && result.reached.size() == order);
  for (Vertex v = 0; v < order; ++v) require(result.value[v] < order && result.reached[v] <= order);
}

void check_golf(std::vector<unsigned char> state) {
  const auto engine = golf::make_part_engine("cpu", 1);
  const golf::Options options{.order = 24, .degree = 3, .part = 4, .chains = 2, .steps = 20};
  golf::Search search(*engine, options, std::move(state));
  for (int rounds = 0; rounds < 3 && search.round(0.001); ++rounds) continue;
  const golf::Part& best = search.best().best;
  require(best.order == options.order && best.size == options.part);
  for (const Vertex degree : best.degrees()) require(degree <= options.degree);
  require(search.progress() <= 1 && search.mean_average() >= 0);
}

// A file of arbitrary bytes is no checkpoint of this question, unless Checkpoint made it.
void check_file(const std::vector<unsigned char>& bytes) {
  static const std::string path = std::filesystem::temp_directory_path() /
                                  ("antipode-fuzz-checkpoint-" + std::to_string(getpid()));
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  try {
    Checkpoint(path, "fuzz of 1 vertices, 0 edges", Checkpoint::Begin::resume).load();
  } catch (const Error&) {
  }
  std::filesystem::remove(path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;  // an empty state is none
  set_threads(1);
  static const Graph graph = generate("ws?n=60&degree=4&p=0.1").graph;
  static const Graph directed = generate("er?n=40&degree=2", Direction::forward).graph;
  static const Core core = core_of(graph);
  static const EngineOptions one_thread{.threads = 1};
  static const auto engine = make_engine("cpu", graph, one_thread);
  static const auto directed_engine = make_engine("cpu", directed, one_thread);
  static const auto core_engine = make_engine("cpu", core.graph, one_thread);
  std::vector<unsigned char> state(data + 1, data + size);
  Observer observer;
  constexpr testing::Layout kLayouts[] = {testing::kAverageState,     testing::kClosenessState,
                                          testing::kBetweennessState, testing::kBoundsState,
                                          testing::kForwardState,     testing::kGolfState};
  const std::size_t question = data[0] % 7;
  if (question < std::size(kLayouts)) state = testing::forged(state, kLayouts[question]);
  Given checkpoint(state);
  try {
    switch (question) {
      case 0:
        check_average(*engine, checkpoint, observer);
        break;
      case 1:
        check_closeness(*engine, checkpoint, observer);
        break;
      case 2:
        check_betweenness(*core_engine, core, checkpoint, observer);
        break;
      case 3:
        check_eccentricity(*engine, checkpoint, observer);
        break;
      case 4:
        check_directed(*directed_engine, checkpoint, observer);
        break;
      case 5:
        check_golf(std::move(state));
        break;
      case 6:
        check_file(state);
        break;
    }
  } catch (const Error&) {
  }
  return 0;
}

// The thread pool: all work is done exactly once, by whichever thread; exceptions come back; fork
// and nesting do no harm.
#include "graph/parallel.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <numeric>
#include <stdexcept>
#include <thread>

#include "antipode/graph.hpp"

namespace antipode {
namespace {

constexpr int kTeam = 4;

TEST(Parallel, every_piece_is_done_once_and_members_have_numbers_below_the_team) {
  for (const std::size_t count : {0, 1, 2, 63, 64, 1000, 100'000}) {
    std::vector<unsigned char> done(count, 0), shared(count, 0);
    in_pieces(count, 7, kTeam, [&](std::size_t begin, std::size_t end, int member) {
      ASSERT_GE(member, 0);
      ASSERT_LT(member, kTeam);
      for (std::size_t i = begin; i < end; ++i) ++done[i];
    });
    in_shares(count, 5, kTeam, [&](std::size_t begin, std::size_t end, int member) {
      ASSERT_LT(member, kTeam);
      for (std::size_t i = begin; i < end; ++i) ++shared[i];
    });
    EXPECT_EQ(done, std::vector<unsigned char>(count, 1));
    EXPECT_EQ(shared, std::vector<unsigned char>(count, 1));
  }
}

TEST(Parallel, thousands_of_small_teams_lose_nothing) {
  std::atomic<std::uint64_t> sum{0};
  for (int round = 0; round < 20'000; ++round)
    in_pieces(8, 1, kTeam, [&](std::size_t begin, std::size_t, int) { sum += begin; });
  EXPECT_EQ(sum, 20'000u * 28);
}

TEST(Parallel, no_member_is_in_a_team_twice_at_a_time) {
  std::atomic<int> inside[kTeam] = {};
  std::atomic<bool> twice{false};
  for (int round = 0; round < 2'000; ++round)
    in_team(kTeam, [&](int member) {
      if (inside[member].fetch_add(1) != 0) twice = true;
      inside[member].fetch_sub(1);
    });
  EXPECT_FALSE(twice);
}

TEST(Parallel, an_exception_of_any_member_comes_back_and_the_pool_goes_on) {
  for (std::size_t bad = 0; bad < 64; ++bad) {
    const auto failing = [&] {
      in_pieces(64, 1, kTeam, [&](std::size_t begin, std::size_t, int) {
        if (begin == bad) throw std::bad_alloc();
      });
    };
    EXPECT_THROW(failing(), std::bad_alloc);
  }
  std::atomic<int> pieces{0};
  in_shares(64, 1, kTeam, [&](std::size_t, std::size_t, int) { ++pieces; });
  EXPECT_EQ(pieces, 64);
}

TEST(Parallel, teams_inside_teams_and_of_other_threads_work_alone) {
  std::atomic<int> pieces{0};
  const auto nested = [&] {
    in_pieces(16, 1, kTeam, [&](std::size_t, std::size_t, int) {
      in_pieces(16, 1, kTeam, [&](std::size_t begin, std::size_t end, int) {
        pieces += static_cast<int>(end - begin);
      });
    });
  };
  std::thread other(nested);
  nested();
  other.join();
  EXPECT_EQ(pieces, 2 * 16 * 16);
}

TEST(Parallel, a_forked_child_has_a_pool_of_its_own) {
  const auto summed = [] {
    return fold(1'000'000, kTeam, std::uint64_t{0}, std::plus<>(),
                [](std::size_t i) { return std::uint64_t{i}; });
  };
  const std::uint64_t expected = summed();
  for (int i = 0; i < 5; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);  // a child that hangs is ended
      _exit(summed() == expected ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(summed(), expected);
}

TEST(Parallel, sums_and_folds_are_those_of_one_thread) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000},
                                  kWorthThreads + 1, std::size_t{300'001}}) {
    std::vector<std::uint64_t> values(count), expected(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = i * 2654435761u % 1000;
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), std::uint64_t{0});
    const std::uint64_t all = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
    EXPECT_EQ(fold(count, kTeam, std::uint64_t{0}, std::plus<>(),
                   [&](std::size_t i) { return values[i]; }),
              all);
    EXPECT_EQ(exclusive_sum(values, kTeam), all);
    EXPECT_EQ(values, expected);
  }
}

}  // namespace
}  // namespace antipode

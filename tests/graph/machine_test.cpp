// What a process may use, read from made-up control groups of both versions.
#include "graph/machine.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace antipode {
namespace {

class Machine : public testing::Test {
 protected:
  Machine()
      : root_(std::filesystem::temp_directory_path() /
              ("antipode-machine-" + std::to_string(getpid()))) {}
  ~Machine() override { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& text) {
    const auto file = root_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  ControlGroup read() const { return control_group(root_.string()); }

  std::filesystem::path root_;
};

TEST_F(Machine, without_control_groups_there_is_no_limit) {
  EXPECT_EQ(read().processors, 0);
  EXPECT_EQ(read().memory, 0u);
}

TEST_F(Machine, version_2_takes_the_smallest_limit_on_the_way_up) {
  write("proc/self/cgroup", "0::/outer/inner");
  write("sys/fs/cgroup/outer/inner/cpu.max", "max 100000");
  write("sys/fs/cgroup/outer/cpu.max", "150000 100000");
  write("sys/fs/cgroup/outer/inner/memory.max", "4000000000");
  write("sys/fs/cgroup/outer/memory.max", "3000000000");
  write("sys/fs/cgroup/memory.max", "max");
  EXPECT_DOUBLE_EQ(read().processors, 1.5);
  EXPECT_EQ(read().memory, 3'000'000'000u);
}

TEST_F(Machine, in_a_container_the_group_is_the_root) {
  write("proc/self/cgroup", "0::/");
  write("sys/fs/cgroup/cpu.max", "50000 100000");
  write("sys/fs/cgroup/memory.max", "1000000");
  EXPECT_DOUBLE_EQ(read().processors, 0.5);
  EXPECT_EQ(read().memory, 1'000'000u);
}

TEST_F(Machine, version_1_has_a_folder_for_each_controller) {
  write("proc/self/cgroup", "4:memory:/docker/abc\n1:cpu,cpuacct:/docker/abc");
  write("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "-1");
  write("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us", "100000");
  write("sys/fs/cgroup/cpu/docker/cpu.cfs_quota_us", "400000");
  write("sys/fs/cgroup/cpu/docker/cpu.cfs_period_us", "100000");
  write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "9223372036854771712");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000000");
  EXPECT_DOUBLE_EQ(read().processors, 4);
  EXPECT_EQ(read().memory, 2'000'000'000u);
}

TEST_F(Machine, damaged_files_are_no_limit) {
  write("proc/self/cgroup", "nonsense\n0::");
  write("sys/fs/cgroup/cpu.max", "x y");
  write("sys/fs/cgroup/memory.max", "");
  EXPECT_EQ(read().processors, 0);
  EXPECT_EQ(read().memory, 0u);
}

TEST_F(Machine, threads_are_those_asked_for_but_never_thousands) {
  unsetenv("OMP_NUM_THREADS");
  EXPECT_EQ(thread_count(0), usable_processors());
  EXPECT_EQ(thread_count(1), 1u);
  EXPECT_EQ(thread_count(3), 3u);
  EXPECT_EQ(thread_count(4096), usable_processors());
  setenv("OMP_NUM_THREADS", "4096", 1);
  EXPECT_EQ(thread_count(0), usable_processors());
  setenv("OMP_NUM_THREADS", "1,2", 1);
  EXPECT_EQ(thread_count(0), 1u);
  EXPECT_EQ(thread_count(2), 2u);
  for (const char* const one : {" 1", "\t 1", "1 ", " 1, 2"}) {
    setenv("OMP_NUM_THREADS", one, 1);
    EXPECT_EQ(thread_count(0), 1u) << one;
  }
  for (const char* const none : {"", " "}) {
    setenv("OMP_NUM_THREADS", none, 1);
    EXPECT_EQ(thread_count(0), usable_processors());
  }
  setenv("OMP_NUM_THREADS", "many", 1);
  EXPECT_EQ(thread_count(0), usable_processors());
  unsetenv("OMP_NUM_THREADS");
}

}  // namespace
}  // namespace antipode

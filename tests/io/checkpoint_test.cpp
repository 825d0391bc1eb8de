#include <filesystem>

#include "io/support.hpp"

namespace antipode::testing {
namespace {

using Bytes = std::vector<unsigned char>;

bool is_taken(const std::string& path) {
  try {
    Checkpoint(path, "key", Checkpoint::Begin::resume);
    return false;
  } catch (const DeviceError&) {
    return true;
  }
}

TEST(Checkpoints, are_locked_from_the_beginning_to_the_end_and_keep_the_latest_state) {
  const TemporaryFolder folder;
  const std::string path = folder.file("state");
  {
    Checkpoint checkpoint(path, "key", Checkpoint::Begin::anew);
    EXPECT_TRUE(is_taken(path));
    for (unsigned char i = 1; i < 4; ++i) {
      checkpoint.save(Bytes{i});
      EXPECT_TRUE(is_taken(path)) << int{i};
      EXPECT_EQ(folder.count(), 1u);
    }
  }
  Checkpoint resumed(path, "key", Checkpoint::Begin::resume);
  EXPECT_EQ(resumed.load(), Bytes{3});
  resumed.remove();
  EXPECT_EQ(folder.count(), 0u);
}

TEST(Checkpoints, without_a_state_are_not_left_and_are_gone_on_with_where_they_are) {
  const TemporaryFolder folder;
  const std::string path = folder.file("state");
  { Checkpoint nothing(path, "key", Checkpoint::Begin::anew); }
  EXPECT_EQ(folder.count(), 0u);
  for (const auto begin : {Checkpoint::Begin::anew, Checkpoint::Begin::resume}) {
    write_bytes(path, "antipode checkpoint 1\n");  // as after a kill
    EXPECT_TRUE(Checkpoint(path, "key", begin).load().empty());
    EXPECT_EQ(folder.count(), 0u);
  }
}

TEST(Checkpoints, have_a_mark_from_the_beginning_and_leave_files_without_alone) {
  const TemporaryFolder folder;
  const std::string path = folder.file("state"), other = folder.file("other");
  const Checkpoint checkpoint(path, "key", Checkpoint::Begin::anew);
  EXPECT_EQ(bytes_of(path), "antipode checkpoint 1\n");
  for (const char* contents : {"", "a", "antipode checkpoint 1", "antipode checkpoint 2\n"})
    for (const auto begin : {Checkpoint::Begin::anew, Checkpoint::Begin::resume}) {
      write_bytes(other, contents);
      EXPECT_THROW(Checkpoint(other, "key", begin), UsageError) << contents;
      EXPECT_EQ(bytes_of(other), contents);
    }
}

TEST(Checkpoints, leave_a_file_alone_that_has_taken_their_place) {
  const TemporaryFolder folder;
  const std::string path = folder.file("state"), other = folder.file("other");
  Checkpoint checkpoint(path, "key", Checkpoint::Begin::anew);
  for (int round = 0; round < 2; ++round) {
    write_bytes(other, "precious");
    std::filesystem::rename(other, path);
    EXPECT_THROW(checkpoint.save(Bytes{1}), DeviceError);
    checkpoint.remove();
    EXPECT_EQ(bytes_of(path), "precious");
    std::filesystem::remove(path);
    checkpoint.save(Bytes{2});  // a file that is gone is written again
  }
}

}  // namespace
}  // namespace antipode::testing

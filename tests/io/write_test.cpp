#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "io/support.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

enum class Synced { file, folder };
std::function<bool(Synced)> on_sync;  // whether it succeeds

}  // namespace
}  // namespace antipode::testing

// In place of the C library's.
extern "C" int fsync(int descriptor) {
  using namespace antipode::testing;
  struct stat status {};
  fstat(descriptor, &status);
  if (on_sync && !on_sync(S_ISDIR(status.st_mode) ? Synced::folder : Synced::file)) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace antipode::testing {
namespace {

TEST(Write, what_is_written_is_read_again) {
  const TemporaryFolder folder;
  RandomGraphs graphs(61);
  for (int round = 0; round < 160; ++round) {
    const Graph graph = graphs.next();
    if (graph.size() == 0) continue;
    for (const std::string name : {"a.txt", "a.mtx", "a.egr", "a.apg"}) {
      const auto notices = write_graph(graph, folder.file(name));
      const Graph found = load_graph(folder.file(name)).graph;
      ASSERT_EQ(found.size(), graph.size()) << name;
      if (name == "a.txt" && notices.empty()) {
        ASSERT_EQ(fingerprint(found), fingerprint(graph));
      }
      if (name == "a.egr") {
        ASSERT_EQ(fingerprint(found).order, fingerprint(graph).order);
      }
    }
  }
}

TEST(Write, lost_vertices_and_labels_are_noticed) {
  const TemporaryFolder folder;
  EXPECT_EQ(write_graph(graph_of(3, {{0, 1}}), folder.file("a.txt")).size(), 1u);
  EXPECT_EQ(write_graph(generated("karate"), folder.file("a.mtx")).size(), 0u);
  EXPECT_EQ(write_graph(graph_of(2, {{0, 1}}), folder.file("a.mtx")).size(), 1u);
  EXPECT_EQ(write_graph(generated("karate"), folder.file("a.egr")).size(), 1u);
}

TEST(Write, names_that_end_in_gz_or_zst_are_packed) {
  const TemporaryFolder folder;
  const Graph graph = generated("uniform?n=20000&degree=9");  // more than a buffer, in any format
  for (const std::string name : {"a.txt", "a.mtx", "a.egr", "a.apg"}) {
    const std::string plain = folder.file(name);
    write_graph(graph, plain);
    for (const auto& [ending, magic] :
         {std::pair{".gz", "\x1f\x8b"}, std::pair{".zst", "\x28\xb5\x2f\xfd"}}) {
      write_graph(graph, plain + ending);
      const std::string bytes = bytes_of(plain + ending);
      EXPECT_TRUE(bytes.starts_with(magic)) << name << ending;
      EXPECT_EQ(unpacked(bytes), bytes_of(plain)) << name << ending;
      EXPECT_EQ(written_size(graph, plain + ending), bytes.size()) << name << ending;
      EXPECT_EQ(load_graph(plain + ending).graph.size(), graph.size()) << name << ending;
    }
  }
  for (const std::string ending : {".gz", ".zst"})
    for (const std::string& text : {std::string(), std::string("y\n"), std::string(3 << 20, 'x')}) {
      write_text(folder.file("b" + ending), text);
      EXPECT_EQ(unpacked(bytes_of(folder.file("b" + ending))), text) << ending;
    }
}

TEST(Write, formats_that_cannot_be_written_are_refused) {
  EXPECT_THROW(write_graph(generated("karate"), "a.rodinia"), UsageError);
  EXPECT_THROW(write_graph(generated("karate"), "a.txt", "metis"), UsageError);
}

TEST(Write, names_that_an_edge_list_cannot_hold_are_refused_before_anything_is_written) {
  const TemporaryFolder folder;
  const auto pair = [](const std::string& a, const std::string& b) {
    return build_graph(2, {{{0, 1}}}, Labels::names({a, b})).graph;
  };
  const std::pair<const char*, const char*> bad[] = {
      {"", "b"},     {"a b", "b"},       {"a", "b\tc"},      {"#a", "b"},    {"%a", "b"},
      {"a", "b\nc"}, {"a\x1b[31m", "b"}, {"1", "2"},         {"1.0", "2.0"}, {"007", "7"},
      {"a", "7"},    {"a,b", "c"},       {"*vertices", "2"}, {"{\"", "x"},   {"graph", "{"}};
  for (const auto& [a, b] : bad)
    EXPECT_THROW(write_graph(pair(a, b), folder.file("a.txt")), UsageError) << a << " " << b;
  EXPECT_EQ(folder.count(), 0u);
  for (const auto& [a, b] :
       {std::pair{"ann", "bob"}, std::pair{"a7", "b-7"}, std::pair{"0,0", "0,1"},
        std::pair{"é", "p"}, std::pair{"source", "b"}}) {
    write_graph(pair(a, b), folder.file("a.txt"));
    EXPECT_EQ(fingerprint(load_graph(folder.file("a.txt")).graph), fingerprint(pair(a, b))) << a;
  }
  EXPECT_THROW(write_graph(pair("a", "b"), folder.file("a.gml")), UsageError);
}

TEST(Write, a_failure_leaves_nothing_behind) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_graph(generated("karate"), folder.file("missing/a.apg")), DeviceError);
  EXPECT_EQ(folder.count(), 0u);
  EXPECT_THROW(write_text(folder.file(""), "a folder is no file"), DeviceError);
  EXPECT_EQ(folder.count(), 0u);
}

TEST(Write, an_existing_file_is_replaced_whole) {
  const TemporaryFolder folder;
  write_text(folder.file("a"), std::string(1000, 'x'));
  write_text(folder.file("a"), "y");
  EXPECT_EQ(bytes_of(folder.file("a")), "y");
  EXPECT_EQ(folder.count(), 1u);
}

// The file before it has its name, the folder after that.
TEST(Write, a_file_is_synced_before_it_is_renamed_and_its_folder_then) {
  const TemporaryFolder folder;
  std::vector<std::pair<Synced, bool>> seen;  // and whether the file has its name
  Synced failing{};
  bool fails = false;
  on_sync = [&](Synced what) {
    seen.emplace_back(what, std::filesystem::exists(folder.file("a")));
    return !fails || what != failing;
  };
  write_text(folder.file("a"), "y");
  EXPECT_EQ(seen,
            (std::vector<std::pair<Synced, bool>>{{Synced::file, false}, {Synced::folder, true}}));
  fails = true;
  for (const Synced what : {Synced::file, Synced::folder}) {
    failing = what;
    EXPECT_THROW(write_text(folder.file("b"), "y"), DeviceError);
    EXPECT_EQ(std::filesystem::exists(folder.file("b")), what == Synced::folder);
  }
  on_sync = nullptr;
}

TEST(Write, temporary_names_are_new_each_time) {
  const TemporaryFolder folder;
  const std::string path = folder.file("rows");
  constexpr std::size_t kFiles = 40;
  std::vector<std::unique_ptr<DistanceFile>> files;
  for (std::size_t i = 0; i < kFiles; ++i) {
    files.push_back(std::make_unique<DistanceFile>(path, "text", 1, 1, 9));
    EXPECT_EQ(folder.count(), i + 1);
  }
  files.clear();
  EXPECT_EQ(folder.count(), 0u);
}

// Rows are gone on with wherever the run before ended, also while it wrote the checksum into the
// header.
TEST(Rows, that_were_flushed_are_gone_on_with_and_others_are_refused) {
  const TemporaryFolder folder;
  const auto row = [](Distance i) { return std::vector<Distance>{i, i + 1, kUnreached}; };
  for (const std::string format : {"npy", "compact", "text"}) {
    const std::string whole = folder.file("whole"), path = folder.file("rows");
    DistanceFile all(whole, format, 5, 3, 9);
    for (Distance i = 0; i < 5; ++i) all.append(row(i));
    all.commit();
    DistanceFileProgress begun;
    const auto begin = [&] {
      DistanceFile first(path, format, 5, 3, 9);
      for (Distance i = 0; i < 3; ++i) first.append(row(i));
      begun = first.flush();
      EXPECT_THROW(DistanceFile(path, format, 5, 3, 9, begun), DeviceError) << format;
      first.append(row(7));  // after the last flush: written again
    };
    begin();
    if (format == "compact") {
      std::string bytes = bytes_of(folder.file(begun.file));
      bytes.replace(40, 8, "12345678");
      write_bytes(folder.file(begun.file), bytes);
    }
    {
      DistanceFile rest(path, format, 5, 3, 9, begun);
      for (Distance i = 3; i < 5; ++i) rest.append(row(i));
      rest.commit();
    }
    EXPECT_EQ(bytes_of(path), bytes_of(whole)) << format;
    begin();
    ++begun.checksum;
    EXPECT_THROW(DistanceFile(path, format, 5, 3, 9, begun), InputError) << format;
    EXPECT_TRUE(DistanceFile::is_there(path, begun)) << format;  // a refusal removes nothing
  }
}

// What a checkpoint says under a right checksum: no other file is touched, and other rows are found
// by searching some again.
TEST(Rows, that_a_checkpoint_names_are_of_our_own_files_and_right) {
  const TemporaryFolder folder;
  const std::string path = folder.file("rows");
  const std::vector<Distance> one{1}, two{2};
  DistanceFileProgress begun;
  for (const char* const name :
       {"g.txt", "rows", "rows.partial-1", "rows.partial-1-", "rows.partial--1", "rows.partial-1-x",
        "rows.partial-1-2-3", "other.partial-1-2", "../rows.partial-1-2", ".", "..",
        "rows.partial-1-2/"}) {
    const bool is_plain = std::string_view(name).find_first_of("/.") > 0 &&
                          std::string_view(name).find('/') == std::string_view::npos;
    if (is_plain) write_bytes(folder.file(name), "1\n2\n");
    const DistanceFileProgress other{.file = name, .rows = 1, .checksum = 0};
    EXPECT_THROW(DistanceFile(path, "text", 2, 1, 2, other), InputError) << name;
    EXPECT_THROW(DistanceFileProgress::of(other.state(), path), InputError) << name;
    if (is_plain) {
      EXPECT_EQ(bytes_of(folder.file(name)), "1\n2\n") << name;
    }
  }
  for (const std::string format : {"npy", "compact", "text"}) {
    {
      DistanceFile first(path, format, 3, 1, 2);
      first.append(one);
      first.append(two);
      begun = first.flush();
    }
    const DistanceFileProgress read = DistanceFileProgress::of(begun.state(), path);
    EXPECT_EQ(read.file, begun.file);
    EXPECT_EQ(read.rows, begun.rows);
    EXPECT_EQ(read.checksum, begun.checksum);
    begun.known = {{1, {one.begin(), one.end()}}};
    EXPECT_THROW(DistanceFile(path, format, 3, 1, 2, begun), InputError) << format;
    begun.known = {{0, {one.begin(), one.end()}}, {1, {two.begin(), two.end()}}};
    DistanceFile rest(path, format, 3, 1, 2, begun);
    rest.append(two);
    rest.commit();
  }
}

TEST(Rows, of_lengths_are_in_the_unit_of_their_file) {
  const TemporaryFolder folder;
  const std::string path = folder.file("rows");
  const LengthUnit unit{.factor = 25, .decimals = 2, .halvings = 0};  // quarters
  const std::vector<Length> row{0, 3, kNoPath, Length{1} << 40};
  const auto write = [&](const char* format) {
    DistanceFile file(path, format, 1, row.size(), row.back(), {}, unit);
    file.append(row);
    file.commit();
    return bytes_of(path);
  };
  EXPECT_EQ(write("text"), "0\t0.75\tinf\t274877906944\n");
  const std::int64_t numbers[] = {0, 75, -1, 25 * (std::int64_t{1} << 40)};
  const std::string npy = write("npy"), compact = write("compact");
  for (const std::string& bytes : {npy, compact}) {
    ASSERT_GE(bytes.size(), sizeof(numbers));
    EXPECT_EQ(bytes.substr(bytes.size() - sizeof(numbers)),
              std::string(reinterpret_cast<const char*>(numbers), sizeof(numbers)));
  }
  EXPECT_EQ(npy.size(), DistanceFile::bytes("npy", 1, 4, row.back(), unit));
  EXPECT_EQ(compact.size(), DistanceFile::bytes("compact", 1, 4, row.back(), unit));
  EXPECT_NE(npy.find("'<i8'"), std::string::npos);
  EXPECT_THROW(DistanceFile(path, "npy", 1, 4, kNoPath >> 2, {}, unit), UsageError);
}

TEST(Rows, of_two_runs_do_not_meet_and_those_not_flushed_are_not_left) {
  const TemporaryFolder folder;
  const std::string path = folder.file("rows");
  const std::vector<Distance> one{1}, two{2};
  DistanceFileProgress begun;
  {
    DistanceFile first(path, "text", 1, 1, 2), second(path, "text", 1, 1, 2);
    DistanceFile third(path, "text", 2, 1, 2);
    third.append(one);
    begun = third.flush();
    first.append(one);
    second.append(two);
    EXPECT_EQ(folder.count(), 3u);
    first.commit();
  }
  EXPECT_EQ(bytes_of(path), "1\n");
  EXPECT_EQ(folder.count(), 2u);
  DistanceFile rest(path, "text", 2, 1, 2, begun);
  rest.append(two);
  rest.commit();
  EXPECT_EQ(bytes_of(path), "1\n2\n");
  EXPECT_EQ(folder.count(), 1u);
}

}  // namespace
}  // namespace antipode::testing

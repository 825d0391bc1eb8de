// A library for LD_PRELOAD that fails the k-th allocation or the k-th write of a program, counted
// from main on.
//
//   FAIL_ALLOC=k   the k-th malloc, calloc, realloc, aligned_alloc, memalign or posix_memalign has
//   no memory FAIL_WRITE=k   the k-th system call that writes fails, but for those to standard
//   error: write, pwrite, writev,
//                  pwritev, fsync, fdatasync, ftruncate, fallocate, rename, and open where it
//                  creates
//   FAIL_ERRNO=e   ENOSPC or EIO for writes; ENOSPC by default
//   FAIL_ALL=1     all later ones fail, too
//   FAIL_COUNT=f   f holds the number of allocations and of writes seen, two 64-bit numbers, right
//   at any moment
//
// Allocations are interposed. Writes cannot be: stdio calls the kernel from within libc. A seccomp
// filter turns them into SIGSYS instead, whose handler counts and either fails the call or repeats
// it with a mark that the filter knows. Where there is no seccomp, FAIL_COUNT stays empty.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

struct Counts {
  std::atomic<std::uint64_t> allocations, writes;
};
static_assert(sizeof(Counts) == 16 && std::atomic<std::uint64_t>::is_always_lock_free);

Counts own{};
Counts* counts = &own;  // shared with the driver where FAIL_COUNT is given
std::uint64_t failing_allocation = 0, failing_write = 0;  // 0: none
bool fail_all = false, counting = false;
int write_error = ENOSPC;

bool is_failing(std::atomic<std::uint64_t>& count, std::uint64_t which) {
  if (!counting) return false;
  const std::uint64_t at = count.fetch_add(1, std::memory_order_relaxed) + 1;
  return which != 0 && (at == which || (fail_all && at > which));
}

bool allocation_fails() {
  if (!is_failing(counts->allocations, failing_allocation)) return false;
  errno = ENOMEM;
  return true;
}

#if defined(__x86_64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
long long* result_of(ucontext_t* context) { return &context->uc_mcontext.gregs[REG_RAX]; }
long argument(const ucontext_t* context, int which) {
  constexpr int kRegisters[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8};
  return context->uc_mcontext.gregs[kRegisters[which]];
}
#elif defined(__aarch64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
unsigned long long* result_of(ucontext_t* context) { return &context->uc_mcontext.regs[0]; }
long argument(const ucontext_t* context, int which) {
  return static_cast<long>(context->uc_mcontext.regs[which]);
}
#endif

constexpr std::uint32_t kRepeated = 0xFA117E57;  // a sixth argument that none of these calls has

void on_write(int, siginfo_t* info, void* state) {
  auto* context = static_cast<ucontext_t*>(state);
  const int saved = errno;
  const bool opens = info->si_syscall == SYS_openat;
  if ((opens || argument(context, 0) != STDERR_FILENO) &&
      is_failing(counts->writes, failing_write)) {
    *result_of(context) = -write_error;
    return;
  }
  const long result =
      syscall(info->si_syscall, argument(context, 0), argument(context, 1), argument(context, 2),
              argument(context, 3), argument(context, 4), kRepeated);
  *result_of(context) = result < 0 ? -errno : result;
  errno = saved;
}

// Of the 64-bit arguments the low halves; both machines are little-endian.
constexpr std::uint32_t argument_at(std::size_t which) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * which);
}

bool install_filter() {
  constexpr std::uint32_t kCalls[] = {
      SYS_write,     SYS_pwrite64,  SYS_writev,    SYS_pwritev,  SYS_fsync,
      SYS_fdatasync, SYS_ftruncate, SYS_fallocate, SYS_renameat, SYS_renameat2,
#ifdef SYS_rename
      SYS_rename,
#endif
  };
  constexpr std::uint8_t kNumber = sizeof(kCalls) / sizeof(kCalls[0]);
  sock_filter program[10 + kNumber];
  std::size_t size = 0;
  const auto add = [&](sock_filter line) { program[size++] = line; };
  add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
  add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 0, kNumber + 6));
  add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument_at(5)));
  add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kRepeated, kNumber + 4, 0));
  add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  for (std::uint8_t i = 0; i < kNumber; ++i)
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kCalls[i], static_cast<std::uint8_t>(kNumber - i + 3),
                 0));
  add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 2));
  add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument_at(2)));
  add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT, 1, 0));
  add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
  const sock_fprog filter{static_cast<unsigned short>(size), program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

std::uint64_t number_in(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

void begin() {
  failing_allocation = number_in("FAIL_ALLOC");
  failing_write = number_in("FAIL_WRITE");
  fail_all = number_in("FAIL_ALL") != 0;
  if (const char* name = std::getenv("FAIL_ERRNO");
      name != nullptr && std::strcmp(name, "EIO") == 0)
    write_error = EIO;
  struct sigaction action {};
  action.sa_sigaction = on_write;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  const char* file = std::getenv("FAIL_COUNT");
  const int shared = file == nullptr ? -1 : open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (sigaction(SIGSYS, &action, nullptr) != 0 || !install_filter()) return;
  if (shared >= 0 && syscall(SYS_ftruncate, shared, sizeof(Counts), 0, 0, 0, kRepeated) == 0) {
    void* there = mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    if (there != MAP_FAILED) counts = static_cast<Counts*>(there);
  }
  if (shared >= 0) close(shared);
  counting = true;
}

int (*program_main)(int, char**, char**) = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  begin();
  return program_main(argc, argv, environment);
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return allocation_fails() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) {
  return allocation_fails() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  return allocation_fails() ? nullptr : __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return allocation_fails() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** to, std::size_t alignment, std::size_t size) {
  void* found = memalign(alignment, size);
  if (found == nullptr) return ENOMEM;
  *to = found;
  return 0;
}

// A thread that blocks all signals would die of its first write.
int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) {
  static const auto next = reinterpret_cast<int (*)(int, const sigset_t*, sigset_t*)>(
      dlsym(RTLD_NEXT, "pthread_sigmask"));
  if (set == nullptr) return next(how, set, old);
  sigset_t open_to_writes = *set;
  if (how != SIG_UNBLOCK) sigdelset(&open_to_writes, SIGSYS);
  return next(how, &open_to_writes, old);
}

int __libc_start_main(int (*of_program)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*rtld_fini)(), void* end) {
  program_main = of_program;
  const auto next =
      reinterpret_cast<decltype(&__libc_start_main)>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return next(counted_main, argc, argv, init, fini, rtld_fini, end);
}

}  // extern "C"

// What a wheel asks of the C library, as glibc 2.17 has it, so that systems older than the one it
// was built on load it. Symbols of later versions are defined here, hidden: calls from archives
// such as libstdc++.a come here, too. Most go on to the old version of the same symbol, which every
// later glibc keeps. Used where ANTIPODE_PORTABLE is ON.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define FIRST "GLIBC_2.2.5"
enum { kStatVersion = 1 };
#elif defined(__aarch64__)
#define FIRST "GLIBC_2.17"
enum { kStatVersion = 0 };
#else
#error "the first versions of the symbols of glibc are known for x86-64 and AArch64 alone"
#endif

// The first version of a symbol, under a name of its own.
#define OLD(result, symbol, parameters) \
  result old_##symbol parameters;       \
  __asm__(".symver old_" #symbol "," #symbol "@" FIRST)
// A symbol that is its first version.
#define SAME(result, symbol, parameters, arguments) \
  OLD(result, symbol, parameters);                  \
  result symbol parameters { return old_##symbol arguments; }

SAME(double, exp, (double x), (x))
SAME(double, log, (double x), (x))
SAME(double, pow, (double x, double y), (x, y))
SAME(double, lgamma, (double x), (x))

// In libpthread before 2.34: old_pthread.c stands for that.
SAME(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t* attributes, void* (*run)(void*), void* with),
     (thread, attributes, run, with))
SAME(int, pthread_detach, (pthread_t thread), (thread))
SAME(int, pthread_join, (pthread_t thread, void** result), (thread, result))
SAME(int, pthread_once, (pthread_once_t * once, void (*run)(void)), (once, run))
SAME(int, pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
SAME(int, pthread_sigmask, (int how, const sigset_t* set, sigset_t* before), (how, set, before))

OLD(int, pthread_mutex_timedlock, (pthread_mutex_t * mutex, const struct timespec* until));

// 2.30. The old one knows the wall clock alone: a step of that clock changes how long this waits.
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const struct timespec* until) {
  enum { kSecond = 1000000000 };
  struct timespec now, wall;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  wall.tv_sec += until->tv_sec - now.tv_sec;
  wall.tv_nsec += until->tv_nsec - now.tv_nsec;
  if (wall.tv_nsec < 0) {
    wall.tv_nsec += kSecond;
    --wall.tv_sec;
  } else if (wall.tv_nsec >= kSecond) {
    wall.tv_nsec -= kSecond;
    ++wall.tv_sec;
  }
  return old_pthread_mutex_timedlock(mutex, &wall);
}

OLD(int, __xstat, (int version, const char* path, struct stat* about));
OLD(int, __lxstat, (int version, const char* path, struct stat* about));
OLD(int, __fxstat, (int version, int file, struct stat* about));

int stat(const char* path, struct stat* about) { return old___xstat(kStatVersion, path, about); }
int lstat(const char* path, struct stat* about) { return old___lxstat(kStatVersion, path, about); }
int fstat(int file, struct stat* about) { return old___fxstat(kStatVersion, file, about); }
int fstat64(int file, struct stat64* about) {
  return old___fxstat(kStatVersion, file, (struct stat*)about);  // the same on these machines
}

// Since 2.32 glibc says when there is one thread, to spare atomic operations: here there never is.
char __libc_single_threaded = 0;

// 2.25. By the system call, or by the file of kernels before 3.17.
int getentropy(void* bytes, size_t count) {
  char* at = bytes;
  const int file = syscall(SYS_getrandom, bytes, (size_t)0, 0) < 0
                       ? open("/dev/urandom", O_RDONLY | O_CLOEXEC)
                       : -1;
  while (count > 0) {
    const long got = file < 0 ? syscall(SYS_getrandom, at, count, 0) : read(file, at, count);
    if (got <= 0) break;
    at += got;
    count -= (size_t)got;
  }
  if (file >= 0) close(file);
  return count == 0 ? 0 : -1;
}

// 2.36
void arc4random_buf(void* bytes, size_t count) {
  if (getentropy(bytes, count) != 0) abort();
}
uint32_t arc4random(void) {
  uint32_t value = 0;
  arc4random_buf(&value, sizeof value);
  return value;
}

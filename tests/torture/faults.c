/* System calls that fail where they are told to. Preloaded; steered by faults.py, which calls the functions below. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { OFF, COUNT, ONCE, EVER, SHORT, ALWAYS_SHORT, KILL };

static int mode, at, code, count;
static const char *chosen;

void fault_arm(int how, int where, int error) { count = 0; chosen = 0; at = where; code = error; mode = how; }
int fault_disarm(void) { mode = OFF; return count; }
const char *fault_name(void) { return chosen ? chosen : ""; }

static int fails(const char *name) {
    if (mode == OFF) return 0;
    if (++count == at) chosen = name;
    if (mode == KILL && count == at) kill(getpid(), SIGKILL);
    if (mode == ONCE ? count != at : mode != EVER || chosen != name) return 0;
    errno = code;
    return 1;
}

static size_t some(const char *name, size_t size) {
    int now = (mode == SHORT && count == at) || (mode == ALWAYS_SHORT && chosen == name);
    return now && size > 1 ? (size + 1) / 2 : size;
}

#define REAL(type, name, ...) ((type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))
#define WRAP(type, name, label, args, types, values, bad) \
    type name args { static type (*real) types; if (!real) real = dlsym(RTLD_NEXT, #name); \
        return fails(label) ? bad : real values; }

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); mode_t bits = va_arg(rest, mode_t); va_end(rest); \
        return fails("open") ? -1 : REAL(int, name, const char *, int, ...)(path, flags, bits); }
OPEN(open)
OPEN(open64)

static const char *READ = "read", *WRITE = "write";
ssize_t read(int fd, void *to, size_t size) {
    if (fails(READ)) return -1;
    return REAL(ssize_t, read, int, void *, size_t)(fd, to, some(READ, size));
}
ssize_t write(int fd, const void *from, size_t size) {
    if (fails(WRITE)) return -1;
    return REAL(ssize_t, write, int, const void *, size_t)(fd, from, some(WRITE, size));
}
int close(int fd) {
    int failed = fails("close"), error = errno, done = REAL(int, close, int)(fd);
    if (failed) errno = error;
    return failed ? -1 : done;
}

WRAP(int, fsync, "fsync", (int fd), (int), (fd), -1)
WRAP(int, ftruncate, "ftruncate", (int fd, off_t size), (int, off_t), (fd, size), -1)
WRAP(int, ftruncate64, "ftruncate", (int fd, off64_t size), (int, off64_t), (fd, size), -1)
WRAP(off_t, lseek, "lseek", (int fd, off_t to, int from), (int, off_t, int), (fd, to, from), -1)
WRAP(off64_t, lseek64, "lseek", (int fd, off64_t to, int from), (int, off64_t, int), (fd, to, from), -1)
WRAP(int, rename, "rename", (const char *from, const char *to), (const char *, const char *), (from, to), -1)
WRAP(int, unlink, "unlink", (const char *path), (const char *), (path), -1)
WRAP(int, mkdir, "mkdir", (const char *path, mode_t bits), (const char *, mode_t), (path, bits), -1)
WRAP(int, flock, "flock", (int fd, int what), (int, int), (fd, what), -1)
WRAP(int, fchmod, "fchmod", (int fd, mode_t bits), (int, mode_t), (fd, bits), -1)
WRAP(int, fchown, "fchown", (int fd, uid_t user, gid_t group), (int, uid_t, gid_t), (fd, user, group), -1)
WRAP(int, fstat, "fstat", (int fd, struct stat *to), (int, struct stat *), (fd, to), -1)
WRAP(int, fstat64, "fstat", (int fd, struct stat64 *to), (int, struct stat64 *), (fd, to), -1)
WRAP(int, stat, "stat", (const char *path, struct stat *to), (const char *, struct stat *), (path, to), -1)
WRAP(int, stat64, "stat", (const char *path, struct stat64 *to), (const char *, struct stat64 *), (path, to), -1)
WRAP(int, lstat, "lstat", (const char *path, struct stat *to), (const char *, struct stat *), (path, to), -1)
WRAP(int, lstat64, "lstat", (const char *path, struct stat64 *to), (const char *, struct stat64 *), (path, to), -1)
WRAP(void *, opendir, "opendir", (const char *path), (const char *), (path), 0)
WRAP(ssize_t, readlink, "readlink", (const char *path, char *to, size_t size), (const char *, char *, size_t),
     (path, to, size), -1)
WRAP(ssize_t, listxattr, "listxattr", (const char *path, char *to, size_t size), (const char *, char *, size_t),
     (path, to, size), -1)
WRAP(ssize_t, flistxattr, "listxattr", (int fd, char *to, size_t size), (int, char *, size_t), (fd, to, size), -1)
WRAP(ssize_t, getxattr, "getxattr", (const char *path, const char *name, void *to, size_t size),
     (const char *, const char *, void *, size_t), (path, name, to, size), -1)
WRAP(int, fsetxattr, "setxattr", (int fd, const char *name, const void *from, size_t size, int how),
     (int, const char *, const void *, size_t, int), (fd, name, from, size, how), -1)

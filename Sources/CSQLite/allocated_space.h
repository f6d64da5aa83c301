// Space on the disk for a file, before its bytes come.
#pragma once
#include <errno.h>

#ifdef __linux__
// The C library declares it for programs that ask for all of its extensions before they include anything. Its portable
// relative writes zeros where a file system has no such function, and so over what another process has just written.
int fallocate(int file, int mode, long offset, long count);
#endif

/// Lengthens a file and allocates space for it (fallocate(2)); what is there stays.
///
/// Returns 0, or -1 with an `errno`, such as that of a file system that cannot.
static inline int csqlite_allocate(int file, long offset, long count) {
#ifdef __linux__
    return fallocate(file, 0, offset, count);
#else
    errno = ENOTSUP;
    return -1;
#endif
}

#include "MainThreadKeeper.h"

#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

// libdispatch's own for run loops, which the program has loaded.
extern int _dispatch_get_main_queue_handle_4CF(void) __attribute__((weak));
extern void _dispatch_main_queue_callback_4CF(void *message) __attribute__((weak));

// In place of libdispatch's, which ends the main thread and lets others do what it would have done.
void dispatch_main(void) {
    struct pollfd wake = {.fd = _dispatch_get_main_queue_handle_4CF(), .events = POLLIN};
    for (;;) {
        uint64_t count;
        if (poll(&wake, 1, -1) != 1 || read(wake.fd, &count, sizeof count) != sizeof count) continue;
        _dispatch_main_queue_callback_4CF(NULL);
    }
}

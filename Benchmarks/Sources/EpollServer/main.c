// A yardstick: what a request costs the kernel and hardly anything else. A thread for each core with an epoll of its own;
// every request gets the same answer, and none may have a body.
//
// Prints {"port": …} once it listens, and ends when its standard input does.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { maximum_events = 64, maximum_request = 4096 };

static const char answer[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 2\r\n\r\nok";

struct connection {
    int descriptor;
    size_t length;
    char request[maximum_request];
};

static void check(int is_good, const char *what) {
    if (is_good) return;
    perror(what);
    exit(1);
}

/// Listens at 127.0.0.1; threads share a port, and the kernel spreads connections over them.
static int listen_at(in_port_t *port) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    check(descriptor >= 0, "socket");
    int on = 1;
    check(setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0, "SO_REUSEPORT");
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(*port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    check(bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0, "bind");
    check(listen(descriptor, 256) == 0, "listen");
    socklen_t size = sizeof address;
    check(getsockname(descriptor, (struct sockaddr *)&address, &size) == 0, "getsockname");
    *port = ntohs(address.sin_port);
    return descriptor;
}

static void close_connection(struct connection *connection) {
    close(connection->descriptor);
    free(connection);
}

static void accept_all(int epoll, int listener) {
    int descriptor;
    while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        int on = 1;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct connection *connection = calloc(1, sizeof *connection);
        check(connection != NULL, "calloc");
        connection->descriptor = descriptor;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
        check(epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0, "epoll_ctl");
    }
}

/// Answers the requests that are complete: a client that waits for each answer sends one.
static void serve(struct connection *connection) {
    ssize_t count = read(
        connection->descriptor, connection->request + connection->length, maximum_request - connection->length);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) return close_connection(connection);
    connection->length += (size_t)count;
    char *end;
    while ((end = memmem(connection->request, connection->length, "\r\n\r\n", 4)) != NULL) {
        size_t rest = connection->length - (size_t)(end + 4 - connection->request);
        memmove(connection->request, end + 4, rest);
        connection->length = rest;
        if (write(connection->descriptor, answer, sizeof answer - 1) != (ssize_t)sizeof answer - 1) {
            return close_connection(connection);
        }
    }
    if (connection->length == maximum_request) close_connection(connection);
}

static void *run(void *argument) {
    int listener = (int)(long)argument;
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    check(epoll >= 0, "epoll_create1");
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    check(epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) == 0, "epoll_ctl");
    struct epoll_event events[maximum_events];
    for (;;) {
        int count = epoll_wait(epoll, events, maximum_events, -1);
        for (int number = 0; number < count; number++) {
            if (events[number].data.ptr == NULL) {
                accept_all(epoll, listener);
            } else {
                serve(events[number].data.ptr);
            }
        }
    }
    return NULL;
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    in_port_t port = 0;
    for (long number = 0; number < (cores > 0 ? cores : 1); number++) {
        pthread_t thread;
        check(pthread_create(&thread, NULL, run, (void *)(long)listen_at(&port)) == 0, "pthread_create");
    }
    printf("{\"port\":%d}\n", port);
    fflush(stdout);
    char byte;
    while (read(STDIN_FILENO, &byte, 1) > 0) {}
    return 0;
}

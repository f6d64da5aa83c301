// The functions of libpq by their own names, as the header declares them: each calls the library's once that is open.
// They are hidden, so that calls within libpq do not come here.
#pragma GCC visibility push(hidden)
#include "CPostgres.h"
#pragma GCC visibility pop

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#ifdef __APPLE__
#define LIBRARY "libpq.5.dylib"
#else
#define LIBRARY "libpq.so.5"
#endif

/// Of each function its result, its name, its parameters and the arguments to pass on.
#define FUNCTIONS(FUNCTION) \
    FUNCTION(void, PQclear, (PGresult *result), result) \
    FUNCTION(char *, PQcmdStatus, (PGresult *result), result) \
    FUNCTION(char *, PQcmdTuples, (PGresult *result), result) \
    FUNCTION(PGconn *, PQconnectdb, (const char *text), text) \
    FUNCTION( \
        PGconn *, PQconnectdbParams, (const char *const *keywords, const char *const *values, int expand_dbname), \
        keywords, values, expand_dbname) \
    FUNCTION(void, PQconninfoFree, (PQconninfoOption *options), options) \
    FUNCTION(PQconninfoOption *, PQconninfoParse, (const char *text, char **message), text, message) \
    FUNCTION(int, PQconsumeInput, (PGconn *connection), connection) \
    FUNCTION(int, PQenterPipelineMode, (PGconn *connection), connection) \
    FUNCTION(char *, PQerrorMessage, (const PGconn *connection), connection) \
    FUNCTION(PGresult *, PQexec, (PGconn *connection, const char *sql), connection, sql) \
    FUNCTION(void, PQfinish, (PGconn *connection), connection) \
    FUNCTION(int, PQflush, (PGconn *connection), connection) \
    FUNCTION(void, PQfreemem, (void *memory), memory) \
    FUNCTION(Oid, PQftype, (const PGresult *result, int column), result, column) \
    FUNCTION(int, PQgetisnull, (const PGresult *result, int row, int column), result, row, column) \
    FUNCTION(int, PQgetlength, (const PGresult *result, int row, int column), result, row, column) \
    FUNCTION(PGresult *, PQgetResult, (PGconn *connection), connection) \
    FUNCTION(char *, PQgetvalue, (const PGresult *result, int row, int column), result, row, column) \
    FUNCTION(int, PQisBusy, (PGconn *connection), connection) \
    FUNCTION(int, PQnfields, (const PGresult *result), result) \
    FUNCTION(int, PQntuples, (const PGresult *result), result) \
    FUNCTION(int, PQpipelineSync, (PGconn *connection), connection) \
    FUNCTION(char *, PQresultErrorField, (const PGresult *result, int field), result, field) \
    FUNCTION(ExecStatusType, PQresultStatus, (const PGresult *result), result) \
    FUNCTION( \
        int, PQsendPrepare, (PGconn *connection, const char *name, const char *sql, int count, const Oid *types), \
        connection, name, sql, count, types) \
    FUNCTION(int, PQsendQuery, (PGconn *connection, const char *sql), connection, sql) \
    FUNCTION( \
        int, PQsendQueryPrepared, \
        (PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, \
         const int *formats, int result_format), \
        connection, name, count, values, lengths, formats, result_format) \
    FUNCTION( \
        PQnoticeProcessor, PQsetNoticeProcessor, (PGconn *connection, PQnoticeProcessor processor, void *argument), \
        connection, processor, argument) \
    FUNCTION( \
        PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *connection, PQnoticeReceiver receiver, void *argument), \
        connection, receiver, argument) \
    FUNCTION(int, PQsetnonblocking, (PGconn *connection, int is_nonblocking), connection, is_nonblocking) \
    FUNCTION(int, PQsocket, (const PGconn *connection), connection) \
    FUNCTION(ConnStatusType, PQstatus, (const PGconn *connection), connection)

static struct {
#define POINTER(result, name, parameters, ...) result(*name) parameters;
    FUNCTIONS(POINTER)
} libpq;

#define FORWARD(result, name, parameters, ...) \
    result name parameters { return libpq.name(__VA_ARGS__); }
FUNCTIONS(FORWARD)

static const char *open_library(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define LOOK_UP(result, name, parameters, ...) \
    if (!(libpq.name = (result(*) parameters)dlsym(library, #name))) return dlerror();
    FUNCTIONS(LOOK_UP)
    return NULL;
}

static char *refusal;

static void open_once(void) {
    const char *reason = open_library();
    // The text of dlerror belongs to this thread and its next call.
    if (reason) refusal = strdup(reason);
}

const char *cpostgres_open(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_once);
    return refusal;
}

// A database file whose pages reach the disk while a checkpoint copies them.
//
// SQLite waits for the disk only when a checkpoint has copied the whole write-ahead log, and then for all pages since the log
// began. A commit that comes meanwhile stands behind them in the device's queue. So the checkpointer's file gets functions that
// are SQLite's own but for a write that waits for the disk after every few pages (https://sqlite.org/c3ref/io_methods.html).
#pragma once
#include <sqlite3.h>
#include <stdlib.h>

/// The number of pages that a commit may stand behind: 256 KB.
enum { csqlite_pages_at_once = 64 };

/// What `pMethods` of such a file points to.
typedef struct {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *own;
    /// The pages that were written since the last wait for the disk.
    int pages;
} csqlite_copied_pages;

static csqlite_copied_pages *csqlite_copies(sqlite3_file *file) { return (csqlite_copied_pages *)file->pMethods; }

static int csqlite_copies_sync(sqlite3_file *file, int flags) {
    int code = csqlite_copies(file)->own->xSync(file, flags);
    if (code == SQLITE_OK) csqlite_copies(file)->pages = 0;
    return code;
}

static int csqlite_copies_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int code = csqlite_copies(file)->own->xWrite(file, bytes, count, offset);
    if (code != SQLITE_OK || ++csqlite_copies(file)->pages < csqlite_pages_at_once) return code;
    return csqlite_copies_sync(file, SQLITE_SYNC_NORMAL);
}

static int csqlite_copies_close(sqlite3_file *file) {
    csqlite_copied_pages *copies = csqlite_copies(file);
    int code = copies->own->xClose(file);
    free(copies);
    return code;
}

static sqlite3_file *csqlite_file(sqlite3 *connection) {
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return code == SQLITE_OK && file && file->pMethods ? file : NULL;
}

/// Replaces the functions of a connection's database file; its log keeps its own.
static inline int csqlite_sync_while_copying(sqlite3 *connection) {
    sqlite3_file *file = csqlite_file(connection);
    if (!file) return SQLITE_MISUSE;
    csqlite_copied_pages *copies = calloc(1, sizeof *copies);
    if (!copies) return SQLITE_NOMEM;
    copies->own = file->pMethods;
    copies->methods = *copies->own;
    // A later SQLite may have more functions than this header.
    if (copies->methods.iVersion > 3) copies->methods.iVersion = 3;
    copies->methods.xWrite = csqlite_copies_write;
    copies->methods.xSync = csqlite_copies_sync;
    copies->methods.xClose = csqlite_copies_close;
    file->pMethods = &copies->methods;
    return SQLITE_OK;
}

/// Waits until the disk has what was copied. For a connection with replaced functions.
static inline int csqlite_sync_copies(sqlite3 *connection) {
    sqlite3_file *file = csqlite_file(connection);
    if (!file) return SQLITE_MISUSE;
    return csqlite_copies(file)->pages ? csqlite_copies_sync(file, SQLITE_SYNC_NORMAL) : SQLITE_OK;
}

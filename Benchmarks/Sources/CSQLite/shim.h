// What Swift cannot import from sqlite3.h: the destructor macro SQLITE_TRANSIENT.
#pragma once
#include <sqlite3.h>

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

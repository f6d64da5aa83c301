// What Swift cannot import from sqlite3.h: variadic functions and the destructor macro SQLITE_TRANSIENT.
#pragma once
#include <sqlite3.h>

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Counts no allocations, for the counters are behind one lock for all threads. No effect once a connection was opened.
static inline int csqlite_count_no_allocations(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Sets one of the on/off switches of sqlite3_db_config.
static inline int csqlite_set_switch(sqlite3 *connection, int switch_number, int is_on) {
    return sqlite3_db_config(connection, switch_number, is_on, (int *)0);
}

// libpq, opened at run time: a broker on SQLite never maps it, nor the twenty libraries that it brings along.
#pragma once
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

/// Opens libpq, which is to be done before any of its functions is called; once is enough, more often does no harm.
///
/// Returns NULL, or the reason why it cannot be used.
const char *cpostgres_open(void);

// What Swift cannot import from libpq-fe.h: field codes that are character literals.

/// The five characters of a result's SQLSTATE, or NULL when libpq itself failed.
static inline const char *cpostgres_sqlstate(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

/// The message of a result in one line, without values.
static inline const char *cpostgres_message(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

/// The name of the constraint that a result's error is about, or NULL.
static inline const char *cpostgres_constraint(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
}

/// FATAL, ERROR, WARNING, …, never translated.
static inline const char *cpostgres_severity(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
}

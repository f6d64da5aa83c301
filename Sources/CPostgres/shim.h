// What Swift cannot import from libpq-fe.h: field codes that are character literals.
#pragma once
#include <libpq-fe.h>

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

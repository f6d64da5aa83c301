import CPostgres

/// Another program with a connection to the same database.
package final class RawPostgreSQL {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let handle: OpaquePointer?

    package init(_ url: String) throws {
        if let reason = cpostgres_open() { throw Failure(description: String(cString: reason)) }
        handle = PQconnectdb(url)
        guard PQstatus(handle) == CONNECTION_OK else { throw failure }
        _ = PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    deinit {
        PQfinish(handle)
    }

    /// Runs `sql`, which may be several statements.
    ///
    /// - Returns: the rows of the last one, as text; nil for NULL.
    @discardableResult
    package func run(_ sql: String) throws -> [[String?]] {
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else { throw failure }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                guard PQgetisnull(result, row, column) == 0 else { return nil }
                return PQgetvalue(result, row, column).map { String(cString: $0) }
            }
        }
    }

    private var failure: Failure { Failure(description: String(cString: PQerrorMessage(handle))) }
}

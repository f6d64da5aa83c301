import Foundation

/// The limits and time-outs of a PostgreSQL database. The defaults are those of the broker.
package struct PostgreSQLOptions: Sendable {
    /// The maximum number of concurrent transactions, each on its own connection. Connections are opened on demand. The
    /// default is twice the processors: 12 on two of them cost a third of the throughput and doubled p99.
    package var connections = min(2 * ProcessInfo.processInfo.activeProcessorCount, 1000)
    /// The time limit for a connection, after which a transaction is refused with `.unavailable`.
    package var patience: Duration = .seconds(3)
    /// The time limit for a transaction, with the wait for a connection and repetitions.
    package var transactionTimeout: Duration = .seconds(8)
    /// The time limit for one statement on the server, with its wait for locks.
    package var statementTimeout: Duration = .seconds(5)
    /// The time limit for a server that does not respond when the store is opened.
    package var openTimeout: Duration = .seconds(10)
    /// The maximum number of transactions that wait for a connection; more are refused with `.busy`.
    package var waiting = 2000

    package init() {}

    /// The options for a process that reads whole tables in one transaction and serves no requests.
    var forLongWork: PostgreSQLOptions {
        var options = self
        options.connections = 2
        options.patience = .seconds(60)
        options.transactionTimeout = .seconds(24 * 3600)
        options.statementTimeout = .seconds(3600)
        return options
    }
}

extension Duration {
    /// Whole milliseconds, rounded down and clamped to the range of libpq and PostgreSQL.
    var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflows else { return seconds < 0 ? .min : .max }
        return Int32(clamping: product &+ attoseconds / 1_000_000_000_000_000)
    }
}

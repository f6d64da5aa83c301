import Foundation

/// How a PostgreSQL database is used. The defaults are what the broker runs with.
package struct PostgreSQLOptions: Sendable {
    /// How many transactions may run at the same time, each on a connection of its own. Connections are made when they
    /// are needed. Twice the processors: 12 on two of them cost a third of the throughput and doubled p99.
    package var connections = min(2 * ProcessInfo.processInfo.activeProcessorCount, 1000)
    /// How long a transaction waits for a connection before it is refused with `.unavailable`.
    package var patience: Duration = .seconds(3)
    /// How long a transaction may take in all, with the wait for a connection and repetitions.
    package var transactionTimeout: Duration = .seconds(8)
    /// How long one statement may run on the server, and how long it may wait for a lock.
    package var statementTimeout: Duration = .seconds(5)
    /// How long opening the store waits for a server that does not answer yet.
    package var openTimeout: Duration = .seconds(10)
    /// How many transactions may wait for a connection; more are refused with `.busy`.
    package var waiting = 2000

    package init() {}

    /// The same for one who reads whole tables in one transaction, with nobody waiting.
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
    /// Whole milliseconds, rounded down, held within what libpq and PostgreSQL can take.
    var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflows else { return seconds < 0 ? .min : .max }
        return Int32(clamping: product &+ attoseconds / 1_000_000_000_000_000)
    }
}

import CPostgres

/// Makes connections that are ready for transactions.
struct PostgreSQLOpener: Sendable {
    let target: PostgreSQLTarget
    let options: PostgreSQLOptions

    /// - Throws: `.unavailable` with the server's or libpq's reason.
    func open() throws(StoreError) -> PostgreSQLConnection {
        let pipeline = try openPipeline()
        do throws(PostgreSQLFailure) { try pipeline.enter() } catch { throw error.error }
        return PostgreSQLConnection(over: pipeline)
    }

    /// A connection with the broker's settings, on which SQL text may still be run as it is.
    func openPipeline() throws(StoreError) -> PostgreSQLPipeline {
        let pipeline = PostgreSQLPipeline(owning: try target.connect())
        pipeline.deadline = .now.advanced(by: options.statementTimeout)
        do throws(PostgreSQLFailure) {
            try pipeline.once(settings)
        } catch {
            throw StoreError(.unavailable, error.error.reason)
        }
        return pipeline
    }

    /// Single statements run at READ COMMITTED; transactions say themselves what they need. An answer is given after
    /// the commit is on disk, whatever the server's own default.
    private var settings: String {
        let limit = options.statementTimeout.wholeMilliseconds
        return """
            SET default_transaction_isolation = 'read committed';
            SET statement_timeout = \(limit);
            SET lock_timeout = \(limit);
            SET idle_in_transaction_session_timeout = \(options.transactionTimeout.wholeMilliseconds);
            SET client_min_messages = warning;
            SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') = 'off'
            """
    }
}

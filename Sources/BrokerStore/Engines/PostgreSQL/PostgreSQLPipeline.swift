import CPostgres
import Foundation

/// The wire to one server: sends statements together and waits for their answers, never longer than the deadline.
final class PostgreSQLPipeline {
    private let handle: OpaquePointer
    /// Filled by libpq's notice receiver, hence a place of its own in memory.
    private let warnings = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    private var prepared: Set<String> = []
    private var isBroken = false
    /// The deadline of the current wait.
    var deadline = ContinuousClock.now
    /// Whether the server may have executed the latest exchange although its response is a failure. It does not cover a
    /// COMMIT in the exchange, which is final before its response.
    private(set) var isOutcomeOpen = false

    /// Takes over a connection that was just made; closes it at the end.
    init(owning handle: OpaquePointer) {
        self.handle = handle
        warnings.initialize(to: 0)
        PQsetNoticeReceiver(
            handle,
            { warnings, result in
                guard let result, let severity = cpostgres_severity(result) else { return }
                guard String(cString: severity) == "WARNING" else { return }
                warnings?.assumingMemoryBound(to: Int32.self).pointee &+= 1
            }, warnings)
    }

    deinit {
        PQfinish(handle)
        warnings.deallocate()
    }

    /// The number of the server's warnings.
    var warningCount: Int32 { warnings.pointee }

    /// False when the connection broke, or the server hung up while nothing was asked.
    var isUsable: Bool {
        guard !isBroken, PQstatus(handle) == CONNECTION_OK else { return false }
        // Readable although nothing is expected: news from the server (a notice), or its end.
        guard isReady(POLLIN, within: 0) else { return true }
        guard PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK else { return false }
        return !isReady(POLLIN, within: 0)
    }

    /// Runs SQL text without parameters, before the pipeline begins. For DDL and settings.
    @discardableResult
    func once(_ sql: String) throws(PostgreSQLFailure) -> PostgreSQLResult? {
        guard PQsendQuery(handle, sql) == 1 else { throw broken("libpq cannot send") }
        var last: PostgreSQLResult?
        var failure: PostgreSQLFailure?
        while let result = try nextResult() {
            if Self.isFailure(result), failure == nil {
                failure = PostgreSQLFailure(result.handle, of: handle, in: "the database")
            }
            last = result
        }
        if let failure { throw failure }
        return last
    }

    /// From here on statements are sent without waiting for each other.
    func enter() throws(PostgreSQLFailure) {
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
            throw broken("this libpq has no pipeline mode")
        }
    }

    /// Runs one of the sentences around a transaction.
    ///
    /// - Returns: what the server says it did.
    func control(_ statement: Statement) throws(PostgreSQLFailure) -> String {
        try send([Call(statement, [])]).last?.tag ?? ""
    }

    /// Runs `calls` in order, in one round trip; calls after the first failure are not executed.
    func exchange(_ calls: [Call]) throws(PostgreSQLFailure) -> [PostgreSQLResult] {
        try send(calls)
    }

    private func send(_ calls: [Call]) throws(PostgreSQLFailure) -> [PostgreSQLResult] {
        isOutcomeOpen = false
        guard !isBroken else { throw broken("the connection is closed") }
        var parameters: [PostgreSQLParameters] = []
        for call in calls {
            do throws(StoreError) {
                parameters.append(try PostgreSQLParameters(call.values, of: call.statement.name))
            } catch {
                throw .refused(error)
            }
        }
        var fresh: [String] = []
        for (call, parameters) in zip(calls, parameters) {
            let name = call.statement.name
            let isFresh = !prepared.contains(name) && !fresh.contains(name)
            if isFresh { fresh.append(name) }
            guard !isFresh || prepare(call.statement), parameters.send(to: name, on: handle) else {
                throw broken("libpq cannot send")
            }
        }
        guard PQpipelineSync(handle) == 1 else { throw broken("libpq cannot send") }
        isOutcomeOpen = true
        return try receive(calls, preparing: fresh)
    }

    private func prepare(_ statement: Statement) -> Bool {
        let types = statement.parameters.map(\.postgreSQLType)
        return PQsendPrepare(handle, statement.name, statement.sql, Int32(types.count), types) == 1
    }

    private func receive(_ calls: [Call], preparing fresh: [String]) throws(PostgreSQLFailure) -> [PostgreSQLResult] {
        var results: [PostgreSQLResult] = []
        var failure: PostgreSQLFailure?
        var unprepared = Set(fresh)
        for call in calls {
            let name = call.statement.name
            if unprepared.remove(name) != nil {
                if try take(name, &failure) != nil, failure == nil { prepared.insert(name) }
            }
            if let result = try take(name, &failure), failure == nil { results.append(result) }
        }
        try takeEnd(&failure)
        isOutcomeOpen = false
        if let failure {
            if case .lost = failure { isBroken = true }
            throw failure
        }
        return results
    }

    /// The answer to one command; its failure, if it is the first.
    private func take(
        _ name: String, _ failure: inout PostgreSQLFailure?
    ) throws(PostgreSQLFailure) -> PostgreSQLResult? {
        guard let result = try nextResult() else { throw broken("the server's answer makes no sense") }
        if Self.isFailure(result), failure == nil {
            let error = PostgreSQLFailure(result.handle, of: handle, in: name)
            // A server that refuses, or says good-bye, in place of an answer will not come to the end of the exchange.
            if cpostgres_sqlstate(result.handle) != nil { isOutcomeOpen = false }
            guard PQstatus(handle) == CONNECTION_OK else {
                isBroken = true
                throw error
            }
            failure = error
        }
        // Each command's answers end with none.
        while try nextResult() != nil {}
        return result
    }

    /// The end of the exchange, where statements without a transaction around them are committed, or are not.
    private func takeEnd(_ failure: inout PostgreSQLFailure?) throws(PostgreSQLFailure) {
        var end = try nextResult()
        if let refusal = end, Self.isFailure(refusal) {
            let error = PostgreSQLFailure(refusal.handle, of: handle, in: "commit")
            guard PQstatus(handle) == CONNECTION_OK else {
                isBroken = true
                throw error
            }
            failure = failure ?? error
            while try nextResult() != nil {}
            end = try nextResult()
        }
        guard end?.status == PGRES_PIPELINE_SYNC else { throw broken("the server's answer makes no sense") }
    }

    private static func isFailure(_ result: PostgreSQLResult) -> Bool {
        switch result.status {
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR: true
        default: false
        }
    }

    /// The server's next answer, waited for until the deadline; nil where a command's answers end.
    private func nextResult() throws(PostgreSQLFailure) -> PostgreSQLResult? {
        while true {
            let unsent = PQflush(handle)
            guard unsent >= 0 else { throw broken(PostgreSQLFailure.lastMessage(of: handle)) }
            guard PQisBusy(handle) == 1 else { break }
            let remaining = max(deadline - ContinuousClock.now, .zero).wholeMilliseconds
            let events = unsent == 1 ? POLLIN | POLLOUT : POLLIN
            guard isReady(events, within: remaining) else { throw broken("the server did not answer in time") }
            guard PQconsumeInput(handle) == 1 else { throw broken(PostgreSQLFailure.lastMessage(of: handle)) }
        }
        return PQgetResult(handle).map(PostgreSQLResult.init(owning:))
    }

    private func isReady(_ events: Int32, within milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
        guard descriptor.fd >= 0 else { return true }
        while true {
            let count = poll(&descriptor, 1, milliseconds)
            guard count < 0, errno == EINTR else { return count > 0 }
        }
    }

    private func broken(_ reason: String) -> PostgreSQLFailure {
        isBroken = true
        return .lost(StoreError(.unavailable, reason))
    }
}

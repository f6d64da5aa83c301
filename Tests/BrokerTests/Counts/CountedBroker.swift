import Broker
import BrokerStore
import Foundation
import Generic
import OAuth
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators

/// A broker whose store is looked at before and after each operation. Its limits, records and audit log are on.
struct CountedBroker: Sendable {
    /// How often an operation is measured, after one that is not: statements are then prepared, and keys at hand.
    private static let repetitions = 5
    private static let provider = "oidc.example"

    let broker: TestBroker
    private let issuer: OpenIDSimulator
    private let counters: Counters

    /// Where the counts of one engine come from.
    private enum Counters {
        case sqlite(SQLiteTrace)
        case postgreSQL(PostgreSQLRelay)
    }

    static func run<Value>(
        policy: Policy = .strict, _ test: (CountedBroker) async throws -> Value
    ) async throws -> Value {
        let people = (0...repetitions).map { number in
            OpenIDSimulator.Person(
                subject: "person-\(number)",
                claims: [
                    "email": .string("person\(number)@example.com"), "email_verified": true, "name": "Ada Lovelace",
                    "picture": .string("https://example.com/pictures/person-\(number)"),
                ])
        }
        let issuer = try await OpenIDSimulator.start(.init(clock: .stopped(at: TestClock().now), people: people))
        let relay = try await PostgreSQLRelay.start()
        var counters: Counters?
        do {
            let value = try await TestBroker.run(
                { configuration in
                    configuration.policy = policy
                    configuration.rateLimits = RateLimits()
                    counters = count(&configuration, relay)
                }, plugins: [.oidc], entries: { _ in [entry(issuer)] }
            ) { broker in
                guard let counters else { throw TestFailure("the configuration was not changed") }
                return try await test(CountedBroker(broker: broker, issuer: issuer, counters: counters))
            }
            try await relay.stop()
            await issuer.stop()
            return value
        } catch {
            try? await relay.stop()
            await issuer.stop()
            throw error
        }
    }

    private static func count(_ configuration: inout Configuration, _ relay: PostgreSQLRelay) -> Counters? {
        switch configuration.database {
        case .sqlite(let path): return .sqlite(SQLiteTrace(of: path))
        case .postgreSQL(let url, let connections):
            guard let url = try? relay.url(insteadOf: url.reveal()) else { return nil }
            configuration.database = .postgreSQL(url: Secret(url), connections: connections)
            return .postgreSQL(relay)
        }
    }

    private static func entry(_ issuer: OpenIDSimulator) -> JSONValue {
        [
            "id": .string(provider), "use": "oidc", "trustEmail": true, "allowInsecureLoopback": true,
            "options": [
                "nativeNonce": "plain", "issuer": .string(issuer.url),
                "clientId": .string(issuer.defaultApplication.clientID),
                "clientSecret": .string(issuer.defaultApplication.clientSecret ?? ""),
            ],
        ]
    }

    /// Every operation of a broker that signs with ES256, by name.
    func measureAll() async throws -> [String: OperationCounts] {
        var counts: [String: OperationCounts] = [:]
        let people = try people()
        _ = try await measure(people, "sign-in, new user", &counts, signIn)
        let sessions = try await measure(self.people(), "sign-in, returning user", &counts, signIn)
        _ = try await measure(sessions, "sign-in by pending token", &counts) { session in
            try await broker.usePending(session.string("pendingToken"))
        }
        let refreshed = try await measure(sessions, "token refresh, ES256", &counts) { session in
            try await broker.refresh(session.string("refreshToken"))
        }
        for name in ["token not seen before", "known token"] {
            _ = try await measure(refreshed, "accounts:lookup, \(name)", &counts) { session in
                try await broker.lookup(session.string("id_token"))
            }
        }
        try await measureOpenID(sessions, &counts)
        _ = try await measure(sessions, "accounts:delete", &counts, broker.delete)
        return counts
    }

    /// What an app asks the token endpoint and its neighbours.
    private func measureOpenID(_ sessions: [Answer], _ counts: inout [String: OperationCounts]) async throws {
        let app = try await OAuthApp(at: broker)
        var tokens: [Answer] = []
        for session in sessions {
            let localID = try session.string("localId")
            guard let user = try await broker.core.store.read({ try $0.user(localID: localID) }) else {
                throw TestFailure("no user \(localID)")
            }
            tokens.append(try await app.signIn(user))
        }
        let refreshed = try await measure(tokens, "OpenID token refresh", &counts) { answer in
            try await app.refresh(answer.string("refresh_token"))
        }
        _ = try await measure(refreshed, "OpenID userinfo", &counts) { answer in
            try await broker.userInfo(answer.string("access_token"))
        }
        _ = try await measure(refreshed, "OpenID introspection", &counts) { answer in
            try await app.post("/oauth/introspect", [("token", try answer.string("access_token"))])
        }
    }

    /// What only a broker that signs with RS256 does.
    func measureRS256() async throws -> [String: OperationCounts] {
        var counts: [String: OperationCounts] = [:]
        var sessions: [Answer] = []
        for person in try people() { sessions.append(try await signIn(person)) }
        _ = try await measure(sessions, "token refresh, RS256", &counts) { session in
            try await broker.refresh(session.string("refreshToken"))
        }
        return counts
    }

    /// An ID token of each person that was never used.
    private func people() throws -> [[(String, String)]] {
        issuer.people().map { person in
            let nonce = RandomText.alphanumeric(32)
            let token = issuer.idToken(for: person, application: issuer.defaultApplication, nonce: nonce)
            return [("id_token", token), ("nonce", nonce), ("providerId", Self.provider)]
        }
    }

    private func signIn(_ credential: [(String, String)]) async throws -> Answer {
        try await broker.signIn(postBody: credential)
    }

    /// Carries out an operation with each of `inputs`, one after the other, and counts all but the first.
    private func measure<Input>(
        _ inputs: [Input], _ name: String, _ counts: inout [String: OperationCounts],
        _ operation: (Input) async throws -> Answer
    ) async throws -> [Answer] {
        var answers: [Answer] = []
        var measured: [OperationCounts] = []
        for input in inputs {
            let before = try now()
            let answer = try await operation(input)
            measured.append(try now() - before)
            guard answer.status == 200 else { throw TestFailure("\(name): \(answer.text)") }
            answers.append(answer)
        }
        counts[name] = .median(of: Array(measured.dropFirst()))
        return answers
    }

    /// What the store has counted so far.
    private func now() throws -> OperationCounts {
        let statistics = broker.core.store.statistics
        var counts = OperationCounts(
            readTransactions: statistics.reads, writeTransactions: statistics.writes)
        switch counters {
        case .sqlite(let trace):
            counts.statements = trace.statements
            counts.walFrames = trace.walFrames
            counts.bytesKept = try trace.payload()
        case .postgreSQL(let relay):
            counts.statements = relay.statements
            counts.roundTrips = relay.roundTrips
        }
        return counts
    }
}

import BrokerAuthMiddleware
import Foundation
import Hummingbird
import Logging
import ProviderSimulators
import StrictJSON
import Synchronization

struct AppContext: BrokerAuthRequestContext {
    var coreContext: CoreRequestContextStorage
    var identity: BrokerIdentity?

    init(source: Source) { coreContext = .init(source: source) }
}

/// A backend under test, and the issuer it trusts.
struct TestBackend: Sendable {
    let url: String
    let issuer: TestIssuer
    let tokens: BrokerTokens
    let log: LogRecord

    struct Settings: Sendable {
        var isStrict = true
        var mode = BrokerAuthMiddleware<AppContext>.Mode.required
        var accepting: Set<BrokerTokenKind>?
        var clientIDs = [TestIssuer.client]
        var sessionCookie: String? = "session"
        var options = BrokerTokens.Options()
        var credential: BrokerCredential?
    }

    static func run<Value>(
        _ change: (inout Settings) -> Void = { _ in }, _ body: (TestBackend) async throws -> Value
    ) async throws -> Value {
        var settings = Settings()
        change(&settings)
        return try await TestIssuer.run(isStrict: settings.isStrict) { issuer in
            try await run(at: issuer, settings, body)
        }
    }

    static func run<Value>(
        at issuer: TestIssuer, _ settings: Settings, _ body: (TestBackend) async throws -> Value
    ) async throws -> Value {
        let log = LogRecord()
        let tokens = try BrokerTokens(
            issuer: issuer.url, clientIDs: settings.clientIDs, projectID: TestIssuer.project,
            sessionCookie: settings.sessionCookie, accepting: settings.accepting,
            introspection: settings.credential, options: settings.options, logger: log.logger,
            now: { issuer.clock.now })
        let router = router(tokens, settings.mode)
        return try await LoopbackServer.run(router.buildResponder(), logger: log.logger) { server in
            try await body(TestBackend(url: server.url, issuer: issuer, tokens: tokens, log: log))
        }
    }

    private static func router(
        _ tokens: BrokerTokens, _ mode: BrokerAuthMiddleware<AppContext>.Mode
    ) -> Router<AppContext> {
        let router = Router(context: AppContext.self)
        router.add(middleware: BrokerAuthMiddleware(tokens, mode: mode))
        router.get("/") { _, context in context.identity.map(\.summary) ?? "anonymous" }
        router.get("/write") { _, context in try context.requireScopes("openid", "write").userID }
        router.get("/read") { _, context in try context.requireScopes("openid", "profile").userID }
        router.get("/active") { _, context in try await context.requireActive().userID }
        router.get("/recent") { _, context in try context.requireLogin(within: .seconds(300)).userID }
        router.get("/dump") { _, context in
            var text = ""
            dump(context.identity, to: &text)
            return text + String(describing: context.identity) + String(reflecting: context.identity)
        }
        router.group("required").add(middleware: BrokerRequirement(scopes: ["write"])).get("/scope") { _, _ in "" }
        router.group("required").add(middleware: BrokerRequirement(loginWithin: .seconds(300)))
            .get("/login") { _, _ in "" }
        router.group("required").add(middleware: BrokerRequirement(activeSession: true)).get("/active") { _, _ in "" }
        return router
    }

    func get(_ path: String = "/", _ token: String) async throws -> TestAnswer {
        try await get(path, headers: [("Authorization", "Bearer \(token)")])
    }

    func get(_ path: String = "/", cookie: String) async throws -> TestAnswer {
        try await get(path, headers: [("Cookie", "a=b; session=\(cookie); c=d")])
    }

    func get(_ path: String = "/", headers: [(String, String)] = []) async throws -> TestAnswer {
        try await TestAnswer.get(url + path, headers)
    }
}

extension BrokerIdentity {
    /// What the root route answers.
    fileprivate var summary: String {
        let fields: JSONObject = [
            "user": .string(userID), "kind": .string(kind.rawValue), "client": clientID.map(JSONValue.string) ?? .null,
            "scopes": .string(scopes.sorted().joined(separator: " ")), "sid": .string(sessionID),
            "role": claims["role"] ?? .null, "authTime": .integer(Int64(authenticatedAt.timeIntervalSince1970)),
            "lifetime": .integer(Int64(expiresAt.timeIntervalSince(issuedAt))),
        ]
        return fields.serialized()
    }
}

/// What was logged, on every level.
final class LogRecord: Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(record: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let record: LogRecord
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = "\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:])"
            record.lines.withLock { $0.append(line) }
        }
    }
}

import Broker
import BrokerStore
import NIOHTTP1
import ProviderKit

/// A backend with an admin token.
struct TestBackend: Sendable {
    let broker: TestBroker
    let token: String

    init(_ broker: TestBroker, scopes: Set<AdminScope> = [.admin]) async throws {
        self.broker = broker
        token = try await broker.core.sessions.adminCredentials.create(
            named: "Backend", scopes: scopes, lifetime: nil, origin: Origin(.admin, actor: "test")
        ).token.text
    }

    func send(_ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil) async throws -> Answer {
        try await broker.send(
            method, path, headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
            body: body.map { Array($0.serialized().utf8) })
    }
}

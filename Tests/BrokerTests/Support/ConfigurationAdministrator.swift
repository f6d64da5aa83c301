import Broker
import BrokerStore
import NIOHTTP1
import ProviderKit

/// An administrator who configures a broker over HTTP.
struct ConfigurationAdministrator: Sendable {
    let broker: TestBroker
    private let token: String

    init(
        of broker: TestBroker,
        scopes: Set<AdminScope> = [.readConfiguration, .writeConfiguration, .trustProviders]
    ) async throws {
        self.broker = broker
        token = try await broker.core.sessions.adminCredentials.create(
            named: "Terraform", scopes: scopes, lifetime: nil, origin: Origin(.admin, actor: "test")
        ).token.text
    }

    /// A request below `/v2/projects/test-project/`.
    func send(
        _ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil, project: String = "test-project"
    ) async throws -> Answer {
        try await broker.send(
            method, "/v2/projects/\(project)/\(path)",
            headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
            body: body.map { Array($0.serialized().utf8) })
    }

    /// An administrative operation.
    func run(_ operation: String, _ parameters: JSONValue, headers: HTTPHeaders = [:]) async throws -> Answer {
        var headers = headers
        headers.add(contentsOf: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"])
        return try await broker.send(
            .POST, "/v1/broker/admin/\(operation)", headers: headers, body: Array(parameters.serialized().utf8))
    }
}

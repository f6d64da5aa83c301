import Broker
import BrokerStore
import NIOHTTP1
import OAuth
import ProviderKit
import ProviderSimulators

/// A backend that reads provider tokens with an admin credential.
struct TokenBackend: Sendable {
    let token: String

    init(of broker: TestBroker) async throws {
        token = try await broker.core.sessions.adminCredentials.create(
            named: "Calendar", scopes: [.readProviderTokens], lifetime: nil, origin: Origin(.admin, actor: "test")
        ).token.text
    }

    func read(
        _ localID: String, _ provider: String = "gitlab.com", scopes: [String] = [], at broker: TestBroker
    ) async throws -> Answer {
        let headers: HTTPHeaders = ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
        let body: JSONValue = ["scopes": .array(scopes.map(JSONValue.string))]
        return try await broker.send(
            .POST, "/v1/broker/users/\(localID)/providers/\(provider):token", headers: headers,
            body: Array(body.serialized().utf8))
    }

    /// Many reads at once, half of them at each of two brokers.
    func readAtOnce(
        _ localID: String, _ provider: String = "gitlab.com", count: Int = 8, at brokers: [TestBroker]
    ) async throws -> [Answer] {
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                group.addTask { try await read(localID, provider, at: brokers[number % brokers.count]) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

extension TestBroker {
    /// Signs a user of GitLab in with a code, so that the broker exchanges it for tokens.
    func signInWithCode(
        _ person: GitLabSimulator.Person, at gitLab: GitLabSimulator, scopes: [String]? = nil
    ) async throws -> Answer {
        let verifier = RandomText.alphanumeric(64)
        let application = gitLab.defaultApplication
        let code = gitLab.authorizationCode(
            for: person, application: application, codeChallenge: CodeChallenge(of: verifier).text, scopes: scopes)
        return try await signIn(postBody: [
            ("code", code), ("code_verifier", verifier), ("redirect_uri", application.redirectURIs[0]),
            ("providerId", "gitlab.com"),
        ])
    }
}

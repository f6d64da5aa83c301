import Broker
import BrokerStore
import Foundation
import GitHub
import JOSE
import ProviderKit

/// A provider whose options say which member of an account is its subject. Its access tokens are the accounts.
struct MappedProvider: IdentityProvider {
    struct Options: Decodable, Sendable {
        struct Key: Decodable, Sendable {
            let pem: Secret
        }

        let url: String
        let apiUrl: String?
        let subject: String
        let clientId: String?
        let clientSecret: Secret?
        let key: Key?
        let scopes: [String]?
    }

    static let kind: ProviderKind = "mapped"
    static let id = "mapped.test"
    static let plugins: [ProviderPlugin] = [.github, ProviderPlugin(MappedProvider.self)]

    let instance: String
    let subjectRule: String
    let clientID: String
    let accepts: Set<Credential.Kind> = [.accessToken]

    init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        instance = try context.baseURL(options.url, option: "url")
        if let apiURL = options.apiUrl { context.declareEndpoint(apiURL) }
        subjectRule = options.subject
        clientID = options.clientId ?? "client"
    }

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        guard case .accessToken(let token) = credential.proof, let bytes = Base64URL.decode(token),
            let account = try? JSONValue(parsing: bytes), let subject = account[subjectRule]?.string
        else { throw ProviderError(.credential, at: .introspect, "no token of this provider") }
        return ExternalIdentity(subject: subject)
    }

    /// An entry, with some options changed.
    static func entry(_ subject: String = "id", id: String = id, _ changes: JSONObject = [:]) -> JSONObject {
        var options: JSONObject = ["url": "https://mapped.example", "subject": .string(subject)]
        for (name, value) in changes { options[name] = value }
        return ["id": .string(id), "use": "mapped", "options": .object(options)]
    }
}

/// A provider that declares no endpoint: what its options mean is its own.
struct SilentProvider: IdentityProvider {
    struct Options: Decodable, Sendable {
        let host: String
        let clientSecret: Secret
        let scopes: [String]?
    }

    static let kind: ProviderKind = "silent"

    let instance = "https://silent.example"
    let clientID = "client"
    let accepts: Set<Credential.Kind> = [.accessToken]

    init(_ options: Options, in context: ProviderContext) throws(ProviderError) {}

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        throw ProviderError(.credential, at: .introspect, "no token of this provider")
    }
}

extension TestBroker {
    /// Signs in with an account of ``MappedProvider``.
    func signIn(mapped account: JSONObject, provider: String = MappedProvider.id) async throws -> Answer {
        let token = Base64URL.encode(Array(account.serialized().utf8))
        return try await signIn(postBody: [("access_token", token), ("providerId", provider)])
    }

    /// Runs an operation on the broker's host, with a core of its own that asks no provider.
    func onHost<Operation: AdminOperation>(
        _ operation: Operation, plugins: [ProviderPlugin] = MappedProvider.plugins
    ) async throws -> Operation.Answer {
        let core = try await BrokerCore.open(
            core.configuration, plugins: plugins, environment: [:], asksProviders: Operation.declaration.asksProviders,
            now: { [clock] in clock.now })
        do {
            let answer = try await operation.run(
                for: AdminCall(core.admin, origin: .init(.admin, actor: "test")))
            await core.close()
            return answer
        } catch {
            await core.close()
            throw error
        }
    }
}

import Foundation
import JOSE
import OAuth
import ProviderKit
import StrictJSON

/// The broker's endpoints, as one client uses them.
struct BrokerEndpoints: Sendable {
    private(set) var configuration: BrokerConfiguration
    let connection: BrokerConnection
    let verify: IDTokenVerifier
    private let metadataDocument: @Sendable () async throws(BrokerAuthError) -> BrokerMetadata
    /// The providers that offer app authorization to this client.
    let appProviders: @Sendable () async throws(BrokerAuthError) -> AppProviders

    /// Seconds the discovery document and the keys are used.
    private static let lifetime: TimeInterval = 3600
    /// Seconds between two fetches because of unknown keys.
    private static let cooldown: TimeInterval = 60

    init(_ configuration: BrokerConfiguration, _ environment: ClientEnvironment) {
        let connection = BrokerConnection(environment: environment)
        let issuer = configuration.issuerText
        let metadataCache = Self.cache(of: BrokerMetadata.self, environment)
        let metadata = { @Sendable () async throws(BrokerAuthError) -> BrokerMetadata in
            try await metadataCache.answer { _ async throws(BrokerAuthError) in
                guard let url = URL(string: issuer + BrokerMetadata.path) else {
                    throw BrokerAuthError.notConfigured("the issuer is no URL")
                }
                return (try BrokerMetadata(try await connection.document(url).members(), of: issuer), Self.lifetime)
            }.get()
        }
        let keyCache = Self.cache(of: KeySet.self, environment)
        let keys = { @Sendable (keyID: String?) async throws(BrokerAuthError) -> KeySet in
            try await keyCache.answer(where: { keys in keyID.map { keys[$0] != nil } ?? true }) {
                _ async throws(BrokerAuthError) in
                let document = try await connection.document(try await metadata().keySetURL).members()
                guard let keys = try? KeySet(importing: .object(document)) else {
                    throw BrokerAuthError.invalidToken("the broker's key set is malformed")
                }
                return (keys, Self.lifetime)
            }.get()
        }
        let appProvidersCache = Self.cache(of: AppProviders.self, environment)
        appProviders = { @Sendable () async throws(BrokerAuthError) -> AppProviders in
            try await appProvidersCache.answer { _ async throws(BrokerAuthError) in
                let query = FormEncoding.encode([("client_id", configuration.clientID)])
                guard let endpoint = try await metadata().appAuthorizationEndpoint,
                    let url = URL(string: "\(endpoint.absoluteString)?\(query)")
                else { throw BrokerAuthError.notConfigured("the broker has no app authorization") }
                return (AppProviders(try await connection.document(url).members()), Self.lifetime)
            }.get()
        }
        self.configuration = configuration
        self.connection = connection
        metadataDocument = metadata
        verify = IDTokenVerifier(
            issuer: issuer, clientID: configuration.clientID, keys: keys, now: environment.now)
    }

    var metadata: BrokerMetadata {
        get async throws(BrokerAuthError) { try await metadataDocument() }
    }

    private static func cache<Document>(
        of document: Document.Type, _ environment: ClientEnvironment
    ) -> RemoteDocument<Document, BrokerAuthError> {
        RemoteDocument(.init(cooldown: cooldown, longestUse: lifetime), now: environment.now)
    }

    /// Calls the token endpoint.
    func token(_ form: [(name: String, value: String)]) async throws(BrokerAuthError) -> Answer {
        try await connection.submit(
            form + [("client_id", configuration.clientID)], to: try await metadata.tokenEndpoint)
    }

    /// Revokes a token (RFC 7009); an unknown one counts as revoked.
    func revoke(_ token: String) async throws(BrokerAuthError) {
        _ = try await connection.submit(
            [("token", token), ("token_type_hint", "refresh_token"), ("client_id", configuration.clientID)],
            to: try await metadata.revocationEndpoint
        ).members()
    }

    /// The same endpoints for requests with other scopes.
    func requesting(_ scopes: [String]) -> BrokerEndpoints {
        var changed = self
        changed.configuration.scopes = scopes
        return changed
    }

    /// A path of `/v1/broker/me`.
    func me(_ path: String = "") throws(BrokerAuthError) -> URL { try url("/v1/broker/me\(path)") }

    /// The outcome of a withdrawal. Its receipt may have been stored by the app, so nothing in it may become path or query.
    func withdrawal(_ receipt: String) throws(BrokerAuthError) -> URL {
        try url("/v1/broker/withdrawals/\(FormEncoding.encode(receipt))")
    }

    private func url(_ path: String) throws(BrokerAuthError) -> URL {
        guard let url = URL(string: configuration.issuerText + path) else {
            throw .notConfigured("the issuer is no URL")
        }
        return url
    }
}

extension RemoteDocument.Answer where Failure == BrokerAuthError {
    /// The document; the failure of its latest fetch goes before an old one, which may lack a new key.
    fileprivate func get() throws(BrokerAuthError) -> Document {
        switch self {
        case .current(let document): return document
        case .stale(_, let error): throw error
        case .absent(let error, _): throw error ?? .network(NetworkFailure(.invalidResponse))
        }
    }
}

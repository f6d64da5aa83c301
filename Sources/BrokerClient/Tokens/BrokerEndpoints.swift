import Foundation
import JOSE
import StrictJSON

/// The broker's endpoints, as one client uses them.
struct BrokerEndpoints: Sendable {
    let configuration: BrokerConfiguration
    let connection: BrokerConnection
    let verify: IDTokenVerifier
    private let metadataFetch: SharedFetch<BrokerMetadata>

    /// Seconds a discovery document is used.
    private static let metadataLifetime: TimeInterval = 3600

    init(_ configuration: BrokerConfiguration, _ environment: ClientEnvironment) {
        let connection = BrokerConnection(environment: environment)
        let issuer = configuration.issuerText
        let metadata = SharedFetch(now: environment.now) { () async throws(BrokerAuthError) -> BrokerMetadata in
            guard let url = URL(string: issuer + BrokerMetadata.path) else {
                throw BrokerAuthError.notConfigured("the issuer is no URL")
            }
            return try BrokerMetadata(try await connection.document(url).members(), of: issuer)
        }
        let keys = SharedFetch(now: environment.now) { () async throws(BrokerAuthError) -> KeySet in
            let url = try await metadata.document(at: Self.metadataLifetime).keySetURL
            let document = try await connection.document(url).members()
            guard let keys = try? KeySet(importing: .object(document)) else {
                throw BrokerAuthError.invalidToken("the broker's key set is malformed")
            }
            return keys
        }
        self.configuration = configuration
        self.connection = connection
        metadataFetch = metadata
        verify = IDTokenVerifier(
            issuer: issuer, clientID: configuration.clientID, keys: keys, now: environment.now)
    }

    var metadata: BrokerMetadata {
        get async throws(BrokerAuthError) { try await metadataFetch.document(at: Self.metadataLifetime) }
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

    /// A path of `/v1/broker/me`.
    func me(_ path: String = "") throws(BrokerAuthError) -> URL {
        guard let url = URL(string: "\(configuration.issuerText)/v1/broker/me\(path)") else {
            throw .notConfigured("the issuer is no URL")
        }
        return url
    }
}

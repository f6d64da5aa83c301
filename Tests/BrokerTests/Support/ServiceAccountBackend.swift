import BrokerStore
import Foundation
import JOSE
import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

/// A service account of the store with its private key, as a backend has it.
struct ServiceAccountBackend: Sendable {
    static let origin = Origin(.admin, actor: "test")

    let broker: TestBroker
    let id: String
    let email: String
    let keyID: String
    let key: PrivateSigningKey

    init(at broker: TestBroker, _ record: ServiceAccounts.Record, _ file: ServiceAccountKeyFile) throws {
        self.broker = broker
        (id, email) = (record.account.id, record.account.email)
        keyID = try #require(file.document["private_key_id"]?.string)
        let pem = try #require(file.document["private_key"]?.string)
        let base64 = pem.split(separator: "\n").dropFirst().dropLast().joined()
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n") && pem.hasSuffix("-----END PRIVATE KEY-----\n"))
        key = try PrivateSigningKey(
            algorithm: .rs256, derRepresentation: Array(try #require(Data(base64Encoded: base64))))
    }

    static func create(
        at broker: TestBroker, _ scopes: Set<AdminScope>, named name: String = "calendar"
    ) async throws -> ServiceAccountBackend {
        let (record, file) = try await broker.core.sessions.serviceAccounts.create(
            named: name, scopes: scopes, origin: origin)
        return try ServiceAccountBackend(at: broker, record, file)
    }

    func signed(_ claims: JSONObject) throws -> String {
        try ServiceAccountFixture(key: key)
            .token(claims, header: ["alg": "RS256", "typ": "JWT", "kid": .string(keyID)])
    }

    /// What google-auth writes, with some claims changed and one left out.
    func assertion(_ changes: JSONObject = [:], without name: String? = nil) throws -> String {
        let seconds = Int64(broker.clock.now.timeIntervalSince1970)
        var claims: JSONObject = [
            "iat": .integer(seconds), "exp": .integer(seconds + 3600), "iss": .string(email),
            "aud": "https://oauth2.googleapis.com/token",
            "scope": "https://www.googleapis.com/auth/datastore https://www.googleapis.com/auth/identitytoolkit",
        ]
        for (name, value) in changes { claims[name] = value }
        if let name { claims[name] = nil }
        return try signed(claims)
    }

    func exchange(_ assertion: String, scope: String? = nil, at other: TestBroker? = nil) async throws -> Answer {
        let form = [("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion)]
        return try await (other ?? broker).post(
            "/oauth/service-accounts/token", form: form + (scope.map { [("scope", $0)] } ?? []))
    }

    func accessToken(scope: String? = nil) async throws -> String {
        let answer = try await exchange(try assertion(scope.map { ["scope": .string($0)] } ?? [:]))
        return try #require(answer["access_token"]?.string, "\(answer.text)")
    }

    /// The status of a path that needs the scope `provider-tokens:read`, for a user that does not exist.
    func status(of token: String) async throws -> Int {
        try await broker.send(
            .POST, "/v1/broker/users/nobody/providers/github.com:token",
            headers: ["Authorization": "Bearer \(token)"]
        ).status
    }
}

import BrokerAuthMiddleware
import Foundation
import PostgreSQLTesting
import ProviderKit
import Testing

/// `BrokerAuthMiddleware` with the tokens and keys of the built broker.
@Suite("A backend's tokens", .oneEngine("the middleware of back ends"), .timeLimit(.minutes(20)))
struct MiddlewareTests {
    @Test(arguments: ["strict", "firebase"])
    func `each kind of token is verified, and refused as another`(preset: String) async throws {
        try await HostedBroker.run(preset: preset) { broker in
            let client = try await broker.signInToClient()
            let session = try await broker.signInToProject()
            let cookie = try await broker.sessionCookie(for: session.idToken)
            let tokens = try BrokerTokens(
                issuer: broker.url, clientIDs: [client.clientID], projectID: "my-app", sessionCookie: "session")

            let access = try await tokens.identity(bearer: client.accessToken)
            #expect(access.kind == .accessToken && access.clientID == client.clientID)
            #expect(access.userID == session.localID && access.scopes == ["openid", "profile"])
            let idToken = try await tokens.identity(bearer: session.idToken)
            #expect(idToken.kind == .identityToolkitIDToken && idToken.userID == session.localID)
            #expect(idToken.claims["firebase"]?["sign_in_provider"] == "github.com")
            let web = try await tokens.identity(sessionCookie: cookie)
            #expect(web.kind == .sessionCookie && web.sessionID == idToken.sessionID)

            for text in [client.idToken, cookie, session.refreshToken] {
                await #expect(throws: BrokerAuthRefusal.self) { try await tokens.identity(bearer: text) }
            }
            for text in [client.accessToken, session.idToken, client.idToken] {
                await #expect(throws: BrokerAuthRefusal.self) { try await tokens.identity(sessionCookie: text) }
            }
        }
    }

    @Test func `the tokens of another client and of another project are refused`() async throws {
        try await HostedBroker.run { broker in
            let (client, other) = (try await broker.signInToClient(), try await broker.signInToClient())
            let session = try await broker.signInToProject()
            let tokens = try BrokerTokens(issuer: broker.url, clientIDs: [client.clientID])
            let project = try BrokerTokens(issuer: broker.url, clientIDs: [client.clientID], projectID: "other-app")

            _ = try await tokens.identity(bearer: client.accessToken)
            await #expect(throws: BrokerAuthRefusal.self) { try await tokens.identity(bearer: other.accessToken) }
            await #expect(throws: BrokerAuthRefusal.self) { try await tokens.identity(bearer: session.idToken) }
            // There is no such project to discover.
            await #expect(throws: BrokerAuthRefusal.unavailable(retryAfter: 5)) {
                try await project.identity(bearer: session.idToken)
            }
        }
    }

    @Test(arguments: ["strict", "firebase"])
    func `a session that was revoked is found out by asking`(preset: String) async throws {
        try await HostedBroker.run(preset: preset) { broker in
            let client = try await broker.signInToClient()
            let session = try await broker.signInToProject()
            let cookie = try await broker.sessionCookie(for: session.idToken)
            let credentials: [BrokerCredential] = [
                try .serviceAccount(keyFile: URL(filePath: try await broker.keyFile())),
                .adminToken(try await broker.adminToken("tokens:introspect")),
            ]
            var identities: [BrokerIdentity] = []
            for credential in credentials {
                let tokens = try BrokerTokens(
                    issuer: broker.url, clientIDs: [client.clientID], projectID: "my-app", sessionCookie: "session",
                    introspection: credential)
                identities += [
                    try await tokens.identity(bearer: client.accessToken),
                    try await tokens.identity(bearer: session.idToken),
                    try await tokens.identity(sessionCookie: cookie),
                ]
            }
            let own = try BrokerTokens(
                issuer: broker.url, clientIDs: [client.clientID],
                introspection: .client(id: client.clientID, secret: client.clientSecret))
            identities.append(try await own.identity(bearer: client.accessToken))
            for identity in identities { try await identity.requireActive() }

            try await broker.revokeAll(of: session.localID)

            for identity in identities {
                await #expect(throws: BrokerAuthRefusal.invalidToken("The session has ended.")) {
                    try await identity.requireActive()
                }
            }
        }
    }

    @Test func `a credential without the scope gets no answer`() async throws {
        try await HostedBroker.run { broker in
            let client = try await broker.signInToClient()
            let tokens = try BrokerTokens(
                issuer: broker.url, clientIDs: [client.clientID],
                introspection: .adminToken(try await broker.adminToken("users:read")))
            let identity = try await tokens.identity(bearer: client.accessToken)

            await #expect(throws: BrokerAuthRefusal.unavailable(retryAfter: 5)) { try await identity.requireActive() }
        }
    }

    @Test func `a key that was revoked is refused after the next read`() async throws {
        try await HostedBroker.run { broker in
            let client = try await broker.signInToClient()
            var options = BrokerTokens.Options()
            (options.maximumKeyLifetime, options.refetchInterval) = (.zero, .zero)
            let tokens = try BrokerTokens(issuer: broker.url, clientIDs: [client.clientID], options: options)
            _ = try await tokens.identity(bearer: client.accessToken)

            _ = try await broker.document("keys", "rotate", "--family", "oidc", "--now", "--revoke", "--yes")

            // A running broker follows within seconds; each attempt here reads the keys.
            while (try? await tokens.identity(bearer: client.accessToken)) != nil {}
            let renewed = try await broker.signInToClient()
            #expect(renewed.accessToken != client.accessToken)
        }
    }
}

import Broker
import BrokerStore
import JOSE
import ProviderKit
import Testing

@Suite("looking into tokens of OAuth clients")
struct InspectOpenIDTokenTests {
    @Test(arguments: ["id_token", "access_token"])
    func `a token tells its family, whether it counts, and what became of its session`(name: String) async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let token = try await app.signIn(try await broker.signedInUser()).string(name)

            let good = try #require(try await broker.core.admin.inspectToken(token))
            _ = try await app.post("/oauth/revoke", [("token", token)])
            let id = try #require(good.claims["sid"]?.string)
            _ = try await broker.core.sessions.revokeSession(id, origin: Origin(.admin))
            let over = try #require(try await broker.core.admin.inspectToken(token))

            #expect(good.family == .oidc && good.signature == .ours && good.session == .live && good.refusal == nil)
            #expect(over.family == .oidc && over.session == .revoked && over.refusal == .tokenExpired)
        }
    }

    @Test func `the result distinguishes forged tokens from tokens of withdrawn keys`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let token = try await app.signIn(try await broker.signedInUser()).string("access_token")
            let keyID = try #require(CompactJWS(parsing: token).header.keyID)
            let forged = try TokenSigner(keyID: keyID, key: .generate(.es256)).token(claims: ["sub": "mallory"])

            let stranger = try #require(try await broker.core.admin.inspectToken(forged))
            _ = try await broker.core.sessions.rotateSigningKeys(
                [.es256], of: [.oidc], .revoking, origin: Origin(.admin))
            let withdrawn = try #require(try await broker.core.admin.inspectToken(token))

            #expect(stranger.signature == .forged && stranger.refusal == .invalidIDToken)
            #expect(withdrawn.signature == .withdrawnKey && withdrawn.refusal == .invalidIDToken)
        }
    }
}

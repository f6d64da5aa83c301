import BrokerStore
import JOSE
import OAuth
import ProviderKit
import Testing

@testable import Broker

@Suite("Custom claims for clients of OpenID Connect")
struct CustomClaimNameTests {
    private static func set(_ claims: JSONObject, of user: User, at broker: TestBroker) async throws {
        _ = try await SetUserClaims(user: user.localID, claims: claims)
            .run(for: AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test")))
    }

    @Test func `go by the scope claims, or to an app of the operator's own, and to no other`() async throws {
        try await TestBroker.run { broker in
            let user = try await broker.signedInUser()
            try await Self.set(["role": "editor"], of: user, at: broker)
            let app = try await OAuthApp(at: broker)

            let without = try await app.signIn(user)
            let asking = try await app.signIn(user, scope: "openid claims offline_access")
            _ = try await broker.core.openID.clients.update(
                id: app.client.id, ClientChanges(isFirstParty: true), origin: Origin(.admin))
            let refreshed = try await app.refresh(without.string("refresh_token"))
            let less = try await app.refresh(refreshed.string("refresh_token"), scope: "openid")

            for name in ["id_token", "access_token"] {
                #expect(try without.claims(name)["role"] == nil)
                #expect(try asking.claims(name)["role"] == "editor")
                #expect(try refreshed.claims(name)["role"] == "editor", "the next tokens have them")
                #expect(try less.claims(name)["role"] == nil)
            }
            #expect(refreshed["scope"] == "openid profile email claims offline_access")
            #expect(try await broker.userInfo(without.string("access_token"))["role"] == nil)
            #expect(try await broker.userInfo(asking.string("access_token"))["role"] == "editor")
        }
    }

    @Test func `never take a name that is issued or that a standard defines there, and users show says so`()
        async throws
    {
        try await TestBroker.run({ $0.serviceAccounts = [] }) { broker in
            let user = try await broker.signedInUser()
            let app = try await OAuthApp(at: broker)
            let before = try await app.signIn(user, nonce: "n")
            let issued =
                try ["id_token", "access_token"].flatMap { try before.claims($0).names }
                + (try await broker.userInfo(before.string("access_token")).body.object?.names ?? [])
                + (try await Self.introspect(before, app).object?.names ?? [])
            #expect(Set(issued).isSubset(of: CustomClaims.reservedInOpenID))
            // What Firebase's rules forbid cannot be set at all.
            let names = CustomClaims.reservedInOpenID.subtracting(CustomClaims.forbidden).sorted()
            for name in ["scope", "client_id", "sid", "groups", "act", "idp", "epoch", "name"] {
                #expect(names.contains(name))
            }

            for name in names {
                try await Self.set([name: "taken", "role": "editor"], of: user, at: broker)
                let answer = try await app.signIn(user, scope: "openid profile email claims", nonce: "n")

                for token in ["id_token", "access_token"] {
                    let claims = try answer.claims(token)
                    #expect(claims[name] != "taken" && claims["role"] == "editor", "\(name) in \(token)")
                }
                let shown = try await ShowUser(user: user.localID)
                    .run(for: AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test")))
                #expect(shown["broker"]?["claimsLeftOutOfOpenID"] == [.string(name)])
            }
        }
    }

    @Test(arguments: [SignatureAlgorithm.es256, .rs256])
    func `leave an access token within 4 KB, and are at userinfo as a whole`(algorithm: SignatureAlgorithm) async throws
    {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker, algorithm: algorithm == .es256 ? .es256 : .rs256)
            let user = try await broker.signedInUser()
            let large = JSONObject((0..<40).map { ("claim-\($0)", .string(String(repeating: "x", count: 90))) })
            // As a custom token gives them to its session.
            let facts = try await broker.core.store.write { transaction in
                var shape = SessionShape()
                (shape.family, shape.clientID) = (.oauth, app.client.id)
                shape.scope = "openid profile email claims"
                var session = Session(
                    RandomText.alphanumeric(22), of: user, provider: "custom", as: shape, from: ClientDevice(),
                    in: transaction)
                session.claims = large.serialized()
                try transaction.insert(session)
                return SessionView<TokenIdentity>(session: session, user: user, identities: [])
            }

            let issued = try await broker.core.openID.tokens.issue(facts, for: app.client, at: broker.core.openID.now)

            let accessToken = issued.accessToken
            #expect(accessToken.utf8.count <= 4096)
            let claims = try TestApp.claims(accessToken)
            #expect(claims["broker"]?["claimsAtUserinfo"] == true)
            let fitting = claims.names.count { $0.hasPrefix("claim-") }
            #expect((1..<40).contains(fitting))
            let info = try await broker.userInfo(accessToken)
            #expect(info.body.object?.names.count { $0.hasPrefix("claim-") } == 40, "\(info.text)")
            #expect(info["broker"] == nil)
        }
    }

    private static func introspect(_ answer: Answer, _ app: OAuthApp) async throws -> JSONValue {
        try await app.post("/oauth/introspect", [("token", try answer.string("access_token"))]).body
    }
}

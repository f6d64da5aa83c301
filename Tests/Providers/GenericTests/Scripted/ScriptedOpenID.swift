import Crypto
import Foundation
import Generic
import JOSE
import ProviderKit
import ProviderKitTesting

/// An OpenID provider as a script: its normal responses, with the identities that result.
enum ScriptedOpenID {
    static let secret = ProviderFixture.marked("client-secret")
    static let code = ProviderFixture.marked("code")
    static let nonce = ProviderFixture.marked("nonce")
    static let accessToken = ProviderFixture.marked("access-token")
    static let refreshToken = ProviderFixture.marked("refresh-token")
    static let issuerURL = "https://id.example"

    /// Two keys: with a single one, a token without `kid` would be no forgery.
    static let issuer: IssuerKeys = {
        let keys = IssuerKeys()
        keys.publishUnusedKey()
        return keys
    }()

    static let fixture = ProviderFixture(
        .oidc, id: "oidc.example",
        options: [
            "issuer": .string(issuerURL), "clientId": "app", "clientSecret": .string(secret), "backChannelLogout": true,
        ],
        issuer: issuer
    ) { scene in
        ProviderScript(
            endpoints: [
                discovery, ScriptedEndpoint(.get, issuerURL + "/keys", .json(scene.keySet)), token(scene),
                userinfo(), device,
                ScriptedEndpoint(
                    .post, issuerURL + "/revoke", receives: [.clientSecret, .personToken], .status(200)),
            ],
            signIns: [
                HonestSignIn(
                    Credential(
                        .authorizationCode(
                            .init(
                                code: code, redirectURI: "https://app.example/back",
                                verifier: ProviderFixture.marked("verifier"), expectedNonce: nonce))),
                    identity: ada, hasIDToken: true),
                HonestSignIn(native(scene), identity: ada),
            ],
            unverified: [
                ScriptVariation(
                    "userinfo calls it unverified", signIn: 0, answering: [userinfo(["email_verified": false])]),
                ScriptVariation(
                    "the ID token says nothing", signIn: 1,
                    credential: native(scene, changing: ["email_verified": nil])),
            ],
            foreign: [
                ScriptVariation(
                    "userinfo is about somebody else", signIn: 0, answering: [userinfo(["sub": "grace"])]),
                ScriptVariation(
                    "the ID token is for another client", signIn: 1,
                    credential: native(scene, changing: ["aud": "another"])),
            ],
            grant: UpstreamGrant(clientID: "app", accessToken: accessToken, refreshToken: refreshToken),
            unknownGrant: [
                ScriptedEndpoint(
                    .post, issuerURL + "/revoke", receives: [.clientSecret, .personToken],
                    .json(["error": "invalid_token"], status: 400))
            ],
            checksCodeVerifier: true, deviceIdentity: ada, notifications: [logout(scene)])
    }
}

extension ScriptedOpenID {
    static let ada = ExternalIdentity(
        subject: "ada-7", email: .init("ada@example.com", isVerified: true), displayName: "Ada Example")

    static let discovery = ScriptedEndpoint(
        .get, issuerURL + "/.well-known/openid-configuration", isDiscovery: true,
        .json([
            "issuer": .string(issuerURL), "authorization_endpoint": .string(issuerURL + "/authorize"),
            "token_endpoint": .string(issuerURL + "/token"), "jwks_uri": .string(issuerURL + "/keys"),
            "userinfo_endpoint": .string(issuerURL + "/userinfo"),
            "revocation_endpoint": .string(issuerURL + "/revoke"),
            "device_authorization_endpoint": .string(issuerURL + "/device"),
            "code_challenge_methods_supported": ["plain", "S256"],
        ]))

    static let device = ScriptedEndpoint(
        .post, issuerURL + "/device",
        .json([
            "device_code": .string(ProviderFixture.marked("device-code")), "user_code": "WDJB-MJHT",
            "verification_uri": .string(issuerURL + "/activate"), "expires_in": 600, "interval": 5,
        ]))

    static func claims(_ changes: JSONObject = [:]) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(issuerURL), "sub": "ada-7", "aud": "app", "email": "ada@example.com",
            "email_verified": true, "name": "Ada Example",
        ]
        for (name, value) in changes { claims[name] = value.isNull ? .none : .some(value) }
        return claims
    }

    /// A logout token (OpenID Connect Back-Channel Logout 1.0 §2.4).
    static func logout(_ scene: FixtureScene) -> HonestNotification {
        let now = Int64(scene.now.timeIntervalSince1970)
        let claims: JSONObject = [
            "iss": .string(issuerURL), "sub": "ada-7", "aud": "app", "jti": "logout-1", "iat": .integer(now),
            "exp": .integer(now + 120), "events": ["http://schemas.openid.net/event/backchannel-logout": [:]],
        ]
        return HonestNotification(
            ProviderMessage(
                headers: [("Content-Type", "application/x-www-form-urlencoded")],
                body: Array("logout_token=\(scene.idToken(claims, type: "logout+jwt"))".utf8)),
            events: [
                ProviderEvent(
                    id: "logout-1", .loggedOut(session: nil), subject: "ada-7", occurredAt: scene.now,
                    expiresAt: scene.now.addingTimeInterval(120))
            ])
    }

    static func token(_ scene: FixtureScene) -> ScriptedEndpoint {
        ScriptedEndpoint(.post, issuerURL + "/token", receives: [.clientSecret, .personToken]) { request in
            let grantType = request.formValue("grant_type")
            let token = grantType == "refresh_token" ? accessToken + "-renewed" : accessToken
            let idToken = scene.idToken(
                claims([
                    "nonce": grantType == "authorization_code" ? .string(nonce) : .null,
                    "at_hash": .string(Base64URL.encode(Array(SHA256.hash(data: Data(token.utf8)).prefix(16)))),
                ]))
            return .json([
                "access_token": .string(token), "token_type": "Bearer", "expires_in": 3600,
                "refresh_token": .string(refreshToken + "-renewed"), "scope": "openid email profile",
                "id_token": .string(idToken),
            ])
        }
    }

    static func userinfo(_ changes: JSONObject = [:]) -> ScriptedEndpoint {
        var answer: JSONObject = [
            "sub": "ada-7", "email": "ada@example.com", "email_verified": true, "name": "Ada Example",
        ]
        for (name, value) in changes { answer[name] = value }
        return ScriptedEndpoint(.get, issuerURL + "/userinfo", receives: [.personToken], .json(.object(answer)))
    }

    static func native(_ scene: FixtureScene, changing changes: JSONObject = [:]) -> Credential {
        let digest = SHA256.hash(data: Data(nonce.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        var claims = claims(changes)
        claims["nonce"] = .string(digest)
        return Credential(.idToken(.init(token: scene.idToken(claims), rawNonce: nonce)))
    }
}

import Crypto
import Foundation
import JOSE
import OnePass
import ProviderKit
import ProviderKitTesting

/// 1Pass as a script: its normal responses, with the identities that result.
enum ScriptedOnePass {
    static let secret = ProviderFixture.marked("logi-secret")
    static let webhookKey = ProviderFixture.marked("webhook-key")
    static let refreshToken = ProviderFixture.marked("refresh")
    static let clientID = "logi_conformance"
    static let phoneID = "logi_conformance_phone"

    static let fixture = ProviderFixture(
        .onePass, id: "1pass.dev",
        options: [
            "clientId": .string(clientID), "clientSecret": .string(secret),
            "additionalClientIds": [.string(phoneID)],
            "webhookKeys": ["whk_1": .string(webhookKey)], "backChannelLogout": true,
        ],
        optionsWithoutClient: [["clientId": ""], ["clientId": nil], ["additionalClientIds": [""]]],
        issuer: IssuerKeys(style: .hexadecimal(count: 16))
    ) { scene in OnePassScript(scene).script }
}

/// The normal responses of 1Pass, with the identities that result.
private struct OnePassScript {
    static let host = "https://api.1pass.dev"
    static let subject = "42"

    let scene: FixtureScene
    let accessToken: String
    let phoneToken: String
    let refreshedToken: String

    init(_ scene: FixtureScene) {
        func token(_ audience: String) -> String {
            scene.idToken(
                Self.claims(
                    for: audience, ["scope": "openid profile:basic email", "jti": .string(UUID().uuidString)]))
        }
        self.scene = scene
        accessToken = token(ScriptedOnePass.clientID)
        phoneToken = token(ScriptedOnePass.phoneID)
        refreshedToken = token(ScriptedOnePass.clientID)
    }

    var script: ProviderScript {
        let nonce = ProviderFixture.marked("nonce")
        return ProviderScript(
            endpoints: [
                discovery, keys, tokens(answering: nonce), userinfo(), revocation, deviceAuthorization,
            ],
            signIns: [
                HonestSignIn(Credential(code(nonce)), identity: mona, hasIDToken: true),
                HonestSignIn(Credential(native(nonce)), title: "both tokens of an app", identity: mona),
                HonestSignIn(
                    Credential(
                        .idToken(
                            .init(token: idToken(ScriptedOnePass.phoneID, nonce: nonce), rawNonce: nonce))),
                    title: "an ID token alone", identity: ExternalIdentity(subject: Self.subject)),
                HonestSignIn(Credential(.accessToken(phoneToken)), identity: mona, hasIDToken: true),
            ], unverified: unverified, foreign: foreign,
            grant: UpstreamGrant(
                clientID: ScriptedOnePass.clientID, accessToken: accessToken,
                refreshToken: ScriptedOnePass.refreshToken),
            unknownGrant: [revocation], checksCodeVerifier: true, reauthenticationParameters: ["prompt": "login"],
            deviceIdentity: mona,
            notifications: [
                webhook, .logout(of: Self.subject, from: Self.host, to: ScriptedOnePass.phoneID, in: scene),
            ])
    }

    private var mona: ExternalIdentity {
        ExternalIdentity(
            subject: Self.subject, merge: .init(survivor: Self.subject, absorbed: ["41"]),
            email: .init("mona@example.com", isVerified: true), displayName: "Mona")
    }

    private func code(_ nonce: String) -> Credential.Proof {
        .authorizationCode(
            .init(
                code: ProviderFixture.marked("code"), redirectURI: "https://app.example/back",
                verifier: ProviderFixture.marked("verifier"), expectedNonce: nonce))
    }

    private func native(_ nonce: String) -> Credential.Proof {
        let token = idToken(ScriptedOnePass.phoneID, nonce: nonce, accessToken: phoneToken)
        return .idToken(.init(token: token, rawNonce: nonce, accessToken: phoneToken))
    }

    private var unverified: [ScriptVariation] {
        [
            ScriptVariation("1Pass has not verified it", signIn: 0, answering: [userinfo(["email_verified": false])]),
            ScriptVariation("1Pass does not say", signIn: 1, answering: [userinfo(["email_verified": nil])]),
            ScriptVariation(
                "1Pass made it up", signIn: 3, answering: [userinfo(["email": "anon+0@1PASS.internal"])]),
        ]
    }

    private var foreign: [ScriptVariation] {
        [
            ScriptVariation(
                "it was issued to another application", signIn: 3,
                credential: Credential(.accessToken(scene.idToken(Self.claims(for: "logi_somebody_else"))))),
            ScriptVariation(
                "1Pass no longer knows the token", signIn: 3,
                answering: [ScriptedEndpoint(.get, Self.host + "/oauth/userinfo", .status(401))]),
            ScriptVariation("the account is anonymous", signIn: 3, answering: [userinfo(["anonymous": true])]),
        ]
    }

    /// A webhook, whose signature covers the body alone.
    private var webhook: HonestNotification {
        let body = Array(
            #"{"event_id":"evt_1","event_type":"consent.revoked","occurred_at":"2027-01-15T07:59:00Z","data":{"sub":42}}"#
                .utf8)
        let key = SymmetricKey(data: Data(ScriptedOnePass.webhookKey.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data(body), using: key)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return HonestNotification(
            ProviderMessage(
                headers: [("X-Logi-Signature", "t=1800000000,kid=whk_1,v1=\(code)"), ("X-Logi-Event-Id", "evt_1")],
                body: body),
            events: [
                ProviderEvent(
                    id: "evt_1", .consentRevoked, subject: Self.subject, occurredAt: scene.now.addingTimeInterval(-60))
            ])
    }

    private static func claims(for audience: String, _ others: JSONObject = [:]) -> JSONObject {
        var claims: JSONObject = ["iss": .string(host), "aud": .string(audience), "sub": .string(subject)]
        for (name, value) in others { claims[name] = value }
        return claims
    }

    private func idToken(_ audience: String, nonce: String?, accessToken: String? = nil) -> String {
        var claims = Self.claims(for: audience)
        claims["nonce"] = nonce.map(JSONValue.string)
        claims["at_hash"] = accessToken.map { token in
            .string(Base64URL.encode(Array(SHA256.hash(data: Data(token.utf8)).prefix(16))))
        }
        return scene.idToken(claims)
    }
}

extension OnePassScript {
    private var discovery: ScriptedEndpoint {
        ScriptedEndpoint(
            .get, Self.host + "/.well-known/openid-configuration", isDiscovery: true,
            .json([
                "issuer": .string(Self.host), "authorization_endpoint": .string(Self.host + "/oauth/authorize"),
                "token_endpoint": .string(Self.host + "/oauth/token"),
                "jwks_uri": .string(Self.host + "/.well-known/jwks.json"),
                "userinfo_endpoint": .string(Self.host + "/oauth/userinfo"),
                "revocation_endpoint": .string(Self.host + "/oauth/revoke"),
                "device_authorization_endpoint": .string(Self.host + "/oauth/device_authorization"),
            ]))
    }

    private var keys: ScriptedEndpoint {
        ScriptedEndpoint(.get, Self.host + "/.well-known/jwks.json", .json(scene.keySet))
    }

    private func tokens(answering nonce: String) -> ScriptedEndpoint {
        let idTokens = (
            idToken(ScriptedOnePass.clientID, nonce: nonce, accessToken: accessToken),
            idToken(ScriptedOnePass.clientID, nonce: nil, accessToken: refreshedToken)
        )
        return ScriptedEndpoint(
            .post, Self.host + "/oauth/token", receives: [.clientSecret, .personToken]
        ) { request in
            let isRefresh = request.formValue("grant_type") == "refresh_token"
            return .json([
                "access_token": .string(isRefresh ? refreshedToken : accessToken), "token_type": "Bearer",
                "expires_in": 900, "refresh_token": .string(ScriptedOnePass.refreshToken + "-renewed"),
                "scope": "openid profile:basic email", "id_token": .string(isRefresh ? idTokens.1 : idTokens.0),
            ])
        }
    }

    /// `nil` takes a claim away.
    private func userinfo(_ changes: KeyValuePairs<String, JSONValue?> = [:]) -> ScriptedEndpoint {
        var claims: JSONObject = [
            "sub": 42, "canonical_sub": 42, "is_canonical": true, "linked_subs": [41], "anonymous": false,
            "previously_anonymous": false, "preferred_name": "Mona", "email": "mona@example.com",
            "email_verified": true,
        ]
        for (name, value) in changes { claims[name] = value }
        return ScriptedEndpoint(
            .get, Self.host + "/oauth/userinfo", receives: [.personToken], .json(.object(claims)))
    }

    private var revocation: ScriptedEndpoint {
        ScriptedEndpoint(
            .post, Self.host + "/oauth/revoke", receives: [.clientSecret, .personToken], .json([:]))
    }

    private var deviceAuthorization: ScriptedEndpoint {
        ScriptedEndpoint(
            .post, Self.host + "/oauth/device_authorization",
            .json([
                "device_code": .string(ProviderFixture.marked("device-code")), "user_code": "WDJB-MJHT",
                "verification_uri": .string(Self.host + "/oauth/device"), "expires_in": 900, "interval": 5,
            ]))
    }
}

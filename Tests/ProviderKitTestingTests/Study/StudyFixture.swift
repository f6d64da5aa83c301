import Foundation
import ProviderKit
import ProviderKitTesting

/// The fixture of ``StudyProvider``: honest, or breaking one rule.
enum StudyFixture {
    static let subject = "248289761001"
    static let url = "https://id.study.example"
    static let clientID = "study-client"
    static let secret = ProviderFixture.marked("client-secret")
    static let code = ProviderFixture.marked("code")
    static let verifier = ProviderFixture.marked("verifier")
    static let accessToken = ProviderFixture.marked("access-token")
    static let refreshToken = ProviderFixture.marked("refresh-token")
    static let deviceCode = ProviderFixture.marked("device-code")
    static let issuer = IssuerKeys()

    /// Rules about ID tokens that a plugin can break by its policy alone.
    static let brokenByPolicy = [
        "refuses-id-token-wrong-audience", "refuses-id-token-wrong-issuer", "refuses-id-token-expired",
        "refuses-id-token-wrong-nonce", "refuses-id-token-missing-nonce", "refuses-id-token-wrong-access-token-hash",
        "refuses-id-token-another-type",
    ]
    /// The checks that only a plugin without verification fails.
    static let brokenByBelief = ConformanceSuite.allChecks.map(\.id).filter {
        $0.hasPrefix("refuses-id-token-") && !brokenByPolicy.contains($0)
    }

    static let ada = ExternalIdentity(
        subject: subject, email: .init("ada@study.example", isVerified: true), displayName: "Ada")

    /// The plugin, told to break the rule of this name.
    static func fixture(breaking rule: String? = nil) -> ProviderFixture {
        var options: JSONObject = [
            "clientId": .string(clientID), "clientSecret": .string(secret), "url": .string(url),
        ]
        options["breaks"] = rule.map(JSONValue.string)
        return ProviderFixture(
            ProviderPlugin(StudyProvider.self), id: "study.example", options: options, issuer: issuer, script: script)
    }

    private static func script(_ scene: FixtureScene) -> ProviderScript {
        let native = scene.idToken(claims(isVerified: true))
        let unverified = scene.idToken(claims(isVerified: false))
        return ProviderScript(
            endpoints: [
                token(scene), introspection(clientID), userinfo(isVerified: true), device, migration,
                ScriptedEndpoint(.get, url + "/keys", .json(scene.keySet)),
                ScriptedEndpoint(.post, url + "/revoke", receives: [.clientSecret, .personToken], .status(200)),
            ],
            signIns: [
                HonestSignIn(
                    Credential(
                        .authorizationCode(
                            .init(
                                code: code, redirectURI: "https://app.example/back", verifier: verifier,
                                expectedNonce: "nonce"))),
                    identity: ada),
                HonestSignIn(Credential(.accessToken(accessToken)), identity: ada),
                HonestSignIn(
                    Credential(.idToken(.init(token: native, rawNonce: "nonce", accessToken: accessToken))),
                    identity: ada),
            ],
            unverified: [
                ScriptVariation("the profile says no", signIn: 1, answering: [userinfo(isVerified: false)]),
                ScriptVariation(
                    "the ID token says no", signIn: 2,
                    credential: Credential(.idToken(.init(token: unverified, rawNonce: "nonce")))),
            ],
            foreign: [ScriptVariation("it is another client's", signIn: 1, answering: [introspection("another")])],
            grant: UpstreamGrant(clientID: clientID, accessToken: accessToken, refreshToken: refreshToken),
            unknownGrant: [ScriptedEndpoint(.post, url + "/revoke", .status(404))], checksCodeVerifier: true,
            reauthenticationParameters: ["prompt": "login"],
            deviceIdentity: ada,
            notifications: [notification(scene)],
            migration: HonestMigration(options: [:], subject: subject, transferSubject: "t-1", newSubject: "n-1"))
    }

    private static func notification(_ scene: FixtureScene) -> HonestNotification {
        let now = Int64(scene.now.timeIntervalSince1970)
        let claims: JSONObject = [
            "iss": .string(url), "aud": .string(clientID), "sub": .string(subject), "jti": "event-1",
            "iat": .integer(now), "exp": .integer(now + 60), "events": ["consent-revoked": [:]],
        ]
        let body: JSONObject = ["payload": .string(scene.idToken(claims))]
        return HonestNotification(
            ProviderMessage(headers: [], body: Array(body.serialized().utf8)),
            events: [
                ProviderEvent(
                    id: "event-1", .consentRevoked, subject: subject, occurredAt: scene.now,
                    expiresAt: scene.now.addingTimeInterval(60))
            ])
    }

    private static func claims(isVerified: Bool) -> JSONObject {
        [
            "iss": .string(url), "aud": .string(clientID), "sub": .string(subject), "nonce": "nonce", "name": "Ada",
            "email": "ada@study.example", "email_verified": .bool(isVerified),
        ]
    }

    private static func token(_ scene: FixtureScene) -> ScriptedEndpoint {
        let idToken = scene.idToken(claims(isVerified: true))
        return ScriptedEndpoint(.post, url + "/token", receives: [.clientSecret, .personToken]) { request in
            let isRefresh = request.formValue("grant_type") == "refresh_token"
            return .json([
                "access_token": .string(accessToken + (isRefresh ? "-renewed" : "")), "id_token": .string(idToken),
                "refresh_token": .string(refreshToken), "expires_in": 3600, "token_type": "Bearer",
            ])
        }
    }

    private static func introspection(_ clientID: String) -> ScriptedEndpoint {
        ScriptedEndpoint(
            .post, url + "/introspect", receives: [.clientSecret, .personToken],
            .json(["active": true, "client_id": .string(clientID)]))
    }

    private static func userinfo(isVerified: Bool) -> ScriptedEndpoint {
        ScriptedEndpoint(
            .get, url + "/userinfo", receives: [.personToken],
            .json([
                "sub": .string(subject), "name": "Ada", "email": "ada@study.example",
                "email_verified": .bool(isVerified),
            ]))
    }

    private static let migration = ScriptedEndpoint(.post, url + "/migrate", receives: [.clientSecret]) {
        $0.formValue("sub") == nil ? .json(["subject": "n-1"]) : .json(["subject": "t-1"])
    }

    private static let device = ScriptedEndpoint(
        .post, url + "/device",
        .json([
            "device_code": .string(deviceCode), "user_code": "WDJB-MJHT",
            "verification_uri": "https://id.study.example/activate", "expires_in": 900, "interval": 5,
        ]))
}

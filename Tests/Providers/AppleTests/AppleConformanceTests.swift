import Apple
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Synchronization
import Testing

@Suite("Apple keeps the provider contract")
struct AppleConformanceTests {
    static let app = "com.example.app"
    static let site = "com.example.web"
    static let key = AppleSimulator.Key(teamID: "TEAM123456")
    static let code = ProviderFixture.marked("code")
    static let nativeCode = ProviderFixture.marked("native-code")
    static let verifier = ProviderFixture.marked("verifier")
    static let nonce = ProviderFixture.marked("nonce")
    static let accessToken = ProviderFixture.marked("access")
    static let refreshToken = ProviderFixture.marked("refresh")

    static let suite = ConformanceSuite(
        ProviderFixture(
            .apple, id: "apple.com",
            options: [
                "teamId": .string(key.teamID), "keyId": .string(key.keyID), "privateKey": .string(key.pem),
                "clientIds": [.string(app)], "servicesId": .string(site),
            ],
            secrets: [key.pem], urlOptions: ["url"],
            optionsWithoutClient: [
                ["clientIds": nil, "servicesId": nil], ["clientIds": [], "servicesId": nil], ["servicesId": ""],
                ["clientIds": [""]],
            ], issuer: IssuerKeys(style: .alphanumeric(count: 10))
        ) { scene in
            let consent = Consent()
            return ProviderScript(
                endpoints: [
                    token(scene, consent), .init(.get, "https://appleid.apple.com/auth/keys", .json(scene.keySet)),
                    revocation(consent), migration,
                ],
                signIns: [
                    HonestSignIn(
                        Credential(
                            .authorizationCode(
                                .init(
                                    code: code, redirectURI: "https://app.example/back", verifier: verifier,
                                    expectedNonce: nonce)),
                            firstTimeProfile: .init(givenName: "Mona", familyName: "Cat")),
                        title: "a web site's code", identity: mona, hasIDToken: true),
                    HonestSignIn(native(scene), title: "a device's token", identity: mona),
                    HonestSignIn(native(scene, sendsCode: true), title: "a device's token with a code", identity: mona),
                ],
                unverified: [
                    .init(
                        "the claim says so", signIn: 0,
                        answering: [token(scene, consent, ["email_verified": "false"])]),
                    .init(
                        "the claim is absent", signIn: 0, answering: [token(scene, consent, ["email_verified": nil])]),
                    .init("a boolean says so", signIn: 1, credential: native(scene, ["email_verified": false])),
                    .init("a text is no truth", signIn: 1, credential: native(scene, ["email_verified": "TRUE"])),
                ],
                foreign: [
                    .init("it is for another app", signIn: 1, credential: native(scene, ["aud": "com.other"])),
                    .init(
                        "the code was another client's", signIn: 0,
                        answering: [token(scene, consent, ["aud": .string(app)])]),
                    .init(
                        "the code was another person's", signIn: 2,
                        answering: [token(scene, consent, ["sub": "001234.x.1"])]),
                ],
                grant: UpstreamGrant(
                    clientID: app, accessToken: ProviderFixture.marked("access"), refreshToken: refreshToken),
                unknownGrant: [revocation(consent)],
                migration: HonestMigration(
                    options: ["from": team(key.teamID), "to": team("TEAM654321")], subject: subject,
                    transferSubject: "001234.r1.1234", newSubject: "005678.1.0001"))
        })

    @Test(arguments: suite.checks)
    func `keeps the provider contract`(check: ConformanceCheck) async {
        #expect(await Self.suite.outcome(of: check).failure == nil)
    }

    @Test func grade() async { print(await Self.suite.grade()) }
}

extension AppleConformanceTests {
    static let subject = "001234.0123456789abcdef0123456789abcdef.1234"

    static let mona = ExternalIdentity(
        subject: subject, email: .init("mona@example.com", isVerified: true), displayName: "Mona Cat",
        givenName: "Mona", familyName: "Cat")

    /// What a device hands to an app, with some claims changed.
    static func native(
        _ scene: FixtureScene, _ changes: JSONObject = [:], sendsCode: Bool = false
    ) -> Credential {
        let claims = claims(for: app, nonce: AppleSimulator.hashed(nonce), changes)
        return Credential(
            .idToken(
                .init(
                    token: scene.idToken(claims, type: nil), rawNonce: nonce,
                    authorizationCode: sendsCode ? nativeCode : nil)),
            firstTimeProfile: .init(givenName: "Mona", familyName: "Cat"))
    }

    /// The token endpoint, whose ID tokens are for the client that asks.
    fileprivate static func token(
        _ scene: FixtureScene, _ consent: Consent, _ changes: JSONObject = [:]
    ) -> ScriptedEndpoint {
        let url = "https://appleid.apple.com/auth/token"
        return ScriptedEndpoint(.post, url, receives: [.clientSecret, .personToken]) { request in
            var answer: JSONObject = ["token_type": "Bearer", "expires_in": 3600]
            answer["access_token"] = .string(accessToken)
            guard request.formValue("grant_type") == "authorization_code" else {
                return consent.isRevoked ? .json(["error": "invalid_grant"], status: 400) : .json(.object(answer))
            }
            let isNative = request.formValue("code") == nativeCode
            let claims = claims(
                for: request.formValue("client_id") ?? "", nonce: isNative ? AppleSimulator.hashed(nonce) : nonce,
                changes)
            answer["id_token"] = .string(scene.idToken(claims, type: nil))
            answer["refresh_token"] = .string(refreshToken)
            return .json(.object(answer))
        }
    }

    /// The revocation endpoint, which answers 200 to every token.
    fileprivate static func revocation(_ consent: Consent) -> ScriptedEndpoint {
        let url = "https://appleid.apple.com/auth/revoke"
        return ScriptedEndpoint(.post, url, receives: [.clientSecret, .personToken]) { _ in
            consent.revoke()
            return .status(200)
        }
    }

    private static let migration = ScriptedEndpoint(
        .post, "https://appleid.apple.com/auth/usermigrationinfo", receives: [.clientSecret, .personToken]
    ) { request in
        request.formValue("transfer_sub") == nil
            ? .json(["transfer_sub": "001234.r1.1234"]) : .json(["sub": "005678.1.0001", "is_private_email": true])
    }

    private static func team(_ id: String) -> JSONValue {
        [
            "teamId": .string(id), "keyId": .string(key.keyID), "privateKey": .string(key.pem),
            "clientId": .string(app),
        ]
    }

    private static func claims(for clientID: String, nonce: String, _ changes: JSONObject) -> JSONObject {
        var claims: JSONObject = [
            "iss": "https://appleid.apple.com", "aud": .string(clientID), "sub": .string(subject),
            "nonce": .string(nonce), "nonce_supported": true, "email": "mona@example.com", "email_verified": "true",
        ]
        for (name, value) in changes { claims[name] = value.isNull ? Optional.none : value }
        return claims
    }
}

/// Whether a scripted user has withdrawn from the app.
private final class Consent: Sendable {
    private let revoked = Mutex(false)

    var isRevoked: Bool { revoked.withLock { $0 } }

    func revoke() { revoked.withLock { $0 = true } }
}

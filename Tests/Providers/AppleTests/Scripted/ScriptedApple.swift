import Apple
import Crypto
import Foundation
import ProviderKit
import ProviderKitTesting
import Synchronization

/// Apple as a script: its normal responses, with the identities that result.
enum ScriptedApple {
    static let app = "com.example.app"
    static let site = "com.example.web"
    static let teamID = "TEAM123456"
    static let pem = P256.Signing.PrivateKey().pemRepresentation
    static let code = ProviderFixture.marked("code")
    static let nativeCode = ProviderFixture.marked("native-code")
    static let verifier = ProviderFixture.marked("verifier")
    static let nonce = ProviderFixture.marked("nonce")
    static let accessToken = ProviderFixture.marked("access")
    static let refreshToken = ProviderFixture.marked("refresh")

    static let fixture = ProviderFixture(
        .apple, id: "apple.com",
        options: [
            "teamId": .string(teamID), "keyId": "KEY1234567", "privateKey": .string(pem),
            "clientIds": [.string(app)], "servicesId": .string(site),
        ],
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
            unknownGrant: [revocation(consent)], notifications: [notification(scene)],
            migration: HonestMigration(
                options: ["from": team(teamID), "to": team("TEAM654321")], subject: subject,
                transferSubject: "001234.r1.1234", newSubject: "005678.1.0001"))
    }
}

extension ScriptedApple {
    /// The form of a nonce in the token of a device: its SHA-256 in hexadecimal.
    private static func hashed(_ nonce: String) -> String {
        SHA256.hash(data: Data(nonce.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// A notification that a user has withdrawn consent, whose `events` is a string of JSON.
    private static func notification(_ scene: FixtureScene) -> HonestNotification {
        let claims: JSONObject = [
            "iss": "https://appleid.apple.com", "aud": .string(app), "jti": "notification-1",
            "iat": .integer(Int64(scene.now.timeIntervalSince1970)),
            "exp": .integer(Int64(scene.now.timeIntervalSince1970) + 3600),
            "events": .string(
                JSONValue.object([
                    "type": "consent-revoked", "sub": .string(subject), "event_time": 1_799_999_990_000,
                ]).serialized()),
        ]
        let body: JSONObject = ["payload": .string(scene.idToken(claims, type: nil))]
        return HonestNotification(
            ProviderMessage(headers: [("Content-Type", "application/json")], body: Array(body.serialized().utf8)),
            events: [
                ProviderEvent(
                    id: "notification-1", .consentRevoked, subject: subject,
                    occurredAt: scene.now.addingTimeInterval(-10), expiresAt: scene.now.addingTimeInterval(3600))
            ])
    }

    static let subject = "001234.0123456789abcdef0123456789abcdef.1234"

    static let mona = ExternalIdentity(
        subject: subject, email: .init("mona@example.com", isVerified: true), displayName: "Mona Cat",
        givenName: "Mona", familyName: "Cat")

    /// What a device hands to an app, with some claims changed.
    static func native(
        _ scene: FixtureScene, _ changes: JSONObject = [:], sendsCode: Bool = false
    ) -> Credential {
        let claims = claims(for: app, nonce: hashed(nonce), changes)
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
                for: request.formValue("client_id") ?? "", nonce: isNative ? hashed(nonce) : nonce,
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
            "teamId": .string(id), "keyId": "KEY1234567", "privateKey": .string(pem),
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

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

    static let fixture = variant(.standard)

    /// A fixture of one dialect.
    static func variant(_ dialect: Dialect) -> ProviderFixture {
        ProviderFixture(
            .oidc, id: "oidc.example", options: dialect.options, issuer: dialect.issuer, exemptions: dialect.exemptions
        ) { scene in
            script(scene, dialect)
        }
    }

    private static func script(_ scene: FixtureScene, _ dialect: Dialect) -> ProviderScript {
        let nonce = dialect == .withoutNonce ? nil : nonce
        return ProviderScript(
            endpoints: [
                discovery(dialect), ScriptedEndpoint(.get, issuerURL + "/keys", .json(scene.keySet)),
                token(scene, dialect, nonce: nonce), userinfo(), device,
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
                    identity: dialect.identity, hasIDToken: true)
            ]
                + (dialect.takesPresentedTokens
                    ? [HonestSignIn(native(scene, dialect), identity: dialect.identity)] : [])
                + (dialect == .standard
                    ? [
                        HonestSignIn(
                            native(scene, dialect, with: accessToken), title: "an ID token with its access token",
                            identity: dialect.identity)
                    ] : []),
            unverified: [
                dialect == .tenants
                    ? ScriptVariation(
                        "the tenant does not own the domain", signIn: 0,
                        answering: [token(scene, dialect, nonce: nonce, changing: ["xms_edov": false])])
                    : ScriptVariation(
                        "userinfo calls it unverified", signIn: 0, answering: [userinfo(["email_verified": false])])
            ]
                + (dialect.takesPresentedTokens
                    ? [
                        ScriptVariation(
                            "the ID token says nothing", signIn: 1,
                            credential: native(scene, dialect, changing: [dialect.verification: nil]))
                    ] : []),
            foreign: [
                ScriptVariation(
                    "userinfo is about another user", signIn: 0, answering: [userinfo(["sub": "grace"])])
            ]
                + (dialect.takesPresentedTokens
                    ? [
                        ScriptVariation(
                            "the ID token is for another client", signIn: 1,
                            credential: native(scene, dialect, changing: ["aud": "another"]))
                    ] : []),
            grant: UpstreamGrant(clientID: "app", accessToken: accessToken, refreshToken: refreshToken),
            unknownGrant: [
                ScriptedEndpoint(
                    .post, issuerURL + "/revoke", receives: [.clientSecret, .personToken],
                    .json(["error": "invalid_token"], status: 400))
            ],
            checksCodeVerifier: dialect != .withoutDiscovery,
            reauthenticationParameters: ["prompt": "login", "max_age": "0"], deviceIdentity: dialect.identity,
            notifications: dialect.takesPresentedTokens && dialect != .tenants
                ? [.logout(of: "ada-7", from: issuerURL, to: "app", in: scene)] : [])
    }
}

extension ScriptedOpenID {
    /// A way in which providers differ from the standard, or in which they sign.
    enum Dialect: String, CaseIterable {
        case standard, withoutDiscovery, discoveryWithGaps, ps256, eddsa, hs256, withoutNonce, tenants

        fileprivate var options: JSONObject {
            var options: JSONObject = [
                "issuer": .string(issuerURL), "clientId": "app", "clientSecret": .string(secret),
                "backChannelLogout": true,
            ]
            switch self {
            case .standard: options["audiences"] = ["com.example.app"]
            case .withoutDiscovery:
                options["discovery"] = false
                options["endpoints"] = [
                    "authorization": .string(issuerURL + "/authorize"), "token": .string(issuerURL + "/token"),
                    "jwks": .string(issuerURL + "/keys"), "userinfo": .string(issuerURL + "/userinfo"),
                    "revocation": .string(issuerURL + "/revoke"), "deviceAuthorization": .string(issuerURL + "/device"),
                ]
            case .discoveryWithGaps:
                // A client with a private key.
                options["clientSecret"] = nil
                options["privateKey"] = ["pem": .string(Self.clientKey), "keyId": "k1"]
                options["endpoints"] = [
                    "userinfo": .string(issuerURL + "/userinfo"), "revocation": .string(issuerURL + "/revoke"),
                    "deviceAuthorization": .string(issuerURL + "/device"), "token": .string(issuerURL + "/token"),
                ]
            case .ps256: options["algorithms"] = ["PS256"]
            case .eddsa: options["algorithms"] = ["EdDSA"]
            case .hs256: (options["algorithms"], options["backChannelLogout"]) = (["HS256"], false)
            case .withoutNonce: (options["nonce"], options["backChannelLogout"]) = (false, false)
            case .tenants:
                (options["issuer"], options["backChannelLogout"]) = (.string(issuerURL + "/{tid}/v2.0"), false)
            }
            return options
        }

        fileprivate var issuer: IssuerKeys {
            switch self {
            case .ps256: Self.pss
            case .eddsa: Self.edwards
            case .hs256: Self.shared
            default: ScriptedOpenID.issuer
            }
        }

        private static let clientKey = P256.Signing.PrivateKey().pemRepresentation
        private static let pss = keys(.ps256)
        private static let edwards = keys(.eddsa)
        private static let shared = IssuerKeys(clientSecret: secret)

        private static func keys(_ algorithm: IDTokenPolicy.Algorithm) -> IssuerKeys {
            let keys = IssuerKeys(algorithm: algorithm)
            keys.publishUnusedKey(algorithm)
            return keys
        }

        fileprivate var exemptions: [String: String] {
            switch self {
            case .hs256: ["refuses-id-token-missing-key-id": "a shared secret has no key id"]
            case .tenants: ["tells-users-apart": "a subject is composed of two claims"]
            default: [:]
            }
        }

        /// The members that the discovery document lacks.
        fileprivate var gaps: Set<String> {
            guard self == .discoveryWithGaps else { return [] }
            return ["userinfo_endpoint", "revocation_endpoint", "device_authorization_endpoint", "token_endpoint"]
        }

        /// The tenant of the user, where the issuer has tenants.
        fileprivate var tenant: String? { self == .tenants ? "11111111-aaaa-4bbb-8ccc-222222222222" : nil }

        /// The claim that verifies an address in an ID token.
        fileprivate var verification: String { self == .tenants ? "xms_edov" : "email_verified" }

        fileprivate var identity: ExternalIdentity {
            guard let tenant else { return ada }
            return ExternalIdentity(
                subject: "\(tenant).object-7", email: ada.email, displayName: ada.displayName)
        }

        /// Whether a client may present an ID token, or a provider a logout token.
        fileprivate var takesPresentedTokens: Bool { self != .hs256 && self != .withoutNonce }
    }
}

extension ScriptedOpenID {
    static let ada = ExternalIdentity(
        subject: "ada-7", email: .init("ada@example.com", isVerified: true), displayName: "Ada Example")

    fileprivate static func discovery(_ dialect: Dialect) -> ScriptedEndpoint {
        let path = dialect == .tenants ? "/common/v2.0" : ""
        let document: JSONObject = [
            "issuer": .string(issuerURL + (dialect == .tenants ? "/{tenantid}/v2.0" : "")),
            "authorization_endpoint": .string(issuerURL + "/authorize"),
            "token_endpoint": .string(issuerURL + "/token"), "jwks_uri": .string(issuerURL + "/keys"),
            "userinfo_endpoint": .string(issuerURL + "/userinfo"),
            "revocation_endpoint": .string(issuerURL + "/revoke"),
            "device_authorization_endpoint": .string(issuerURL + "/device"),
            "code_challenge_methods_supported": ["plain", "S256"],
        ]
        return ScriptedEndpoint(
            .get, issuerURL + path + "/.well-known/openid-configuration", isDiscovery: true,
            .json(.object(JSONObject(document.filter { !dialect.gaps.contains($0.name) }.map { ($0.name, $0.value) }))))
    }

    static let device = ScriptedEndpoint(
        .post, issuerURL + "/device",
        .json([
            "device_code": .string(ProviderFixture.marked("device-code")), "user_code": "WDJB-MJHT",
            "verification_uri": .string(issuerURL + "/activate"), "expires_in": 600, "interval": 5,
        ]))

    fileprivate static func claims(_ dialect: Dialect, _ changes: JSONObject = [:]) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(issuerURL), "sub": "ada-7", "aud": "app", "email": "ada@example.com",
            "email_verified": true, "name": "Ada Example",
        ]
        if let tenant = dialect.tenant {
            claims["iss"] = .string("\(issuerURL)/\(tenant)/v2.0")
            (claims["tid"], claims["oid"], claims["xms_edov"]) = (.string(tenant), "object-7", true)
        }
        for (name, value) in changes { claims[name] = value.isNull ? .none : .some(value) }
        return claims
    }

    fileprivate static func token(
        _ scene: FixtureScene, _ dialect: Dialect, nonce: String?, changing changes: JSONObject = [:]
    ) -> ScriptedEndpoint {
        ScriptedEndpoint(.post, issuerURL + "/token", receives: [.clientSecret, .personToken]) { request in
            let grantType = request.formValue("grant_type")
            let token = grantType == "refresh_token" ? accessToken + "-renewed" : accessToken
            var changes = changes
            changes["nonce"] = grantType == "authorization_code" ? nonce.map(JSONValue.string) ?? .null : .null
            changes["at_hash"] = .string(accessTokenHash(token))
            let idToken = scene.idToken(claims(dialect, changes))
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

    /// `at_hash` (OpenID Connect Core §3.1.3.6).
    private static func accessTokenHash(_ token: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Data(token.utf8)).prefix(16)))
    }

    fileprivate static func native(
        _ scene: FixtureScene, _ dialect: Dialect, with accessToken: String? = nil, changing changes: JSONObject = [:]
    ) -> Credential {
        let digest = SHA256.hash(data: Data(nonce.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        var claims = claims(dialect, changes)
        claims["nonce"] = .string(digest)
        claims["at_hash"] = accessToken.map { .string(accessTokenHash($0)) }
        return Credential(.idToken(.init(token: scene.idToken(claims), rawNonce: nonce, accessToken: accessToken)))
    }
}

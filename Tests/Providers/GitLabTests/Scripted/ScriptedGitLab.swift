import GitLab
import ProviderKit
import ProviderKitTesting

/// GitLab as a script: its normal responses, with the identities that result.
enum ScriptedGitLab {
    static let url = "https://gitlab.com"
    static let clientID = "conformance"
    static let secret = ProviderFixture.marked("client-secret")
    static let nonce = ProviderFixture.marked("nonce")
    static let accessToken = ProviderFixture.marked("access")
    static let refreshToken = ProviderFixture.marked("refresh")

    static let fixture = ProviderFixture(
        .gitlab, id: "gitlab.com", options: ["clientId": .string(clientID), "clientSecret": .string(secret)],
        issuer: IssuerKeys()
    ) { scene in
        ProviderScript(
            endpoints: endpoints(scene), signIns: signIns(scene),
            unverified: [
                ScriptVariation("the API names no confirmation", signIn: 0, answering: [user(isConfirmed: false)]),
                ScriptVariation(
                    "the ID token says nothing about it", signIn: 2,
                    credential: native(scene.idToken(claims(outcome: nil)))),
                ScriptVariation(
                    "userinfo says no", signIn: 5, answering: [userinfo(isVerified: false)]),
            ],
            foreign: [
                ScriptVariation("GitLab does not know the token", signIn: 1, answering: [unknownToken]),
                ScriptVariation("the token is another application's", signIn: 1, answering: [info(of: "other")]),
                ScriptVariation(
                    "the token beside the ID token is another application's", signIn: 3,
                    answering: [info(of: "other")]),
            ],
            grant: UpstreamGrant(clientID: clientID, accessToken: accessToken, refreshToken: refreshToken),
            unknownGrant: [ScriptedEndpoint(.post, url + "/oauth/revoke", .json([:]))], checksCodeVerifier: true,
            reauthenticationParameters: ["prompt": "login"],
            deviceIdentity: mona)
    }
}

extension ScriptedGitLab {
    static let mona = ExternalIdentity(
        subject: "42", email: .init("mona@example.com", isVerified: true), displayName: "Mona Lisa",
        screenName: "mona", pictureURL: "https://gitlab.com/uploads/42.png")

    /// What an ID token alone tells.
    static let bareMona = ExternalIdentity(subject: "42", email: .init("mona@example.com", isVerified: true))

    static let narrowToken = ProviderFixture.marked("narrow")

    static func claims(outcome: JSONValue? = true) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(url), "sub": "42", "aud": .string(clientID), "nonce": .string(nonce),
            "email": "mona@example.com",
        ]
        claims["email_verified"] = outcome
        return claims
    }

    static func native(_ token: String, accessToken: String? = nil) -> Credential {
        Credential(.idToken(.init(token: token, rawNonce: nonce, accessToken: accessToken)))
    }

    static func signIns(_ scene: FixtureScene) -> [HonestSignIn] {
        let code = Credential.AuthorizationCode(
            code: ProviderFixture.marked("code"), redirectURI: "https://app.example/back",
            verifier: ProviderFixture.marked("verifier"), expectedNonce: nonce)
        return [
            HonestSignIn(Credential(.authorizationCode(code)), identity: mona, hasIDToken: true),
            HonestSignIn(Credential(.accessToken(accessToken)), identity: mona),
            HonestSignIn(native(scene.idToken(claims())), identity: bareMona),
            HonestSignIn(
                native(scene.idToken(claims()), accessToken: accessToken), title: "idToken with accessToken",
                identity: mona),
            HonestSignIn(
                native(scene.idToken(claims()), accessToken: narrowToken),
                title: "idToken with accessToken for OpenID Connect alone", identity: mona),
            HonestSignIn(
                Credential(.accessToken(narrowToken)), title: "accessToken for OpenID Connect alone", identity: mona),
        ]
    }

    static func endpoints(_ scene: FixtureScene) -> [ScriptedEndpoint] {
        let idToken = scene.idToken(claims())
        return [
            ScriptedEndpoint(.post, url + "/oauth/token", receives: [.clientSecret, .personToken]) { request in
                let isRefresh = request.formValue("grant_type") == "refresh_token"
                return .json([
                    "access_token": .string(isRefresh ? accessToken + "-renewed" : accessToken),
                    "token_type": "Bearer", "expires_in": 7200, "refresh_token": .string(refreshToken + "-renewed"),
                    "scope": "openid read_user", "created_at": 1_800_000_000, "id_token": .string(idToken),
                ])
            },
            ScriptedEndpoint(.get, url + "/oauth/discovery/keys", .json(scene.keySet)),
            ScriptedEndpoint(
                .post, url + "/oauth/authorize_device", receives: [.clientSecret],
                .json([
                    "device_code": .string(ProviderFixture.marked("device-code")), "user_code": "0A44L90H",
                    "verification_uri": "https://gitlab.com/oauth/device", "expires_in": 300, "interval": 5,
                ])),
            ScriptedEndpoint(
                .post, url + "/oauth/revoke", receives: [.clientSecret, .personToken], .json([:])),
            discovery, info(of: clientID), user(), userinfo(),
        ]
    }

    static let discovery = ScriptedEndpoint(
        .get, url + "/.well-known/openid-configuration", isDiscovery: true,
        .json([
            "issuer": .string(url), "authorization_endpoint": .string(url + "/oauth/authorize"),
            "token_endpoint": .string(url + "/oauth/token"), "jwks_uri": .string(url + "/oauth/discovery/keys"),
        ]))

    static func user(isConfirmed: Bool = true) -> ScriptedEndpoint {
        ScriptedEndpoint(
            .get, url + "/api/v4/user", receives: [.personToken],
            .json([
                "id": 42, "username": "mona", "name": "Mona Lisa", "state": "active", "locked": false,
                "avatar_url": "https://gitlab.com/uploads/42.png", "email": "mona@example.com",
                "public_email": "shown@example.com",
                "confirmed_at": isConfirmed ? "2024-01-01T00:00:00.000Z" : .null,
            ]))
    }

    static func userinfo(isVerified: Bool = true) -> ScriptedEndpoint {
        ScriptedEndpoint(
            .get, url + "/oauth/userinfo", receives: [.personToken],
            .json([
                "sub": "42", "name": "Mona Lisa", "preferred_username": "mona", "email": "mona@example.com",
                "email_verified": .bool(isVerified), "picture": "https://gitlab.com/uploads/42.png",
            ]))
    }

    static let unknownToken = ScriptedEndpoint(
        .get, url + "/oauth/token/info", .json(["error": "invalid_request"], status: 400))

    static func info(of clientID: String) -> ScriptedEndpoint {
        ScriptedEndpoint(.get, url + "/oauth/token/info", receives: [.personToken]) { request in
            let isNarrow = request.headers.contains { $0.value == "Bearer " + narrowToken }
            return .json([
                "resource_owner_id": 42, "scope": isNarrow ? ["openid", "email"] : ["openid", "read_user"],
                "expires_in": 6890, "application": ["uid": .string(clientID)], "created_at": 1_800_000_000,
            ])
        }
    }
}

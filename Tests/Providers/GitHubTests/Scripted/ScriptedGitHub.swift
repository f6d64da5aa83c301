import GitHub
import ProviderKit
import ProviderKitTesting

/// GitHub as a script: its normal responses, with the identities that result.
enum ScriptedGitHub {
    static let secret = ProviderFixture.marked("client-secret")
    static let code = ProviderFixture.marked("code")
    static let verifier = ProviderFixture.marked("verifier")
    static let deviceCode = ProviderFixture.marked("device-code")
    static let accessToken = ProviderFixture.marked("gho")
    static let refreshToken = ProviderFixture.marked("ghr")
    static let api = "https://api.github.com"

    static let fixture = ProviderFixture(
        .github, id: "github.com", options: ["clientId": "Iv1.conformance", "clientSecret": .string(secret)]
    ) { _ in
        ProviderScript(
            endpoints: [
                tokenEndpoint, deviceEndpoint, check(of: "Iv1.conformance"), grantEndpoint, tokenDeletion, user,
                emails(),
                // The configuration check probes the host.
                ScriptedEndpoint(.get, "https://github.com", .status(200)),
            ],
            signIns: [
                HonestSignIn(
                    Credential(
                        .authorizationCode(
                            .init(code: code, redirectURI: "https://app.example/back", verifier: verifier))),
                    identity: mona),
                HonestSignIn(Credential(.accessToken(accessToken)), identity: mona),
            ],
            unverified: [
                ScriptVariation("GitHub has not verified it", signIn: 0, answering: [emails(areVerified: false)]),
                ScriptVariation(
                    "only the public profile names it", signIn: 1,
                    answering: [ScriptedEndpoint(.get, api + "/user/emails", .status(404))]),
            ],
            foreign: [
                ScriptVariation(
                    "GitHub does not know the token as ours", signIn: 1,
                    answering: [
                        ScriptedEndpoint(.post, api + "/applications/Iv1.conformance/token", .status(404))
                    ]),
                ScriptVariation(
                    "the token is another application's", signIn: 1, answering: [check(of: "Iv1.other")]),
            ],
            grant: UpstreamGrant(
                clientID: "Iv1.conformance", accessToken: accessToken, refreshToken: refreshToken),
            unknownGrant: ["grant", "token"].map {
                ScriptedEndpoint(.delete, api + "/applications/Iv1.conformance/" + $0, .status(404))
            },
            checksCodeVerifier: true, reauthenticationParameters: ["prompt": "select_account"],
            deviceIdentity: mona, devicePollStatus: 200)
    }
}

extension ScriptedGitHub {
    static let mona = ExternalIdentity(
        subject: "583231", email: .init("mona@example.com", isVerified: true), displayName: "Mona Lisa",
        screenName: "mona", pictureURL: "https://avatars.example/1")

    static let tokenEndpoint = ScriptedEndpoint(
        .post, "https://github.com/login/oauth/access_token", receives: [.clientSecret, .personToken]
    ) { request in
        let isRefresh = request.formValue("grant_type") == "refresh_token"
        return .json([
            "access_token": .string(isRefresh ? accessToken + "-renewed" : accessToken), "expires_in": 28_800,
            "refresh_token": .string(refreshToken + "-renewed"), "scope": "read:user,user:email",
            "token_type": "bearer",
        ])
    }

    static let deviceEndpoint = ScriptedEndpoint(
        .post, "https://github.com/login/device/code",
        .json([
            "device_code": .string(deviceCode), "user_code": "WDJB-MJHT",
            "verification_uri": "https://github.com/login/device", "expires_in": 900, "interval": 5,
        ]))

    static let grantEndpoint = deletion(of: "grant")
    static let tokenDeletion = deletion(of: "token")

    private static func deletion(of what: String) -> ScriptedEndpoint {
        ScriptedEndpoint(
            .delete, api + "/applications/Iv1.conformance/" + what, receives: [.clientSecret, .personToken],
            .status(204))
    }

    static let user = ScriptedEndpoint(
        .get, api + "/user", receives: [.personToken],
        .json([
            "id": 583_231, "login": "mona", "name": "Mona Lisa", "email": "public@example.com",
            "avatar_url": "https://avatars.example/1",
        ]))

    static func emails(areVerified: Bool = true) -> ScriptedEndpoint {
        ScriptedEndpoint(
            .get, api + "/user/emails", receives: [.personToken],
            .json([
                ["email": "old@example.com", "primary": false, "verified": true],
                ["email": "mona@example.com", "primary": true, "verified": .bool(areVerified)],
            ]))
    }

    static func check(of clientID: String) -> ScriptedEndpoint {
        ScriptedEndpoint(
            .post, api + "/applications/Iv1.conformance/token", receives: [.clientSecret, .personToken],
            .json([
                "app": ["client_id": .string(clientID)], "user": ["id": 583_231, "login": "mona"],
                "scopes": ["user:email"],
            ]))
    }
}

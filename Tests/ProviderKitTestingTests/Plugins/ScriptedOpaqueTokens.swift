import ProviderKit
import ProviderKitTesting

/// The provider with opaque tokens as a script.
enum ScriptedOpaqueTokens {
    static let url = "https://id.opaque.example"
    static let client = "opaque-client"
    static let secret = ProviderFixture.marked("client-secret")
    static let code = ProviderFixture.marked("code")
    static let accessToken = ProviderFixture.marked("access-token")
    static let refreshToken = ProviderFixture.marked("refresh-token")

    static let fixture = ProviderFixture(
        .opaque, id: "opaque.example",
        options: ["clientId": .string(client), "clientSecret": .string(secret), "url": .string(url)]
    ) { _ in
        ProviderScript(
            endpoints: [
                token, introspection(), profile(),
                ScriptedEndpoint(.post, url + "/revoke", receives: [.clientSecret, .personToken], .status(200)),
            ],
            signIns: [
                HonestSignIn(
                    Credential(
                        .authorizationCode(
                            .init(
                                code: code, redirectURI: "https://app.example/back",
                                verifier: ProviderFixture.marked("verifier")))), identity: ada),
                HonestSignIn(Credential(.accessToken(accessToken)), identity: ada),
            ],
            unverified: [
                ScriptVariation("the profile says no", signIn: 0, answering: [profile(["mail_verified": false])]),
                ScriptVariation("the profile says nothing", signIn: 1, answering: [profile(["mail_verified": nil])]),
            ],
            foreign: [
                ScriptVariation(
                    "the token is another client's", signIn: 1, answering: [introspection(["client_id": "another"])]),
                ScriptVariation("the token is invalid", signIn: 1, answering: [introspection(["active": false])]),
                ScriptVariation(
                    "the token has expired", signIn: 1, answering: [introspection(["exp": 1_799_999_999])]),
                ScriptVariation(
                    "the token is a refresh token", signIn: 1, answering: [introspection(["token_type": "refresh"])]),
                ScriptVariation(
                    "the code was another client's", signIn: 0, answering: [introspection(["client_id": "another"])]),
                ScriptVariation("the account is suspended", signIn: 0, answering: [profile(["suspended": true])]),
            ],
            grant: UpstreamGrant(clientID: client, accessToken: accessToken, refreshToken: refreshToken),
            unknownGrant: [ScriptedEndpoint(.post, url + "/revoke", .status(200))])
    }

    private static let ada = ExternalIdentity(
        subject: "u-9f3ac7", email: .init("ada@opaque.example", isVerified: true), displayName: "Ada")

    private static let token = ScriptedEndpoint(
        .post, url + "/token", receives: [.clientSecret, .personToken]
    ) { request in
        let isRefresh = request.formValue("grant_type") == "refresh_token"
        return .json([
            "access_token": .string(accessToken + (isRefresh ? "-renewed" : "")), "token_type": "Bearer",
            "refresh_token": .string(refreshToken + "-renewed"), "expires_in": 3600, "scope": "profile email",
        ])
    }

    private static func introspection(_ changes: JSONObject = [:]) -> ScriptedEndpoint {
        endpoint(
            .post, "/introspect", receives: [.clientSecret, .personToken],
            [
                "active": true, "client_id": .string(client), "sub": "u-9f3ac7", "token_type": "Bearer",
                "scope": "profile email", "exp": 1_800_003_600,
            ], changes)
    }

    private static func profile(_ changes: JSONObject = [:]) -> ScriptedEndpoint {
        endpoint(
            .get, "/profile", receives: [.personToken],
            [
                "id": "u-9f3ac7", "name": "Ada", "mail": "ada@opaque.example", "mail_verified": true,
                "suspended": false,
            ], changes)
    }

    private static func endpoint(
        _ method: UpstreamRequest.Method, _ path: String, receives: Set<ScriptedEndpoint.Confidence>,
        _ members: JSONObject, _ changes: JSONObject
    ) -> ScriptedEndpoint {
        var answer = members
        for (name, value) in changes { answer[name] = value.isNull ? .none : .some(value) }
        return ScriptedEndpoint(method, url + path, receives: receives, .json(.object(answer)))
    }
}

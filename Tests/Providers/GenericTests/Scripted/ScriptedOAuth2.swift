import Generic
import ProviderKit
import ProviderKitTesting

/// An OAuth 2 server as a script: its normal responses, with the identities that result.
enum ScriptedOAuth2 {
    static let secret = ProviderFixture.marked("client-secret")
    static let code = ProviderFixture.marked("code")
    static let accessToken = ProviderFixture.marked("access-token")
    static let refreshToken = ProviderFixture.marked("refresh-token")
    static let server = "https://id.example"

    static let fixture = ProviderFixture(
        .oauth2, id: "oauth2.example",
        options: [
            "authorizationUrl": .string(server + "/authorize"), "tokenUrl": .string(server + "/token"),
            "userinfoUrl": .string(server + "/me"), "revocationUrl": .string(server + "/revoke"),
            "clientId": "app", "clientSecret": .string(secret), "scopes": ["profile"],
            "claims": [
                "subject": "/response/id", "email": "/response/mail", "emailVerified": "/response/confirmed",
                "displayName": "/response/name",
            ],
        ]
    ) { _ in
        ProviderScript(
            endpoints: [token, me(), revocation(.status(200))],
            signIns: [
                HonestSignIn(
                    Credential(
                        .authorizationCode(
                            .init(
                                code: code, redirectURI: "https://app.example/back",
                                verifier: ProviderFixture.marked("verifier")))),
                    identity: ExternalIdentity(
                        subject: "4711", email: .init("ada@example.com", isVerified: true),
                        displayName: "Ada Example"))
            ],
            unverified: [
                ScriptVariation("the server says so", signIn: 0, answering: [me(["confirmed": false])]),
                ScriptVariation("the server says nothing", signIn: 0, answering: [me(["confirmed": nil])]),
                ScriptVariation("the server says something else", signIn: 0, answering: [me(["confirmed": 1])]),
            ],
            grant: UpstreamGrant(clientID: "app", accessToken: accessToken, refreshToken: refreshToken),
            unknownGrant: [revocation(.json(["error": "invalid_token"], status: 400))], checksCodeVerifier: true)
    }
}

extension ScriptedOAuth2 {
    static let token = ScriptedEndpoint(
        .post, server + "/token", receives: [.clientSecret, .personToken]
    ) { request in
        let isRefresh = request.formValue("grant_type") == "refresh_token"
        return .json([
            "access_token": .string(isRefresh ? accessToken + "-renewed" : accessToken), "token_type": "bearer",
            "expires_in": "3600", "refresh_token": .string(refreshToken + "-renewed"), "scope": "profile",
        ])
    }

    static func me(_ changes: JSONObject = [:]) -> ScriptedEndpoint {
        var person: JSONObject = ["id": 4711, "mail": "ada@example.com", "confirmed": true, "name": "Ada Example"]
        for (name, value) in changes { person[name] = value.isNull ? .none : .some(value) }
        return ScriptedEndpoint(
            .get, server + "/me", receives: [.personToken], .json(["response": .object(person)]))
    }

    static func revocation(_ answer: UpstreamResponse) -> ScriptedEndpoint {
        ScriptedEndpoint(.post, server + "/revoke", receives: [.clientSecret, .personToken], answer)
    }
}

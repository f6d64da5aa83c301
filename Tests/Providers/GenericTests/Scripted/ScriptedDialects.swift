import Crypto
import Generic
import ProviderKit
import ProviderKitTesting

/// OAuth 2 servers in dialect, each as a script: its normal responses, with the identities that result.
enum ScriptedDialects {
    static let all = [inTheQuery, inJSON, inTheTokenResponse, withAList]

    static let secret = ProviderFixture.marked("client-secret")
    static let code = ProviderFixture.marked("code")
    static let accessToken = ProviderFixture.marked("access-token")
    static let refreshToken = ProviderFixture.marked("refresh-token")
    static let server = "https://id.example"

    static let credential = Credential(
        .authorizationCode(
            .init(
                code: code, redirectURI: "https://app.example/back", verifier: ProviderFixture.marked("verifier"),
                callback: ["realm": "r-1"])))

    /// The options of every entry, with others.
    static func options(_ others: JSONObject) -> JSONObject {
        var options: JSONObject = [
            "authorizationUrl": .string(server + "/authorize"), "tokenUrl": .string(server + "/token"),
            "userinfoUrl": .string(server + "/me"), "clientId": "app", "clientSecret": .string(secret),
            "tokenEndpointAuthMethod": "client_secret_post", "scopes": ["profile"],
        ]
        for (name, value) in others { options[name] = value.isNull ? .none : .some(value) }
        return options
    }

    static let grant = UpstreamGrant(clientID: "app", accessToken: accessToken, refreshToken: refreshToken)

    static func tokens(of request: UpstreamRequest) -> JSONObject {
        let kind = request.formValue("grant_type") ?? request.queryValue("grant_type") ?? request.member("grant_type")
        let isRefresh = kind == "refresh_token"
        return [
            "access_token": .string(isRefresh ? accessToken + "-renewed" : accessToken), "token_type": "bearer",
            "expires_in": 3600, "refresh_token": .string(refreshToken + "-renewed"), "scope": "profile",
        ]
    }
}

extension ScriptedDialects {
    /// A server that takes everything in the query, under names of its own, and whose profile has values of the answers in its URL.
    static let inTheQuery = ProviderFixture(
        .oauth2, id: "oauth2.query",
        options: options([
            "userinfoUrl": .string(server + "/me?openid={/openid}&realm={callback/realm}"),
            "authorizationRequest": ["clientIdName": "appid", "fragment": "go"],
            "tokenRequest": [
                "method": "GET", "clientIdName": "appid", "clientSecretName": "secret", "parameters": ["fmt": "json"],
            ],
            "userinfoToken": ["in": "query", "name": "token"],
            "claims": [
                "subject": "/unionid", "email": "/mail",
                "emailVerified": ["pointer": "/mail_state", "equals": 1],
            ],
        ]),
        exemptions: [
            "redirect-carries-our-values": "the server has another name for client_id, and a fragment",
            "redirect-names-the-apps-client": "the server has another name for client_id, and a fragment",
        ]
    ) { _ in
        ProviderScript(
            endpoints: [
                ScriptedEndpoint(.get, server + "/token", receives: [.clientSecret, .personToken]) { request in
                    var answer = tokens(of: request)
                    answer["openid"] = "o/1"
                    return .json(.object(answer))
                },
                profile(1),
            ],
            signIns: [
                HonestSignIn(
                    credential,
                    identity: ExternalIdentity(
                        subject: "u-4711", email: .init("ada@example.com", isVerified: true)))
            ],
            unverified: [
                ScriptVariation("the state is another number", signIn: 0, answering: [profile(2)]),
                ScriptVariation("there is no state", signIn: 0, answering: [profile(.null)]),
            ], grant: grant, checksCodeVerifier: true)
    }

    private static func profile(_ state: JSONValue) -> ScriptedEndpoint {
        ScriptedEndpoint(
            .get, server + "/me", receives: [.personToken],
            .json(["unionid": "u-4711", "mail": "ada@example.com", "mail_state": state]))
    }

    /// A server that speaks JSON: a token request and response of another shape, and a GraphQL profile of one team.
    static let inJSON = ProviderFixture(
        .oauth2, id: "oauth2.json",
        options: options([
            "tokenRequest": ["format": "json", "clientIdName": "client_key", "clientSecretName": "client_token"],
            "tokenResponse": [
                "accessToken": "/data/token/access_token", "refreshToken": "/data/refresh",
                "expiresIn": "/data/lifetime",
                "scope": "/data/scopes", "tokenTypes": ["user"],
            ],
            "userinfoToken": ["in": "header", "name": "X-Access-Token"],
            "userinfoRequest": ["method": "POST", "body": ["query": "{ me { id name } }"]],
            "requiredClaims": ["/data/ok": true, "/data/team/id": "T1"],
            "claims": ["subject": "/data/me/id", "displayName": "/data/me/name"],
        ])
    ) { _ in
        ProviderScript(
            endpoints: [
                ScriptedEndpoint(.post, server + "/token", receives: [.clientSecret, .personToken]) { request in
                    let tokens = tokens(of: request)
                    return .json([
                        "data": [
                            "token": ["access_token": tokens["access_token"] ?? .null, "token_type": "user"],
                            "refresh": tokens["refresh_token"] ?? .null, "lifetime": 3600, "scopes": ["profile"],
                        ]
                    ])
                },
                graph(),
            ],
            signIns: [
                HonestSignIn(credential, identity: ExternalIdentity(subject: "4711", displayName: "Ada Example"))
            ],
            foreign: [
                ScriptVariation("the user is of another team", signIn: 0, answering: [graph(team: "T2")]),
                ScriptVariation("the server says no", signIn: 0, answering: [graph(isGood: false)]),
            ], grant: grant, checksCodeVerifier: true)
    }

    private static func graph(isGood: Bool = true, team: String = "T1") -> ScriptedEndpoint {
        ScriptedEndpoint(
            .post, server + "/me", receives: [.personToken],
            .json([
                "data": [
                    "ok": .bool(isGood), "team": ["id": .string(team)], "me": ["id": 4711, "name": "Ada Example"],
                ]
            ]))
    }

    /// A server that says in its token response who the user is, by two ids.
    static let inTheTokenResponse = ProviderFixture(
        .oauth2, id: "oauth2.token",
        options: options([
            "userinfoUrl": .null,
            "claims": [
                "subject": ["join": ["/team/id", "/user/id"]], "givenName": "/user/first",
                "screenName": ["in": "token", "pointer": "/user/nick"],
            ],
        ]),
        exemptions: [
            "tells-users-apart": "the subject is made of two values: OAuth2SubjectTests",
            "withstands-other-types": "the subject is made of two values: OAuth2SubjectTests",
        ]
    ) { _ in
        ProviderScript(
            endpoints: [
                ScriptedEndpoint(.post, server + "/token", receives: [.clientSecret, .personToken]) { request in
                    var answer = tokens(of: request)
                    answer["team"] = ["id": "T1", "token": .string(accessToken)]
                    answer["user"] = ["id": 4711, "first": "Ada", "nick": "ada"]
                    return .json(.object(answer))
                }
            ],
            signIns: [
                HonestSignIn(
                    credential, identity: ExternalIdentity(subject: "T1:4711", givenName: "Ada", screenName: "ada"))
            ], grant: grant, checksCodeVerifier: true)
    }

    /// A server whose profile is at the user's own host, whose addresses are a list of two pages, and at which the client
    /// authenticates by a private key.
    static let withAList = ProviderFixture(
        .oauth2, id: "oauth2.list",
        options: options([
            "userinfoUrl": "{/instance}/me", "userinfoHosts": ["eu.example", "us.example"],
            "clientSecret": nil, "tokenEndpointAuthMethod": nil,
            "privateKey": ["pem": .string(P256.Signing.PrivateKey().pemRepresentation), "keyId": "k1"],
            "subjectNamespace": "shared",
            "userinfoToken": ["scheme": "OAuth"], "claims": ["subject": "/uuid"],
            "emails": [
                "url": .string(server + "/emails"), "list": "/values", "nextPage": "/next", "primary": "/is_primary",
                "verified": "/is_confirmed",
            ],
        ])
    ) { _ in
        ProviderScript(
            endpoints: [
                ScriptedEndpoint(.post, server + "/token", receives: [.clientSecret, .personToken]) { request in
                    var answer = tokens(of: request)
                    answer["instance"] = "https://us.example"
                    return .json(.object(answer))
                },
                ScriptedEndpoint(
                    .get, "https://us.example/me", receives: [.personToken], .json(["uuid": "{4711-a}"])),
                ScriptedEndpoint(
                    .get, server + "/emails", receives: [.personToken],
                    .json([
                        "values": [["email": "old@example.com", "is_primary": false, "is_confirmed": true]],
                        "next": .string(server + "/emails/2"),
                    ])), addresses(isConfirmed: true),
                // Any text in the place of the next page is a relative URL.
                ScriptedEndpoint(.get, server + "/emails/a-string", receives: [.personToken], .status(404)),
            ],
            signIns: [
                HonestSignIn(
                    credential,
                    identity: ExternalIdentity(subject: "{4711-a}", email: .init("ada@example.com", isVerified: true)))
            ],
            unverified: [
                ScriptVariation("it is not confirmed", signIn: 0, answering: [addresses(isConfirmed: false)]),
                ScriptVariation("nothing confirms it", signIn: 0, answering: [addresses(isConfirmed: .null)]),
            ], grant: grant, checksCodeVerifier: true)
    }

    private static func addresses(isConfirmed: JSONValue) -> ScriptedEndpoint {
        ScriptedEndpoint(
            .get, server + "/emails/2", receives: [.personToken],
            .json([
                "values": [["email": "ada@example.com", "is_primary": true, "is_confirmed": isConfirmed]],
                "next": .null,
            ]))
    }
}

extension UpstreamRequest {
    /// The text of a member of the JSON body.
    func member(_ name: String) -> String? { body.flatMap { try? JSONValue(parsing: $0) }?[name]?.string }
}

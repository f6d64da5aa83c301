import Broker
import BrokerStore
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("methods of Identity Toolkit that are not offered")
struct UnofferedRouteTests {
    private static let refused: [(HTTPMethod, String)] = [
        (.POST, "/v1/projects/test-project/accounts:sendOobCode"),
        (.POST, "/v2/projects/test-project/inboundSamlConfigs?inboundSamlConfigId=saml.a"),
        (.GET, "/v2/projects/test-project/inboundSamlConfigs/saml.a"),
        (.PATCH, "/v2/projects/test-project/inboundSamlConfigs/saml.a"),
        (.DELETE, "/v2/projects/test-project/inboundSamlConfigs/saml.a"),
        (.POST, "/v2/projects/test-project/tenants"), (.GET, "/v2/projects/test-project/tenants/t"),
        (.PATCH, "/v2/projects/test-project/tenants/t"), (.DELETE, "/v2/projects/test-project/tenants/t"),
        (.POST, "/v2/projects/test-project/tenants/t:getIamPolicy"),
        (.GET, "/v2/projects/test-project/tenants/t/oauthIdpConfigs"),
        (.POST, "/v2/projects/test-project/tenants/t/inboundSamlConfigs"),
        (.PATCH, "/v2/projects/test-project/tenants/t/oauthIdpConfigs/oidc.a"),
        (.POST, "/v1/projects/test-project/tenants/t/accounts"),
        (.POST, "/v1/projects/test-project/tenants/t/accounts:lookup"),
        (.GET, "/v1/projects/test-project/tenants/t/accounts:batchGet"),
        (.POST, "/v1/projects/test-project/tenants/t:createSessionCookie"),
        (.POST, "/v2/projects/test-project/identityPlatform:initializeAuth"),
    ]

    @Test func `those that name a project are refused with a code and a sentence, and need a credential`() async throws
    {
        try await TestBroker.run { broker in
            let backend = try await TestBackend(broker)
            let stranger = try await TestBackend(broker, scopes: [.readAudit])
            for (method, path) in Self.refused {
                for host in ["", "/identitytoolkit.googleapis.com"] {
                    let body: JSONValue? = [.POST, .PATCH].contains(method) ? [:] : nil
                    let answer = try await backend.send(method, host + path, body)
                    let withoutScope = try await stranger.send(method, host + path, body)
                    let anonymous = try await broker.send(method, host + path)
                    let foreign = try await backend.send(
                        method, host + path.replacing("test-project", with: "other"), body)

                    #expect(answer.status == 400, "\(method) \(path) \(answer.text)")
                    #expect(
                        answer.message?.wholeMatch(of: /OPERATION_NOT_ALLOWED : [A-Z].*\./) != nil,
                        "\(method) \(path) \(answer.text)")
                    #expect(withoutScope.status == 403, "\(method) \(path) \(withoutScope.text)")
                    #expect(anonymous.status == 403, "\(method) \(path) \(anonymous.text)")
                    #expect(foreign.code == "INSUFFICIENT_PERMISSION", "\(method) \(path) \(foreign.text)")
                }
            }
        }
    }

    @Test func `their lists are empty`() async throws {
        try await TestBroker.run { broker in
            let backend = try await TestBackend(broker, scopes: [.readConfiguration])
            for name in ["inboundSamlConfigs", "tenants"] {
                let answer = try await backend.send(.GET, "/v2/projects/test-project/\(name)?pageSize=100")
                #expect(
                    answer.status == 200 && answer.body == .object([name: []]), "\(answer.text)")
            }
        }
    }

    @Test func `apps are told that no method enforces reCAPTCHA, and of no policy of passwords`() async throws {
        try await TestBroker.run { broker in
            let path = "?clientType=CLIENT_TYPE_WEB&version=RECAPTCHA_ENTERPRISE&key=\(broker.apiKey)"
            let recaptcha = try await broker.get("/v2/recaptchaConfig" + path)
            let prefixed = try await broker.get("/identitytoolkit.googleapis.com/v2/recaptchaConfig" + path)
            let unknown = try await broker.get("/v2/recaptchaConfig?key=other")
            let policy = try await broker.get("/v2/passwordPolicy?key=\(broker.apiKey)")

            #expect(
                recaptcha.body == [
                    "recaptchaKey": "projects/test-project/keys/none", "recaptchaEnforcementState": [],
                ], "\(recaptcha.text)")
            #expect(prefixed.body == recaptcha.body && unknown.status == 400)
            #expect(policy.status == 400 && policy.code == "OPERATION_NOT_ALLOWED", "\(policy.text)")
        }
    }

    @Test func `a code that has no detail at Google has none here`() async throws {
        try await TestBroker.run { broker in
            let backend = try await TestBackend(broker)
            let accounts = "/v1/projects/test-project/accounts"
            let users = (0...1000).map { JSONValue.object(["localId": .string("user-\($0)")]) }
            let idToken = try await broker.signUp().string("idToken")
            let credential = broker.simulator.accessToken(
                for: try broker.person("ada"), application: broker.simulator.defaultApplication)
            let answers = [
                try await backend.send(.POST, accounts + ":batchDelete", ["localIds": []]),
                try await backend.send(
                    .POST, "/v1/projects/test-project:createSessionCookie",
                    ["idToken": .string(idToken), "validDuration": "299"]),
                try await backend.send(.POST, accounts + ":batchCreate", ["users": .array(users)]),
                try await backend.send(.GET, accounts + ":batchGet?nextPageToken=!"),
                try await broker.post("/v1/accounts:signInWithPassword", [:]),
                try await broker.signIn(
                    postBody: [("access_token", credential), ("providerId", "github.com")],
                    extra: ["autoCreate": false]),
            ]

            #expect(
                answers.map(\.message) == [
                    "LOCAL_ID_LIST_EXCEEDS_LIMIT", "INVALID_DURATION", "MAXIMUM_USER_COUNT_EXCEEDED",
                    "INVALID_PAGE_SELECTION", "PASSWORD_LOGIN_DISABLED", "EMAIL_NOT_FOUND",
                ])
        }
    }

    @Test func `a missing scope is named after a code, which firebase-admin finds before the first colon`() async throws
    {
        try await TestBroker.run { broker in
            let reader = try await TestBackend(broker, scopes: [.readUsers])

            let refused = try await reader.send(.POST, "/v1/projects/test-project/accounts", [:])
            let atApps = try await reader.send(.POST, "/v1/accounts:signInWithIdp", [:])

            for answer in [refused, atApps] {
                #expect(answer.status == 403 && answer["error"]?["status"] == "PERMISSION_DENIED")
                let code = answer.message?.prefix { $0 != ":" } ?? ""
                #expect(code == "INSUFFICIENT_PERMISSION ", "\(answer.text)")
            }
            #expect(refused.message?.hasSuffix("The credential needs the scope users:write.") == true)
        }
    }

    @Test func `an import names what it drops of each user, by index`() async throws {
        try await TestBroker.run { broker in
            let backend = try await TestBackend(broker)
            let answer = try await backend.send(
                .POST, "/v1/projects/test-project/accounts:batchCreate",
                [
                    "users": [
                        ["localId": "whole", "email": "w@example.com"],
                        ["localId": "a", "passwordHash": "c2VjcmV0", "salt": "c2FsdA==", "phoneNumber": "+4930"],
                        ["localId": "b", "customAttributes": "[]", "passwordHash": "c2VjcmV0"],
                        [
                            "localId": "c", "mfaInfo": [["phoneInfo": "+4930"]],
                            "providerUserInfo": [
                                ["providerId": "phone", "rawId": "+4930"],
                                ["providerId": "github.com", "rawId": "900", "phoneNumber": "+4930"],
                            ],
                        ],
                    ]
                ])
            let clean = try await backend.send(
                .POST, "/v1/projects/test-project/accounts:batchCreate", ["users": [["localId": "d"]]])

            #expect(answer["error"]?.array?.map { $0["index"] } == [2], "\(answer.text)")
            let dropped = answer["broker"]?["dropped"]?.array ?? []
            #expect(dropped.map { $0["index"] } == [1, 3], "\(answer.text)")
            let fields = dropped.map { Set(($0["fields"]?.array ?? []).compactMap(\.string)) }
            #expect(
                fields == [
                    ["passwordHash", "salt", "phoneNumber"],
                    ["mfaInfo", "providerUserInfo.phone", "providerUserInfo.phoneNumber"],
                ])
            #expect(clean.body.object?.names == ["kind", "error"], "\(clean.text)")
        }
    }
}

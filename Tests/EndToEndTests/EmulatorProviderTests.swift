import Foundation
import NIOHTTP1
import ProviderKit
import Testing

@Suite("The emulator's providers", .timeLimit(.minutes(20)))
struct EmulatorProviderTests {
    private static func claims(_ subject: String) -> String { #"{"sub":"\#(subject)"}"# }

    @Test func `twelve first sign-ins at once with twelve new providers all succeed`() async throws {
        try await EmulatorApp.run { emulator in
            // TESTS_ROUNDS=100 for a long run.
            let rounds = ProcessInfo.processInfo.environment["TESTS_ROUNDS"].flatMap(Int.init) ?? 5
            for round in 0..<rounds {
                let answers = try await withThrowingTaskGroup(
                    of: IdentityToolkitApp.Answer.self, returning: [IdentityToolkitApp.Answer].self
                ) { group in
                    for number in 0..<12 {
                        group.addTask {
                            try await emulator.client.signIn(
                                [("id_token", Self.claims("7"))], provider: "oidc.round-\(round)-\(number)")
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(answers.count { $0.status == 200 } == 12, "round \(round): \(answers.map(\.text))")
            }
        }
    }

    @Test func `an import and a link name a provider that no sign-in has named`() async throws {
        try await EmulatorApp.run { emulator in
            let imported = try await emulator.administer(
                "POST", "/v1/projects/demo-app/accounts:batchCreate",
                [
                    "users": [
                        [
                            "localId": "ada",
                            "providerUserInfo": [["providerId": "oidc.gitlab", "rawId": "7"]],
                        ]
                    ]
                ])
            let linked = try await emulator.administer(
                "POST", "/v1/projects/demo-app/accounts:update",
                ["localId": "ada", "linkProviderUserInfo": ["providerId": "oidc.keycloak", "rawId": "8"]])
            let found = try await emulator.administer(
                "POST", "/v1/projects/demo-app/accounts:lookup",
                ["federatedUserId": [["providerId": "oidc.keycloak", "rawId": "8"]]])
            let signedIn = try await emulator.client.signIn([("id_token", Self.claims("7"))], provider: "oidc.gitlab")

            #expect(imported.status == 200 && imported.body["error"] == [], "\(imported)")
            #expect(linked.status == 200, "\(linked)")
            #expect(found.body["users"]?.array?.first?["localId"] == "ada", "\(found)")
            #expect(signedIn.body["localId"] == "ada", "\(signedIn)")
        }
    }

    @Test func `the answer has the tokens that were sent, and an access token in any case`() async throws {
        try await EmulatorApp.run { emulator in
            let sent = #"{"sub": "7", "name": "Ada Ü"}"#
            let both = try await emulator.client.signIn(
                [("id_token", sent), ("access_token", "opaque")], provider: "google.com")
            let idToken = try await emulator.client.signIn([("id_token", sent)], provider: "google.com")
            let accessToken = try await emulator.client.signIn([("access_token", sent)], provider: "github.com")

            #expect(both.body["oauthIdToken"]?.string == sent && both.body["oauthAccessToken"] == "opaque", "\(both)")
            #expect(idToken.body["oauthIdToken"]?.string == sent)
            #expect(idToken.body["oauthAccessToken"] == "FirebaseAuthEmulatorFakeAccessToken_google.com")
            #expect(accessToken.body["oauthAccessToken"]?.string == sent && accessToken.body["oauthIdToken"] == nil)
        }
    }

    @Test func `provider configurations are neither listed nor created, and show no plugin`() async throws {
        try await EmulatorApp.run { emulator in
            _ = try await emulator.client.signIn([("id_token", Self.claims("7"))], provider: "oidc.acme")
            for collection in ["oauthIdpConfigs", "defaultSupportedIdpConfigs"] {
                let path = "/v2/projects/demo-app/\(collection)"
                let listed = try await emulator.administer("GET", path)
                let read = try await emulator.administer("GET", path + "/oidc.acme")
                let created = try await emulator.administer(
                    "POST", path + "?oauthIdpConfigId=oidc.new&idpId=github.com",
                    ["clientId": "c", "issuer": "https://id.example"])
                let changed = try await emulator.administer("PATCH", path + "/oidc.acme", ["enabled": false])
                let unauthorized = try await emulator.client.send("GET", path + "/oidc.acme")

                #expect(listed.status == 200 && listed.body == .object([collection: []]), "\(listed)")
                #expect(read.status == 400 && read.errorCode == "CONFIGURATION_NOT_FOUND", "\(read)")
                for refused in [created, changed] {
                    #expect(refused.status == 400 && refused.errorCode == "OPERATION_NOT_ALLOWED", "\(refused)")
                }
                #expect(unauthorized.status == 401 || unauthorized.status == 403, "\(unauthorized)")
                for answer in [listed, read, created, changed] {
                    #expect(!answer.text.contains("emulated") && !answer.text.contains("plugin"), "\(answer)")
                }
            }
        }
    }

    @Test func `several accounts with one address are refused with one code`() async throws {
        try await EmulatorApp.run { emulator in
            let path = "/emulator/v1/projects/demo-app/config"
            let refused = try await emulator.root.send(
                "PATCH", path, headers: [("Content-Type", "application/json")],
                body: #"{"signIn":{"allowDuplicateEmails":true}}"#)
            let accepted = try await emulator.root.send(
                "PATCH", path, headers: [("Content-Type", "application/json")],
                body:
                    #"{"signIn":{"allowDuplicateEmails":false},"emailPrivacyConfig":{"enableImprovedEmailPrivacy":true}}"#
            )

            let message = try #require(refused.body["error"]?["message"]?.string)
            #expect(refused.status == 400 && message.hasPrefix("OPERATION_NOT_ALLOWED : "), "\(refused)")
            #expect(message.components(separatedBy: " : ").count == 2, "\(message)")
            #expect(
                accepted.body == [
                    "signIn": ["allowDuplicateEmails": false],
                    "emailPrivacyConfig": ["enableImprovedEmailPrivacy": true],
                ], "\(accepted)")
        }
    }

    @Test(arguments: ["https://evil.example", "null", "http://localhost.evil.example", "file://"])
    func `a page of another origin neither reads nor removes users`(origin: String) async throws {
        try await EmulatorApp.run { emulator in
            let token = try #require(try await emulator.signIn(customToken: #"{"uid":"ada"}"#)["idToken"]?.string)
            let accounts = "/emulator/v1/projects/demo-app/accounts"
            for (method, path) in [
                ("GET", "/"), ("DELETE", accounts), ("OPTIONS", accounts), ("POST", "/v1/accounts:lookup"),
            ] {
                let answer = try await emulator.root.send(method, path, headers: [("Origin", origin)])
                #expect(answer.status == 403 && answer.text.contains("--origin"), "\(method): \(answer)")
                #expect(answer.headers.first(name: "Access-Control-Allow-Origin") == nil, "\(method): \(answer)")
            }
            #expect(try await emulator.lookup(token).status == 200)
        }
    }

    @Test func `pages of this machine and of an allowed origin are answered`() async throws {
        try await EmulatorApp.run("--origin", "https://app.example", "--origin", "capacitor://localhost") { emulator in
            for origin in [
                "https://app.example", "capacitor://localhost", "http://localhost:3000", "http://127.0.0.1:5173",
                "https://localhost", "http://[::1]:8080",
            ] {
                let answer = try await emulator.root.send(
                    "OPTIONS", "/v1/accounts:signUp",
                    headers: [("Origin", origin), ("Access-Control-Request-Headers", "content-type")])
                #expect(answer.status == 204, "\(origin): \(answer)")
                #expect(answer.headers.first(name: "Access-Control-Allow-Origin") == origin)
            }
            let other = try await emulator.root.send("GET", "/", headers: [("Origin", "https://app.example:8443")])
            #expect(other.status == 403)
        }
    }
}

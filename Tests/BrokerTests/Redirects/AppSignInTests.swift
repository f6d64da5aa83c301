import Broker
import BrokerStore
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("signing in through the browser for an app of Identity Toolkit")
struct AppSignInTests {
    @Test(arguments: TestProviders.ids)
    func `a user who consents is signed in, once`(provider: String) async throws {
        try await TestProviders.run { broker, providers in
            providers.allow(AppSignIn.page)
            let email = "ann-\(RandomText.alphanumeric(8).lowercased())@example.com"
            let person = try providers.person(at: provider, email: email)
            let signIn = try await AppSignIn.begin(broker, provider, as: email, extra: ["context": "cart 7"])

            let answer = try await signIn.finish()
            let again = try await signIn.finish()

            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer["providerId"]?.string == provider && answer["isNewUser"] == true)
            #expect(answer["context"] == "cart 7")
            if provider != "apple.com" { #expect(answer["federatedId"]?.string == person.subject) }
            #expect(answer["pendingToken"]?.string?.isEmpty == false)
            #expect(again.code == "INVALID_IDP_RESPONSE" && again.status == 400)
        }
    }

    @Test func `the provider's page is asked for by PKCE with a state of its own and no secret`() async throws {
        try await TestProviders.run(entries: { $0["allowedScopes"] = ["read_api"] }) { broker, _ in
            let extra: JSONObject = [
                "oauthScope": "read_api",
                "customParameter": ["ui_locales": "ko", "state": "mine", "Redirect_URI": "https://evil.example"],
                "identifier": "ann@example.com", "sessionId": "0123456789abcdef",
            ]
            let first = try await AppSignIn.start(broker, "GitLab.com", extra: extra)
            let second = try await AppSignIn.start(broker, "gitlab.com", extra: extra)

            let query = try Self.query(of: first)
            #expect(first["kind"] == "identitytoolkit#CreateAuthUriResponse")
            #expect(first["providerId"] == "gitlab.com" && first["sessionId"] == "0123456789abcdef")
            #expect(first["registered"] == nil)
            #expect(query["redirect_uri"] == AppSignIn.page && query["response_type"] == "code")
            #expect(query["code_challenge_method"] == "S256" && query["nonce"]?.utf8.count == 43)
            #expect(query["state"]?.utf8.count == 43 && query["ui_locales"] == "ko")
            #expect(try !first.string("authUri").contains("evil"))
            #expect(query["scope"]?.split(separator: " ").contains("read_api") == true)
            #expect(query["login_hint"] == "ann@example.com")
            for name in ["state", "nonce", "code_challenge"] {
                #expect(try Self.query(of: second)[name] != query[name])
            }
        }
    }

    @Test func `without a session id of the app's own each attempt gets a new one`() async throws {
        try await TestBroker.run { broker in
            let first = try await AppSignIn.start(broker, "github.com")
            let second = try await AppSignIn.start(broker, "github.com")

            #expect(first["sessionId"]?.string?.utf8.count == 27)
            #expect(first["sessionId"] != second["sessionId"])
        }
    }

    @Test func `the firebase policy says whether the address is known, and with this provider`() async throws {
        try await TestBroker.run({ $0.policy = .firebase }) { broker in
            _ = try await broker.signIn(broker.person("ada"))

            let known = try await AppSignIn.start(broker, "github.com", extra: ["identifier": "ada@example.com"])

            #expect(known["registered"] == true && known["forExistingProvider"] == true)
        }
    }

    @Test func `of twenty copies of one answer one gets through`() async throws {
        try await TestBroker.run { broker in
            var application = broker.simulator.defaultApplication
            application.callbackURL = AppSignIn.page
            broker.simulator.register(application)
            let signIn = try await AppSignIn.begin(broker, "github.com", as: "ada@example.com")

            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<20 { group.addTask { try await signIn.finish() } }
                return try await group.reduce(into: [Answer]()) { $0.append($1) }
            }

            #expect(answers.count { $0.status == 200 } == 1)
            #expect(answers.filter { $0.status != 200 }.allSatisfy { $0.code == "INVALID_IDP_RESPONSE" })
        }
    }

    @Test func `declining at the provider is reported, and ends the attempt`() async throws {
        try await TestProviders.run { broker, providers in
            providers.allow(AppSignIn.page)
            for provider in TestProviders.ids {
                let signIn = try await AppSignIn.begin(broker, provider, as: nil)

                let answer = try await signIn.finish()
                let again = try await signIn.finish()

                #expect(answer.code == "USER_CANCELLED", "\(provider) \(answer.text)")
                #expect(again.code == "INVALID_IDP_RESPONSE")
            }
        }
    }

    @Test func `Apple's name comes with the form and is stored`() async throws {
        try await TestProviders.run { broker, providers in
            providers.allow(AppSignIn.page)
            let email = "ann-\(RandomText.alphanumeric(8).lowercased())@example.com"
            _ = try providers.person(at: "apple.com", email: email)
            let signIn = try await AppSignIn.begin(broker, "apple.com", as: email)

            let answer = try await signIn.finish()

            #expect(signIn.redirect.form != nil && !signIn.redirect.url.contains("code="))
            #expect(answer["firstName"] == "Ann")
            #expect(answer["email"]?.string == email)
        }
    }

    @Test(
        arguments: [
            (["continueUri": .null], "MISSING_CONTINUE_URI"), (["continueUri": "/there"], "INVALID_CONTINUE_URI"),
            (["continueUri": "http://app.example/x"], "INVALID_CONTINUE_URI"),
            (["continueUri": "javascript:alert(1)"], "INVALID_CONTINUE_URI"),
            (["continueUri": "http://localhost/x#y"], "INVALID_CONTINUE_URI"),
            (["continueUri": "http://localhost/x?%73tate=1"], "INVALID_CONTINUE_URI"),
            (["continueUri": "http://localhost\\@evil.example/"], "INVALID_CONTINUE_URI"),
            (["continueUri": "http://user@localhost/"], "INVALID_CONTINUE_URI"),
            (["continueUri": "https://evil.example/x"], "UNAUTHORIZED_DOMAIN"),
            (["continueUri": "https://notlocalhost/x"], "UNAUTHORIZED_DOMAIN"),
            (["continueUri": "https://localhost.evil.example/x"], "UNAUTHORIZED_DOMAIN"),
            (["providerId": "gitlab.com"], "OPERATION_NOT_ALLOWED"),
            (["providerId": "no provider"], "INVALID_PROVIDER_ID"),
            (["oauthScope": "repo"], "OPERATION_NOT_ALLOWED"),
            (["oauthScope": "read:user gist"], "OPERATION_NOT_ALLOWED"),
            (["customParameter": ["audience": "x"]], "OPERATION_NOT_ALLOWED"),
            (["customParameter": ["prompt": "none"]], "OPERATION_NOT_ALLOWED"),
            (["customParameter": ["prompt": ""]], "OPERATION_NOT_ALLOWED"),
            (["customParameter": ["prompt": "login", "Prompt": "consent"]], "Invalid"),
            (["customParameter": "text"], "Invalid"), (["customParameter": ["a": 1]], "Invalid"),
            (["oauthScope": "a\nb"], "Invalid"), (["idToken": "forged"], "INVALID_ID_TOKEN"),
            (["tenantId": "t"], "INVALID_TENANT_ID"),
            (["sessionId": .string(String(repeating: "x", count: 257))], "Invalid"),
        ] as [(JSONObject, String)])
    func `what cannot be begun is refused with its code`(extra: JSONObject, code: String) async throws {
        try await TestBroker.run { broker in
            let answer = try await AppSignIn.start(broker, "github.com", extra: extra)

            #expect(answer.status == 400 && answer.code == code, "\(answer.text)")
        }
    }

    @Test func `a subdomain of an authorized domain may begin one, over https`() async throws {
        try await TestBroker.run({ $0.project.authorizedDomains = ["app.example"] }) { broker in
            let answer = try await AppSignIn.start(
                broker, "github.com", extra: ["continueUri": "https://www.APP.example/x?y=1"])

            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    static func query(of answer: Answer) throws -> [String: String] {
        let text = try answer.string("authUri").split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let pairs = try #require(FormEncoding.decode(text.utf8))
        return Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }
}

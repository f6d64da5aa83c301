import Broker
import BrokerStore
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Every credential of a provider by token exchange")
struct CredentialExchangeTests {
    /// What a sign-in has left about its user.
    private struct Trace: Equatable {
        let email: String?
        let displayName: String?
        let identity: [String?]
        let grants: [[String?]]

        init(_ localID: String, at broker: TestBroker) async throws {
            guard let record = try await broker.user(localID) else { throw TestFailure("no user \(localID)") }
            (email, displayName) = (record.user.email, record.user.displayName)
            identity = record.identities.flatMap { identity -> [String?] in
                // The profile itself has times in it.
                let profile = (try? JSONValue(parsing: identity.profile.utf8))?.object?.names.sorted() ?? []
                return [
                    identity.provider, identity.subject, identity.email, identity.displayName, identity.screenName,
                    identity.photoURL, profile.joined(separator: " "),
                ]
            }
            grants = try await broker.storedGrants(ofUser: localID).map {
                [$0.provider, $0.clientID, $0.scopes, $0.sealedRefreshToken == nil ? nil : "refresh token"]
            }
        }
    }

    /// The user of an answer.
    private static func localID(_ answer: Answer) throws -> String {
        guard let localID = try answer.claims()["sub"]?.string else { throw TestFailure("no sub: \(answer.text)") }
        return localID
    }

    @Test(arguments: TestProviders.ids, ["access token", "code"])
    func `leaves the user, the profile and the grant that signInWithIdp leaves`(
        provider: String, kind: String
    ) async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            func credential() throws -> [(String, String)] {
                kind == "code" ? try providers.codeCredential(at: provider) : try providers.accessToken(at: provider)
            }
            let other = try await broker.signIn(postBody: credential())
            guard other.status == 200 else {
                // Apple's access tokens prove nothing.
                let refused = try await native.exchange(credential())
                #expect(refused.oauthError == "invalid_grant" && refused.refusal == other.code, "\(refused.text)")
                return
            }
            let before = try await Trace(other.string("localId"), at: broker)
            try await broker.core.accounts.deleteAccount(localID: other.string("localId"), origin: Origin(.admin))

            let answer = try await native.exchange(credential())

            #expect(answer.status == 200, "\(answer.text)")
            let after = try await Trace(Self.localID(answer), at: broker)
            #expect(after == before)
            #expect(kind != "code" || !before.grants.isEmpty)
        }
    }

    @Test(arguments: ["github.com", "gitlab.com", "apple.com", "1pass.dev"])
    func `a deletion withdraws what a code has granted`(provider: String) async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let session = try await native.exchange(providers.codeCredential(at: provider))

            let deleted = try await native.post(":delete", session)

            let withdrawals = try #require(deleted["broker"]?["withdrawals"]?.array, "\(deleted.text)")
            #expect(withdrawals.map { $0["providerId"]?.string } == [provider])
        }
    }

    @Test func `a name that comes with a code is stored before anything can fail`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            _ = try await broker.signIn(
                providers.person(at: "github.com", email: providers.apple.people()[0].email ?? ""))
            let user = #"{"name":{"firstName":"Grace","lastName":"Hopper"}}"#

            let refused = try await native.exchange(providers.codeCredential(at: "apple.com") + [("user", user)])
            _ = try await broker.core.store.write { transaction in
                for user in try transaction.users(after: nil, limit: 10) {
                    try transaction.releaseEmail(of: user.key)
                }
            }
            let answer = try await native.exchange(providers.codeCredential(at: "apple.com"))

            #expect(refused.refusal == "NEED_CONFIRMATION", "\(refused.text)")
            #expect(try answer.claims()["name"] == "Grace Hopper", "\(answer.text)")
        }
    }

    @Test func `the answer tells a new user, the provider and the record`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = try providers.person(at: "github.com", email: "ann@example.com")

            let first = try await native.exchange(person.credential())
            let again = try await native.exchange(person.credential())
            let withoutAccount = try await native.exchange(person.credential(), scope: "openid email")
            let linked = try await native.exchange(
                providers.person(at: "apple.com", email: "a@icloud.example").credential(), actor: again)

            #expect(first["is_new_user"] == true && again["is_new_user"] == false && linked["is_new_user"] == false)
            #expect(first["provider"] == "github.com" && linked["provider"] == "apple.com")
            #expect(try await native.get("", linked).body == linked["user"])
            #expect(first["user"]?["localId"] == (try first.claims()["sub"]))
            #expect(withoutAccount["user"] == nil && withoutAccount["is_new_user"] == false)
            let refreshed = try await native.app.refresh(again.string("refresh_token"))
            #expect(refreshed["is_new_user"] == nil && refreshed["user"] == nil && refreshed["provider"] == nil)
        }
    }

    @Test func `a record that needs a stronger login is not in the answer`() async throws {
        let rule: JSONValue = ["acr": "urn:example:mfa", "methods": ["mfa"], "scopes": ["account"]]
        let policy = try Policy(reading: ["preset": "strict", "stepUp": [rule]])
        try await TestProviders.run({ $0.policy = policy }) { broker, providers in
            let native = try await NativeApp(at: broker)

            let answer = try await native.exchange(providers.accessToken(at: "github.com"))

            #expect(answer.status == 200 && answer["user"] == nil && answer["is_new_user"] == true, "\(answer.text)")
        }
    }

    @Test func `a link and a reauthentication take a code and an access token`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let session = try await native.exchange(providers.accessToken(at: "github.com"))

            let linked = try await native.exchange(providers.codeCredential(at: "gitlab.com"), actor: session)
            let again = try await native.exchange(
                providers.accessToken(at: "gitlab.com"), actor: session, prompt: "login")

            #expect(linked.status == 200, "\(linked.text)")
            #expect(try await native.get("", session).providerIDs == ["github.com", "gitlab.com"])
            let grants = try await broker.storedGrants(ofUser: Self.localID(session))
            #expect(grants.contains { $0.provider == "gitlab.com" })
            #expect(again.status == 200 && again["provider"] == "gitlab.com", "\(again.text)")
            #expect(try again.claims()["sub"] == session.claims()["sub"])
        }
    }

    @Test func `a link that needs a newer login leaves the code for after it`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let old = try await native.exchange(providers.accessToken(at: "github.com"))
            providers.advance(301, with: broker)
            let code = try providers.codeCredential(at: "gitlab.com")

            let refused = try await native.exchange(code, actor: old)
            let hits = providers.gitLab.hits(.token)
            let again = try await native.exchange(
                providers.accessToken(at: "github.com"), actor: old, prompt: "login")
            let linked = try await native.exchange(code, actor: again)

            #expect(refused.refusal == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN" && hits == 0, "\(refused.text)")
            #expect(linked.status == 200, "\(linked.text)")
        }
    }

    @Test(arguments: ["narrow", "foreign", "no client", "unknown scope", "provider not linked"])
    func `what is refused without looking at a code leaves the code`(_ refusal: String) async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let session = try await native.exchange(providers.accessToken(at: "github.com"))
            let code = try providers.codeCredential(at: "gitlab.com")

            let refused: Answer
            switch refusal {
            case "narrow":
                let less = try await native.app.refresh(session.string("refresh_token"), scope: "openid")
                refused = try await native.exchange(code, actor: less)
            case "foreign":
                let other = try await NativeApp(at: broker).exchange(providers.accessToken(at: "github.com"))
                refused = try await native.exchange(code, actor: other)
            case "no client": refused = try await native.exchange(code, ["client_secret": "x"])
            case "unknown scope": refused = try await native.exchange(code, scope: "everything")
            default: refused = try await native.exchange(code, actor: session, prompt: "login")
            }

            #expect(refused.status != 200 && providers.gitLab.hits(.token) == 0, "\(refused.text)")
            #expect(try await native.exchange(code, actor: session).status == 200)
        }
    }
}

extension TestProviders {
    /// A provider's first person's code with what binds it to the app, as a `postBody` has it; a foreign one was issued to
    /// another client than the broker's.
    func codeCredential(at provider: String, isForeign: Bool = false) throws -> [(String, String)] {
        let (verifier, nonce) = (RandomText.alphanumeric(64), RandomText.alphanumeric(32))
        let challenge = CodeChallenge(of: verifier).text
        let (code, redirectURI): (String, String)
        switch provider {
        case "github.com":
            let application = isForeign ? gitHub.register(.init()) : gitHub.defaultApplication
            redirectURI = application.callbackURL
            code = gitHub.authorizationCode(
                for: gitHub.people()[0], application: application, codeChallenge: challenge)
        case "gitlab.com":
            let application = isForeign ? gitLab.register(.init()) : gitLab.defaultApplication
            redirectURI = application.redirectURIs[0]
            code = gitLab.authorizationCode(
                for: gitLab.people()[0], application: application, codeChallenge: challenge, nonce: nonce)
        case "apple.com":
            let application = isForeign ? apple.register(.init()) : apple.defaultApplication
            redirectURI = application.returnURLs[0]
            code = apple.authorizationCode(for: apple.people()[0], application: application, nonce: nonce)
        case "1pass.dev":
            let application = isForeign ? onePass.register(.init()) : onePass.defaultApplication
            redirectURI = application.redirectURIs[0]
            code = onePass.authorizationCode(
                for: onePass.people()[0], application: application, codeChallenge: challenge, nonce: nonce)
        default: throw TestFailure("no provider \(provider)")
        }
        var fields = [
            ("code", code), ("redirect_uri", redirectURI), ("code_verifier", verifier), ("providerId", provider),
        ]
        if provider != "github.com" { fields.append(("nonce", nonce)) }
        return fields
    }

    /// A provider's first person's access token, as a `postBody` has it; a foreign one was issued to another client than
    /// the broker's.
    func accessToken(at provider: String, isForeign: Bool = false) throws -> [(String, String)] {
        let token =
            switch provider {
            case "github.com":
                gitHub.accessToken(
                    for: gitHub.people()[0],
                    application: isForeign ? gitHub.register(.init()) : gitHub.defaultApplication)
            case "gitlab.com":
                gitLab.accessToken(
                    for: gitLab.people()[0],
                    application: isForeign ? gitLab.register(.init()) : gitLab.defaultApplication)
            case "apple.com":
                apple.accessToken(
                    for: apple.people()[0], application: isForeign ? apple.register(.init()) : apple.defaultApplication)
            case "1pass.dev":
                onePass.accessToken(
                    for: onePass.people()[0],
                    application: isForeign ? onePass.register(.init()) : onePass.defaultApplication)
            default: throw TestFailure("no provider \(provider)")
            }
        return [("access_token", token), ("providerId", provider)]
    }
}

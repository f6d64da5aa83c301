import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker link", .timeLimit(.minutes(20)))
struct LinkCommandTests {
    @Test func `without a user it creates one, and signs the same user in afterwards`() async throws {
        try await Installation.run { broker in
            let first = try await broker.link(token: try broker.accessToken("ada"))
            let second = try await broker.link(token: try broker.accessToken("ada"))

            #expect(first.exitCode == 0, "\(first)")
            #expect(second.exitCode == 0, "\(second)")
            let (created, known) = (try JSONValue(parsing: first.output), try JSONValue(parsing: second.output))
            #expect(created["isNewUser"] == true)
            #expect(known["isNewUser"] == false)
            #expect(created["user"]?["localId"]?.string?.utf8.count == 28)
            #expect(created["user"]?["localId"] == known["user"]?["localId"])
        }
    }

    @Test func `an unverified address does not select a user to link to`() async throws {
        try await Installation.run { broker in
            let cleo = try await broker.signedIn("cleo")
            let other = try broker.secondGitHub()

            let byAddress = try await broker.link(
                provider: other, user: "cleo@example.com", yes: true, token: broker.foreignToken())
            let byID = try await broker.link(provider: other, user: cleo, yes: true, token: broker.foreignToken())

            #expect(byAddress.exitCode == 1 && byAddress.errorCode == "UNVERIFIED_EMAIL", "\(byAddress)")
            #expect(byID.exitCode == 0, "\(byID)")
        }
    }

    @Test func `a credential may come from a file, as JSON with a code`() async throws {
        try await Installation.run { broker in
            let challenge = CodeChallenge()
            let callback = "http://127.0.0.1:4000/oauth/callback/github.com"
            let code = broker.github.authorizationCode(
                for: try broker.person("ben"), application: broker.github.defaultApplication, redirectURI: callback,
                codeChallenge: challenge.value)
            let credential: JSONValue = [
                "code": .string(code), "redirectUri": .string(callback), "codeVerifier": .string(challenge.verifier),
            ]
            try broker.folder.write(credential.serialized(), to: "credential.json")

            let result = try await broker.command(
                "link", "--provider", "github", "--credential", "credential.json", "--json")
            let again = try await broker.command(
                "link", "--provider", "github", "--credential", "credential.json", "--json")

            #expect(result.exitCode == 0, "\(result)")
            #expect(try JSONValue(parsing: result.output)["user"]?["email"] == "ben@example.com")
            #expect(again.exitCode == 1, "a code is good for one sign-in: \(again)")
            #expect(again.errorCode == "INVALID_IDP_RESPONSE")
        }
    }

    @Test func `with a user it links the provider's user, once the admin has confirmed`() async throws {
        try await Installation.run { broker in
            let ada = try await broker.signedIn("ada")
            let other = try broker.secondGitHub()

            let unasked = try await broker.link(provider: other, user: "ada@example.com", token: broker.foreignToken())
            let agreed = try await broker.link(
                provider: other, user: "ada@example.com", yes: true, token: broker.foreignToken())
            let shown = try await broker.command("users", "show", ada, "--json")

            #expect(unasked.exitCode == 1, "\(unasked)")
            #expect(unasked.errorCode == "NOT_CONFIRMED")
            #expect(agreed.exitCode == 0, "\(agreed)")
            #expect(try JSONValue(parsing: agreed.output)["localId"]?.string == ada)
            let providers = try JSONValue(parsing: shown.output)["providerUserInfo"]?.array?.map { $0["providerId"] }
            #expect(providers == ["github.com", .string(other)])
        }
    }

    @Test func `an identity with a user is refused, and nothing changes`() async throws {
        try await Installation.run { broker in
            let ada = try await broker.signedIn("ada")
            let ben = try await broker.signedIn("ben")
            let before = try await broker.command("users", "list", "--json").output

            let others = try await broker.link(user: ben, yes: true, token: try broker.accessToken("ada"))
            let own = try await broker.link(user: ada, yes: true, token: try broker.accessToken("ada"))
            let second = try await broker.link(user: ada, yes: true, token: try broker.accessToken("cleo"))

            #expect(others.errorCode == "FEDERATED_USER_ID_ALREADY_LINKED", "\(others)")
            #expect(own.errorCode == "FEDERATED_USER_ID_ALREADY_LINKED", "\(own)")
            #expect(second.errorCode == "PROVIDER_ALREADY_LINKED", "\(second)")
            for result in [others, own, second] { #expect(result.exitCode == 1) }
            #expect(try await broker.command("users", "list", "--json").output == before)
        }
    }

    @Test func `an address somebody else holds is not taken over`() async throws {
        try await Installation.run { broker in
            _ = try await broker.signedIn("ada")
            let impostor = broker.github.add(.init(login: "mallory", emails: [.init(address: "ada@example.com")]))
            let token = broker.github.accessToken(for: impostor, application: broker.github.defaultApplication)

            let result = try await broker.link(token: token)

            #expect(result.exitCode == 1, "\(result)")
            #expect(result.errorCode == "NEED_CONFIRMATION")
        }
    }

    @Test func `a token of another application and a made-up one are refused`() async throws {
        try await Installation.run { broker in
            let other = broker.github.register(.init(name: "Another application"))
            let foreign = broker.github.accessToken(for: try broker.person("ada"), application: other)

            for token in [foreign, "gho_\(randomText(36))"] {
                let result = try await broker.link(token: token)
                #expect(result.exitCode == 1, "\(result)")
                #expect(result.errorCode == "INVALID_IDP_RESPONSE")
                #expect(!result.everything.contains(token))
            }
        }
    }

    @Test func `unknown names and unreadable credentials have different exit codes`() async throws {
        try await Installation.run { broker in
            let token = try broker.accessToken("ada")
            let provider = try await broker.link(provider: "gitlab.com", token: token)
            let user = try await broker.link(user: "nobody@example.com", yes: true, token: token)
            let empty = try await broker.link(token: "")
            let missing = try await broker.command(
                "link", "--provider", "github", "--credential", "missing.txt", "--json")

            #expect(provider.exitCode == 64, "\(provider)")
            #expect(provider.errorCode == "UNKNOWN_PROVIDER")
            #expect(user.exitCode == 1, "\(user)")
            #expect(user.errorCode == "USER_NOT_FOUND")
            #expect(empty.exitCode == 64, "\(empty)")
            #expect(empty.errorCode == "INVALID_CREDENTIAL")
            #expect(missing.exitCode == 64, "\(missing)")
            #expect(missing.errorCode == "INVALID_CREDENTIAL")
        }
    }
}

extension CommandResult {
    /// The code of the error document on standard output.
    var errorCode: String? { (try? JSONValue(parsing: output))?["error"]?["code"]?.string }
}

extension Installation {
    fileprivate func link(
        provider: String = "github", user: String? = nil, yes: Bool = false, token: String
    ) async throws -> CommandResult {
        let arguments =
            ["link", "--provider", provider, "--json"] + (user.map { ["--user", $0] } ?? []) + (yes ? ["--yes"] : [])
        return try await .broker(arguments, input: token + "\n", in: folder)
    }

    /// The localId of a new user.
    func signedIn(_ login: String) async throws -> String {
        let result = try await link(token: try accessToken(login))
        return try #require(try JSONValue(parsing: result.output)["user"]?["localId"]?.string, "\(result)")
    }

    /// Adds a second entry for another client at the same installation.
    fileprivate func secondGitHub() throws -> String {
        try addSecondProvider()
        return TwoBrokers.secondProvider
    }

    /// A token of the latest registration's client for cleo, whose address is not verified.
    fileprivate func foreignToken() throws -> String {
        github.accessToken(for: try person("cleo"), application: try #require(github.applications().last))
    }
}

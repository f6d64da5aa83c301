import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Link a provider's identity to a user, or sign somebody in with it.",
        discussion: """
            The credential comes from a file or from standard input, never from the command line, where every other
            user of this host could read it: an access token alone, or JSON such as
              {"accessToken": "…"}
              {"code": "…", "redirectUri": "https://…", "codeVerifier": "…"}
              {"idToken": "…", "nonce": "…"}
              {"idToken": "…", "nonce": "…", "code": "…", "user": {"name": {"firstName": "…", "lastName": "…"}}}

            With --user the identity is linked after you confirmed whom the provider named. Without it the person is
            signed in, or becomes a user.

            Examples:
              broker link --provider github --user ann@example.com --credential token.txt
              pass show github-token | broker link --provider github --json
            """)

    @Option(name: .long, help: "The provider's id in plugins.json, or its kind when only one entry has it.")
    var provider: String

    @Option(name: .long, help: "localId or e-mail address of the user to link to.")
    var user: String?

    @Option(name: .long, help: "File with the credential; standard input when not given or -.")
    var credential: String = "-"

    @Flag(name: .long, help: "Link without asking.")
    var yes = false

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.reporting {
            let proof = try CredentialInput.read(credential)
            try await options.withCore(asksProviders: true) { core in
                let id = try core.providers.named(provider).id
                if let user {
                    try await link(proof, from: id, to: try await core.user(named: user), core)
                } else {
                    try await signIn(proof, from: id, core)
                }
            }
        }
    }

    private func link(
        _ credential: Credential, from id: String, to record: UserRecord, _ core: BrokerCore
    ) async throws {
        let proven = try await core.link.prove(credential, from: id)
        // Whoever wrote an address into an account without proving it may be somebody else than its owner.
        guard record.user.isEmailVerified || record.user.localID == user else {
            throw CommandFailure(
                code: "UNVERIFIED_EMAIL",
                "nobody has proven that address to be user \(record.user.localID)'s: name the user by localId")
        }
        let person = Self.plain([proven.displayName, proven.screenName, proven.email])
        let question = """
            \(id) says this credential belongs to \(person) (subject \(proven.subject)).
            Link it to user \(record.user.localID): \(Self.plain([record.user.displayName, record.user.email])), \
            e-mail \(record.user.isEmailVerified ? "verified" : "not verified"), \
            signs in with \(record.identities.map(\.provider).joined(separator: ", "))? [y/N] 
            """
        guard try yes || Confirmation.ask(question) else {
            throw CommandFailure(code: "NOT_CONFIRMED", "nothing was linked")
        }
        let linked = try await core.link(proven, to: record.user.localID, origin: .commandLine())
        output(
            .object(JSONObject(linked)),
            text: "Linked \(id) (\(person)) to \(linked.user.localID).")
    }

    private func signIn(_ credential: Credential, from id: String, _ core: BrokerCore) async throws {
        let outcome = try await core.signIn(
            .init(.credential(credential, provider: id)), origin: .commandLine())
        guard case .signedIn(let facts, _, let isNewUser) = outcome.result else {
            throw CommandFailure(
                code: "NEED_CONFIRMATION",
                "the e-mail address belongs to another user: make sure who that is (broker users show) before --user")
        }
        // Nobody holds the tokens of this session, so it must not stay.
        _ = try await core.revokeSessions(session: facts.session.id, origin: .commandLine())
        let record = UserRecord(user: facts.user, identities: facts.identities)
        output(
            ["user": .object(JSONObject(record)), "isNewUser": .bool(isNewUser)],
            text: "\(isNewUser ? "Created" : "Signed in") \(facts.user.localID) (\(facts.user.email ?? "no e-mail")).")
    }

    /// Names in one line, without characters that reorder or hide what a terminal shows.
    static func plain(_ names: [String?]) -> String {
        let text = names.compactMap(\.self).joined(separator: ", ")
        let hidden: Set<Unicode.GeneralCategory> = [.format, .control, .lineSeparator, .paragraphSeparator]
        let scalars = text.unicodeScalars.filter { !hidden.contains($0.properties.generalCategory) }
        return scalars.isEmpty ? "somebody" : String(String.UnicodeScalarView(scalars))
    }
}

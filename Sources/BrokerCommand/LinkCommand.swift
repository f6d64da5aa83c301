import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Link a provider's identity to a user, or sign somebody in with it.",
        discussion: """
            At a terminal the person signs in with a browser: one opens here, or, over SSH and with --no-open, the address
            is shown for a browser anywhere, with a code to compare. That needs the broker to run. With --json the
            address comes as a line of its own, {"event": "browser-sign-in", …}.

            A credential may come from a file or from standard input instead, never from the command line, where every
            other user of this host could read it: an access token alone, or JSON such as
              {"accessToken": "…"}
              {"code": "…", "redirectUri": "https://…", "codeVerifier": "…"}
              {"idToken": "…", "nonce": "…"}
              {"idToken": "…", "nonce": "…", "code": "…",
               "user": {"name": {"firstName": "…", "lastName": "…"}}}

            Without a terminal, standard input is read unless it is /dev/null; over SSH, when nothing comes within two
            seconds, the person signs in with a browser. --browser and --credential - decide it.

            With --device the person signs in at the provider, without the broker's pages, and types in the code this
            shows; with --json it comes as {"event": "device-authorization", …}.

            With --user the identity is linked after you confirmed whom the provider named. Without it the person is
            signed in, or becomes a user.

            Examples:
              broker link --provider github --user ann@example.com
              broker link --provider github --user ann@example.com --credential token.txt
              pass show github-token | broker link --provider github --json
              broker link --provider github --device --user ann@example.com
            """.paragraphs)

    @OptionGroup var credentials: CredentialOptions

    @Option(name: .long, help: "localId or e-mail address of the user to link to.")
    var user: String?

    @Flag(
        name: .long,
        help: "Link without asking; no browser is opened here, since its address shows to other users of this host.")
    var yes = false

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.reporting {
            let way = try credentials.way()
            try await options.withCore(asksProviders: true) { core in
                let id = try core.providers.named(credentials.provider).id
                // Nobody is sent to a browser for a user who does not exist, or for a question nobody can be asked.
                var target: UserRecord?
                if let user {
                    target = try await self.target(user, core)
                    if !yes { try Confirmation.requireTerminal() }
                }
                let source = try await credentials.given(
                    by: way, from: id, core, opensBrowser: !(user != nil && yes), json: output.json
                ).source
                if let target {
                    try await link(source, from: id, to: target.user.localID, core)
                } else {
                    try await signIn(source, from: id, core)
                }
            }
        }
    }

    /// The user to link to.
    private func target(_ name: String, _ core: BrokerCore) async throws -> UserRecord {
        let record = try await core.user(named: name)
        // Whoever wrote an address into an account without proving it may be somebody else than its owner.
        guard record.user.isEmailVerified || record.user.localID == name else {
            throw CommandFailure(
                code: "UNVERIFIED_EMAIL",
                "nobody has proven that address to be user \(record.user.localID)'s: name the user by localId")
        }
        return record
    }

    private func link(_ source: FederatedSource, from id: String, to name: String, _ core: BrokerCore) async throws {
        let proven = try await core.link.prove(source)
        let record = try await target(name, core)
        let ways = record.identities.map(\.provider).joined(separator: ", ")
        let person = TerminalText(names: [record.user.displayName, record.user.email])
        let question: TerminalText = """
            \(id) says this is \(TerminalText(proven)).
            Link it to user \(record.user.localID): \(person), \
            e-mail \(record.user.isEmailVerified ? "verified" : "not verified"), \
            signs in with \(ways.isEmpty ? "nothing yet" : ways)? [y/N] 
            """
        guard try yes || Confirmation.ask(question) else {
            throw CommandFailure(code: "NOT_CONFIRMED", "nothing was linked")
        }
        let linked = try await core.link(proven, to: record.user.localID, origin: .commandLine())
        output(.object(JSONObject(linked)), text: "Linked \(id) (\(TerminalText(proven))) to \(linked.user.localID).")
    }

    private func signIn(_ source: FederatedSource, from id: String, _ core: BrokerCore) async throws {
        let proven = try await core.link.prove(source)
        if !output.json { TerminalText("\(id) says this is \(TerminalText(proven)).").show() }
        let outcome = try await core.signIn(.init(proven.federatedSource), origin: .commandLine())
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
}

extension TerminalText {
    /// The user that a provider named, with the subject, which tells users of the same name apart.
    fileprivate init(_ proven: Link.Proven) {
        let names = TerminalText(names: [proven.displayName, proven.screenName, proven.email])
        self = "\(names) (subject \(proven.subject))"
    }
}

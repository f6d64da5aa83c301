import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Link a provider's identity to a user, or sign a user in with it.",
        discussion: """
            At a terminal the user signs in with a browser, which needs a running broker. A browser opens on this
            machine. Over SSH or with --no-open the command shows a URL for any browser, with a code to compare. With
            --json the URL is a line of its own, {"event": "browser-sign-in", …}.

            A file or standard input may contain a credential instead: an access token alone, or JSON as below. A
            credential is never an argument, because every user of this host can read the arguments.
              {"accessToken": "…"}
              {"code": "…", "redirectUri": "https://…", "codeVerifier": "…"}
              {"idToken": "…", "nonce": "…"}
              {"idToken": "…", "nonce": "…", "code": "…",
               "user": {"name": {"firstName": "…", "lastName": "…"}}}

            Without a terminal, standard input is read unless it is /dev/null. Over SSH, the user signs in with a
            browser when no input arrives within two seconds. --browser and --credential - select one of the two.

            With --device the user signs in at the provider, without the broker's pages, and enters the code that the
            command shows; with --json the code is a line {"event": "device-authorization", …}.

            With --user the identity is linked after you confirm the provider's user. Without --user the identity's user
            is signed in, or created.

            Examples:
              broker link --provider github --user ann@example.com
              broker link --provider github --user ann@example.com --credential token.txt
              pass show github-token | broker link --provider github --json
              broker link --provider github --device --user ann@example.com
            """.paragraphs)

    @OptionGroup var credentials: CredentialOptions

    @Option(name: .long, help: "localId or e-mail address of the user to link to.", completion: .users)
    var user: String?

    @Flag(
        name: .long,
        help: "Link without asking. Opens no browser, because other users of this host can read the URL it opens.")
    var yes = false

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var host: HostOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.reporting {
            let way = try credentials.way()
            try await options.withCore(asksProviders: true) { core in
                let id = try core.providers.current.named(credentials.provider).id
                // Fail before the sign-in when the user does not exist or no terminal can show the question.
                var target: UserRecord?
                if let user {
                    target = try await self.target(user, core)
                    if !yes { try Confirmation.requireTerminal() }
                }
                let credential = try await credentials.verified(
                    by: way, from: id, core, opensBrowser: !(user != nil && yes), json: output.json
                ).credential
                if let target {
                    try await link(credential, from: id, to: target.user.localID, core)
                } else {
                    try await resolve(credential, from: id, core)
                }
            }
        }
    }

    /// The user to link to.
    private func target(_ name: String, _ core: BrokerCore) async throws -> UserRecord {
        let record = try await core.admin.user(named: name)
        // An unverified address may belong to someone other than the user.
        guard record.user.isEmailVerified || record.user.localID == name else {
            throw CommandFailure(
                code: "UNVERIFIED_EMAIL",
                "the address is not verified for user \(record.user.localID): pass the user's localId instead")
        }
        return record
    }

    private func link(
        _ credential: VerifiedCredential, from id: String, to name: String, _ core: BrokerCore
    ) async throws {
        let record = try await target(name, core)
        let ways = record.identities.map(\.provider).joined(separator: ", ")
        let names = TerminalText(names: [record.user.displayName, record.user.email])
        let question: TerminalText = """
            \(id) says this is \(TerminalText(credential)).
            Link it to user \(record.user.localID): \(names), \
            e-mail \(record.user.isEmailVerified ? "verified" : "not verified"), \
            signs in with \(ways.isEmpty ? "nothing yet" : ways)? [y/N] 
            """
        guard try yes || Confirmation.ask(question) else {
            throw CommandFailure(code: "NOT_CONFIRMED", "nothing was linked")
        }
        let linked = try await core.accounts.link(credential, to: record.user.localID, origin: .commandLine())
        let named = TerminalText(credential)
        output(.object(JSONObject(linked)), text: "Linked \(id) (\(named)) to \(linked.user.localID).")
    }

    /// Finds the user who signs in with the credential, or creates one.
    private func resolve(_ credential: VerifiedCredential, from id: String, _ core: BrokerCore) async throws {
        if !output.json { TerminalText("\(id) says this is \(TerminalText(credential)).").show() }
        switch try await core.accounts.user(of: credential, origin: .commandLine()) {
        case .signedIn(let record, let isNewUser):
            let user = record.user
            output(
                ["user": .object(JSONObject(record)), "isNewUser": .bool(isNewUser)],
                text: "\(isNewUser ? "Created" : "Found") \(user.localID) (\(user.email ?? "no e-mail")).")
        case .needConfirmation:
            throw CommandFailure(
                code: "NEED_CONFIRMATION",
                "the e-mail address belongs to another user: check that user with broker users show, then add --user")
        case .refused(let error): throw error
        }
    }
}

extension TerminalText {
    /// The provider's user, with the subject, which is unique where names are not.
    init(_ credential: VerifiedCredential) {
        let names = TerminalText(names: [credential.displayName, credential.screenName, credential.email])
        self = "\(names) (subject \(credential.subject))"
    }
}

import ArgumentParser
import Broker
import Foundation
import ProviderKit

/// Whose credential a command works with, and how it gets it.
struct CredentialOptions: ParsableArguments {
    @Option(name: .long, help: "The provider's id in plugins.json, or its kind when only one entry has it.")
    var provider: String

    @Option(name: .long, help: "File with the credential; - for standard input.")
    var credential: String?

    @Flag(name: .long, help: "Show a code to type in at the provider, on whatever device has a browser.")
    var device = false

    @Flag(name: .long, help: "Sign in with a browser at the broker's own pages, whatever standard input is.")
    var browser = false

    @Flag(name: .long, help: "Show the address for the browser, and open none here.")
    var noOpen = false

    func validate() throws {
        if device, credential != nil {
            throw ValidationError("--device needs no --credential: the person signs in at the provider.")
        }
        if browser, device || credential != nil {
            throw ValidationError("--browser, --device and --credential are three ways: name one.")
        }
    }

    /// How a command gets its credential.
    enum Way: Sendable {
        /// It was read.
        case credential(Credential)
        /// The person types a code in at the provider.
        case device
        /// The person signs in at the broker's pages.
        case browser
    }

    /// Finds out which way it is, and reads the credential if there is one.
    ///
    /// - Throws: ``CommandFailure``.
    func way() throws(CommandFailure) -> Way {
        if device { return .device }
        if browser { return .browser }
        if let credential { return .credential(try CredentialInput.read(credential)) }
        switch StandardInput.current() {
        case .nobody: return .browser
        case .piped: return .credential(try CredentialInput.read("-"))
        case .perhaps:
            guard let text = SecretInput.text("-"), !text.isEmpty else { return .browser }
            return .credential(try CredentialInput.parse(text))
        }
    }

    /// What the flows work with.
    struct Given: Sendable {
        let source: FederatedSource
        /// What is known of how the person proved who they are, when they did so just now in a browser.
        var authentication: TerminalSignIn.Outcome?
    }

    /// Gets what the flows work with: the credential that was read, or whoever signs in elsewhere now; with `asksAnew`
    /// the person is to prove anew who they are, as far as the provider can ask for it. Without `opensBrowser` the
    /// address for the browser is shown only.
    func given(
        by way: Way, from id: String, _ core: BrokerCore, asksAnew: Bool = false, opensBrowser: Bool = true,
        json: Bool
    ) async throws -> Given {
        switch way {
        case .credential(let read): return Given(source: .credential(read, provider: id))
        case .device: return Given(source: try await DevicePrompt(json: json).source(from: id, core))
        case .browser:
            let prompt = BrowserPrompt(json: json, mayOpen: opensBrowser && !noOpen, asksAnew: asksAnew)
            let outcome = try await prompt.outcome(from: id, core)
            return Given(source: outcome.source, authentication: outcome)
        }
    }
}

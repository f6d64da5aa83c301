import ArgumentParser
import Broker
import Foundation
import ProviderKit

/// The options that select a provider and the source of its credential.
struct CredentialOptions: ParsableArguments {
    @Option(
        name: .long, help: "The provider's id in plugins.json, or its kind if only one entry has that kind.",
        completion: .providers)
    var provider: String

    @Option(name: .long, help: "File with the credential; - for standard input.")
    var credential: String?

    @Flag(name: .long, help: "Show a code to enter at the provider, on any device with a browser.")
    var device = false

    @Flag(name: .long, help: "Sign in with a browser at the broker's pages, even if standard input is a pipe.")
    var browser = false

    @Flag(name: .long, help: "Show the URL and do not open a browser.")
    var noOpen = false

    func validate() throws {
        if device, credential != nil {
            throw ValidationError("--device excludes --credential: the user signs in at the provider.")
        }
        if browser, device || credential != nil {
            throw ValidationError("--browser, --device and --credential exclude each other.")
        }
    }

    /// The source of the credential.
    enum Way: Sendable {
        /// A file or standard input.
        case credential(Credential)
        /// The device flow at the provider (RFC 8628).
        case device
        /// The device authorization of the broker, whose page leads to the provider.
        case browser
    }

    /// Selects the source, and reads the credential from a file or standard input.
    ///
    /// - Throws: ``CommandFailure``.
    func way() throws(CommandFailure) -> Way {
        if device { return .device }
        if browser { return .browser }
        if let credential { return .credential(try CredentialInput.read(credential)) }
        switch StandardInput.current() {
        case .empty: return .browser
        case .piped: return .credential(try CredentialInput.read("-"))
        case .remote:
            guard let text = SecretInput.text("-"), !text.isEmpty else { return .browser }
            return .credential(try CredentialInput.parse(text))
        }
    }

    /// Has the provider verify the credential that was read, or the user who signs in elsewhere now.
    ///
    /// - Parameters:
    ///   - way: How the command gets its credential.
    ///   - id: The provider's id in `plugins.json`.
    ///   - core: The broker.
    ///   - requiresLogin: Whether the user has to authenticate anew, as far as the provider can ask for it.
    ///   - opensBrowser: Whether a browser may be opened here; the address is shown in any case.
    ///   - json: Whether the output is JSON.
    /// - Returns: The verified credential; after a sign-in with a browser also what is known of that login.
    /// - Throws: ``CommandFailure``, ``BrokerError``.
    func verified(
        by way: Way, from id: String, _ core: BrokerCore, requiresLogin: Bool = false, opensBrowser: Bool = true,
        json: Bool
    ) async throws -> (credential: VerifiedCredential, login: DeviceIdentity?) {
        switch way {
        case .credential(let read): return (try await core.accounts.verify(read, from: id), nil)
        case .device: return (try await DevicePrompt(json: json).credential(from: id, core), nil)
        case .browser:
            let login = try await DevicePrompt(json: json).identity(
                of: id, core, opening: opensBrowser && !noOpen ? LocalBrowser() : nil, requiresLogin: requiresLogin)
            return (try await core.accounts.verify(pendingToken: login.pendingToken), login)
        }
    }
}

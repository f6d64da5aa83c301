import ArgumentParser
import Broker
import ProviderKit

/// Whose credential a command works with, and how it gets it.
struct CredentialOptions: ParsableArguments {
    @Option(name: .long, help: "The provider's id in plugins.json, or its kind when only one entry has it.")
    var provider: String

    @Option(name: .long, help: "File with the credential; standard input when not given or -.")
    var credential: String?

    @Flag(name: .long, help: "Show a code to type in at the provider, on whatever device has a browser.")
    var device = false

    func validate() throws {
        guard device, credential != nil else { return }
        throw ValidationError("--device needs no --credential: the person signs in at the provider.")
    }

    /// Reads the credential, unless the person is to sign in elsewhere.
    ///
    /// - Throws: ``CommandFailure``.
    func read() throws(CommandFailure) -> Credential? {
        device ? nil : try CredentialInput.read(credential ?? "-")
    }

    /// What the flows work with: the credential that was read, or whoever signs in elsewhere now.
    func source(_ read: Credential?, from id: String, _ core: BrokerCore, json: Bool) async throws -> FederatedSource {
        if let read { return .credential(read, provider: id) }
        return try await DevicePrompt(json: json).source(from: id, core)
    }
}

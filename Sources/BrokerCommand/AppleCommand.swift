import ArgumentParser
import Broker
import ProviderKit

struct AppleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple", abstract: "Manage Apple's keys, client secrets and tokens.",
        subcommands: [Key.self, ClientSecret.self, Exchange.self, Revoke.self, Migrate.self])

    struct Key: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "key", abstract: "Show and import the private key that signs client secrets.",
            subcommands: [Show.self, Import.self])
    }
}

/// The entry that a command of `broker apple` works on.
struct AppleEntryOptions: ParsableArguments {
    @Option(
        name: .long, help: "The entry's id in plugins.json (default: the only entry that uses apple).",
        completion: .providers)
    var provider = "apple"

    @Option(name: .long, help: "The bundle id or Services ID (default: the Services ID, else the first bundle id).")
    var client: String?

    /// The enabled entry with a capability of Apple's plugin.
    ///
    /// - Throws: ``AdminFailure`` when there is none; ``CommandFailure`` when its plugin lacks the capability.
    func entry<Capability>(
        _ core: BrokerCore, as capability: Capability.Type
    ) throws -> (id: String, provider: Capability) {
        let entry = try core.providers.current.named(provider)
        guard let provider = entry.provider as? Capability else {
            throw CommandFailure(
                code: "NOT_SUPPORTED",
                "\(entry.id) uses \(entry.kind), which has no such keys or tokens: name an "
                    + "entry that uses apple", exitCode: .validationFailure)
        }
        return (entry.id, provider)
    }

    /// The chosen client, one of the entry's.
    ///
    /// - Throws: ``CommandFailure`` when the entry does not have it.
    func clientID(at provider: any SignedClientSecret) throws(CommandFailure) -> String {
        guard let client else { return provider.clientID }
        guard let known = provider.clientIDs.first(where: { $0.hasSameBytes(as: client) }) else {
            throw CommandFailure(
                code: "UNKNOWN_CLIENT",
                "the entry has no client \(client). It has: \(provider.clientIDs.joined(separator: ", "))",
                exitCode: .validationFailure)
        }
        return known
    }
}

extension ConfigurationFinding {
    var document: JSONValue { ["code": .string(code), "text": .string(text), "fix": .string(fix)] }
    var line: TerminalText { "✗ \(text) [\(code)]\n  \(fix)" }
}

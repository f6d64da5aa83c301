import ArgumentParser
import Broker
import ProviderKit

extension AppleCommand.Key {
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the ids and the public key of an entry.",
            discussion: """
                Shows key id, team id, clients and the thumbprint of the public key (RFC 7638). The private key is not
                printed.

                Examples:
                  broker apple key show
                  broker apple key show --provider apple.acme --json
                """.paragraphs)

        @OptionGroup var entry: AppleEntryOptions
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let (id, assertion, clientIDs) = try await options.withCore(asksProviders: true) { core in
                    let (id, provider) = try entry.entry(core, as: (any SignedClientSecret).self)
                    let clientID = try entry.clientID(at: provider)
                    return (id, provider.clientSecret(of: clientID), provider.clientIDs)
                }
                let key = try ClientSigningKey(assertion.key)
                let keyID = assertion.key.keyID ?? ""
                output(
                    [
                        "id": .string(id), "keyId": .string(keyID), "teamId": .string(assertion.issuer),
                        "thumbprint": .string(key.thumbprint), "publicKey": key.publicKey,
                        "clientIds": .array(clientIDs.map(JSONValue.string)),
                    ],
                    text: """
                        \(id)
                          key id      \(keyID)
                          team id     \(assertion.issuer)
                          thumbprint  \(key.thumbprint)
                          clients     \(clientIDs.joined(separator: ", "))
                        """)
            }
        }
    }
}

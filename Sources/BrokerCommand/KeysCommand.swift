import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "List and rotate the keys that sign tokens.",
        subcommands: [List.self, Rotate.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the signing keys, by activation time.",
            discussion: """
                States: next (published, will sign), active (signs), retired (published for the tokens it has signed),
                ended and revoked (no longer published).

                Examples:
                  broker keys list
                  broker keys list --family oidc --json
                """.paragraphs)

        @Option(name: .long, help: "identity-toolkit or oidc (default: both).")
        var family: StoredSigningKey.Family?

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(ListSigningKeys(family: family))
                try output(answer) { Table<SigningKeyAnswer>.keys.text($0.keys) }
            }
        }
    }
}

extension Table<SigningKeyAnswer> {
    static var keys: Table<SigningKeyAnswer> {
        Table(
            Table.Column("KEY ID") { $0.keyId }, Table.Column("FAMILY") { $0.family },
            Table.Column("ALGORITHM") { $0.algorithm }, Table.Column("STATE") { $0.state.rawValue },
            Table.Column("TIME") { $0.remark ?? "" })
    }
}

extension SigningKeyAnswer {
    fileprivate var remark: String? {
        switch state {
        case .next: "signs from \(activatesAt.text)"
        case .active: retiresAt.map { "signs until \($0.text)" } ?? "signs since \(activatesAt.text)"
        case .retired, .ended: publishedUntil.map { "published until \($0.text)" }
        case .revoked: retiresAt.map { "revoked \($0.text)" }
        }
    }
}

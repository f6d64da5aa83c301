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
            abstract: "List the signing keys, by activation time.",
            discussion: """
                States: next (published, will sign), active (signs), retired (published for the tokens it has signed),
                ended and revoked (no longer published).

                Examples:
                  broker keys list
                  broker keys list --family oidc --json
                """.paragraphs)

        @Option(name: .long, help: "identity-toolkit or oidc (default: both).")
        var family: StoredSigningKey.Family?

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let lines = try await options.withCore { $0.signingKeyLines(family) }
                output(
                    ["keys": .array(lines.map(\.document))], text: SigningKeyLine.table.text(lines))
            }
        }
    }
}

/// A row of the key list; it contains no secret.
struct SigningKeyLine {
    let row: StoredSigningKey
    let phase: SigningKeySchedule.Phase
    /// The end of the key's publication.
    let publicationEnd: Timestamp?

    var document: JSONValue {
        var object: JSONObject = [
            "keyId": .string(row.kid), "family": .string(row.family.rawValue),
            "algorithm": .string(row.algorithm.rawValue), "state": .string(phase.rawValue),
            "createdAt": row.createdAt.document, "activatesAt": row.activatesAt.document,
        ]
        object["retiresAt"] = row.retiresAt?.document
        object["publishedUntil"] = publicationEnd?.document
        return .object(object)
    }

    static var table: Table<SigningKeyLine> {
        Table(
            Table.Column("KEY ID") { $0.row.kid }, Table.Column("FAMILY") { $0.row.family.rawValue },
            Table.Column("ALGORITHM") { $0.row.algorithm.rawValue }, Table.Column("STATE") { $0.phase.rawValue },
            Table.Column("TIME") { $0.remark ?? "" })
    }

    private var remark: String? {
        switch phase {
        case .next: "signs from \(row.activatesAt.text)"
        case .active: row.retiresAt.map { "signs until \($0.text)" } ?? "signs since \(row.activatesAt.text)"
        case .retired, .ended: publicationEnd.map { "published until \($0.text)" }
        case .revoked: row.retiresAt.map { "revoked \($0.text)" }
        }
    }
}

extension BrokerCore {
    /// The current signing keys of one family, or of both.
    func signingKeyLines(_ family: StoredSigningKey.Family?) -> [SigningKeyLine] {
        let now = Timestamp(now())
        return [signingKeys, openID.signingKeys].filter { family == nil || $0.family == family }.flatMap { keys in
            let schedule = keys.schedule
            return schedule.rows.map { row in
                SigningKeyLine(
                    row: row, phase: schedule.phase(of: row, at: now),
                    publicationEnd: row.state == .revoked ? nil : schedule.publicationEnd(of: row))
            }
        }
    }
}

import ArgumentParser
import Broker
import Foundation
import ProviderKit

/// Imports a file of users, page by page. It is repeated after an interruption: users who are there already are passed over
/// (decision 0030).
struct UserImport {
    /// The treatment of users without an identity of an enabled entry: those who sign in with a password, a telephone or
    /// an e-mail link, and those who are anonymous or sign in with custom tokens.
    enum WithoutIdentity: String, CaseIterable, Sendable {
        /// They are imported, and cannot sign in except with custom tokens, until an identity is linked.
        case keep
        /// They are left out.
        case skip
    }

    let path: String
    let format: UserFileFormat
    let connections: [String]
    let withoutIdentity: WithoutIdentity?
    let replacesExisting: Bool
    let isDryRun: Bool
    let report: ImportReport

    private static let pageSize = 500

    /// Reads the file once before anything is written, and once to import it.
    ///
    /// - Throws: ``CommandFailure`` for a damaged file and for decisions that are left open; or an error of the operation.
    ///   What was imported before stays.
    func callAsFunction(_ execute: OperationExecutor) async throws -> ImportSummary {
        let entries = try await execute(ImportUserPage(users: [])).providers
        let map = try ConnectionMap(connections, of: format, entries: entries)
        let total = try inspect(map)
        let file = try UserFile(path, format)
        let progress = ProgressLine()
        var summary = ImportSummary(isDryRun: isDryRun)
        var users = try file.page(of: Self.pageSize).map(map.mapped)
        while !users.isEmpty {
            let page = users.filter { withoutIdentity != .skip || !$0.identities.isEmpty }
            let operation = ImportUserPage(
                users: page.map(\.record), replaceExisting: replacesExisting, dryRun: isDryRun)
            // The next page is read while this one is written.
            async let answer = execute(operation)
            let next = try file.page(of: Self.pageSize).map(map.mapped)
            try note(users, try await answer.results, in: &summary)
            progress.note(isDryRun ? "checking" : "importing", summary.users, of: total, "users")
            users = next
        }
        try report.flush()
        return summary
    }

    /// Reads the whole file and counts its users.
    private func inspect(_ map: ConnectionMap) throws(CommandFailure) -> Int {
        let file = try UserFile(path, format)
        let progress = ProgressLine()
        while true {
            let users = try file.page(of: Self.pageSize)
            guard !users.isEmpty else { return file.count }
            for user in users { try inspect(user, map) }
            progress.note("reading", file.count, "users")
        }
    }

    /// Refuses what needs a decision.
    private func inspect(_ user: ForeignUser, _ map: ConnectionMap) throws(CommandFailure) {
        let providers = user.identities.map { $0["providerId"]?.string ?? "" }
        if let unknown = providers.first(where: { map.target(of: $0) == .unknown }) {
            throw CommandFailure(
                code: "UNKNOWN_PROVIDER",
                "\(user.localID) has an identity of \(unknown), and no enabled entry of plugins.json has this id. Add an "
                    + "entry, or pass --map \(unknown)=ENTRY, or --map \(unknown)=none to leave these identities out. "
                    + "Nothing was imported.", exitCode: .validationFailure)
        }
        guard withoutIdentity == nil, map.mapped(user).identities.isEmpty else { return }
        let methods = user.otherMethods.sorted().joined(separator: ", ")
        throw CommandFailure(
            code: "NO_IDENTITY",
            "\(user.localID) has no identity that signs in here (\(methods.isEmpty ? "no sign-in method" : methods)). "
                + "Pass --passwords keep to import such users without a way to sign in, or --passwords skip to leave "
                + "them out. Nothing was imported.", exitCode: .validationFailure)
    }

    private func note(
        _ users: [ForeignUser], _ results: [ImportUserPage.Result], in summary: inout ImportSummary
    ) throws {
        var results = results[...]
        for user in users {
            if withoutIdentity == .skip, user.identities.isEmpty {
                summary.skipped += 1
                summary.users += 1
                try report.add(user, nil, outcome: "skipped")
                continue
            }
            guard let result = results.popFirst() else {
                throw CommandFailure(code: "SERVER_ANSWER", "the broker's answer has too few results")
            }
            summary.note(user, result)
            try report.add(user, result, outcome: result.outcome.rawValue)
        }
    }
}

/// The counts of an import.
struct ImportSummary {
    let isDryRun: Bool
    var users = 0
    var created = 0
    var replaced = 0
    var unchanged = 0
    var refused = 0
    var skipped = 0
    /// Imported users without an identity.
    var withoutIdentity = 0
    /// Imported identities by entry.
    var identities: [String: Int] = [:]
    var droppedFields: [String: Int] = [:]
    var refusals: [String: Int] = [:]

    init(isDryRun: Bool) {
        self.isDryRun = isDryRun
    }

    mutating func note(_ user: ForeignUser, _ result: ImportUserPage.Result) {
        users += 1
        switch result.outcome {
        case .created: created += 1
        case .replaced: replaced += 1
        case .unchanged: unchanged += 1
        case .refused:
            refused += 1
            refusals[result.code ?? "", default: 0] += 1
            return
        }
        if user.identities.isEmpty { withoutIdentity += 1 }
        for identity in user.identities { identities[identity["providerId"]?.string ?? "", default: 0] += 1 }
        for name in user.dropped + (result.dropped ?? []) { droppedFields[name, default: 0] += 1 }
    }

    var document: JSONObject {
        [
            "dryRun": .bool(isDryRun), "users": .integer(Int64(users)), "created": .integer(Int64(created)),
            "replaced": .integer(Int64(replaced)), "unchanged": .integer(Int64(unchanged)),
            "refused": .integer(Int64(refused)), "skipped": .integer(Int64(skipped)),
            "withoutIdentity": .integer(Int64(withoutIdentity)), "identities": Self.object(identities),
            "droppedFields": Self.object(droppedFields), "refusals": Self.object(refusals),
        ]
    }

    private static func object(_ counts: [String: Int]) -> JSONValue {
        .object(JSONObject(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) }))
    }

    var text: TerminalText {
        func list(_ counts: [String: Int]) -> String {
            counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }
        var lines = [
            isDryRun ? "Dry run: nothing was written." : "Import finished.",
            "  users in the file   \(users)", "  created             \(created)",
        ]
        if replaced > 0 { lines.append("  replaced            \(replaced)") }
        if unchanged > 0 { lines.append("  imported before     \(unchanged)") }
        if skipped > 0 { lines.append("  left out            \(skipped)") }
        if withoutIdentity > 0 { lines.append("  without identity    \(withoutIdentity)") }
        if !identities.isEmpty { lines.append("  identities          \(list(identities))") }
        if !droppedFields.isEmpty { lines.append("  fields not imported \(list(droppedFields))") }
        if refused > 0 { lines.append("  refused             \(refused): \(list(refusals))") }
        return TerminalText(escapingLines: lines.joined(separator: "\n"))
    }
}

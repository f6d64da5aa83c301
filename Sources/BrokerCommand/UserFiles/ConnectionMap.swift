import ArgumentParser
import ProviderKit

/// The provider entries that identities of a file are given to.
struct ConnectionMap {
    /// The value of `--map`: the entry for a provider of the file, or nil for identities that are left out.
    private var chosen: [String: String?] = [:]
    private let format: UserFileFormat
    /// The ids of the enabled entries.
    private let entries: Set<String>

    /// The value of `--map` for identities that are left out.
    static let none = "none"

    /// - Throws: ``CommandFailure`` when an argument is no `NAME=ENTRY` or names an entry that is not enabled.
    init(
        _ arguments: [String], of format: UserFileFormat, entries: [String]
    ) throws(CommandFailure) {
        self.format = format
        self.entries = Set(entries)
        for argument in arguments {
            guard let split = argument.lastIndex(of: "=") else {
                throw Self.failure("--map takes NAME=ENTRY, or NAME=none, not \(argument)")
            }
            let (name, entry) = (String(argument[..<split]), String(argument[argument.index(after: split)...]))
            guard !name.isEmpty, entry == Self.none || self.entries.contains(entry) else {
                throw Self.failure(
                    "--map \(argument): plugins.json has no enabled entry \(entry). Enabled are: "
                        + (entries.isEmpty ? "none" : entries.joined(separator: ", ")))
            }
            chosen[name] = entry == Self.none ? .some(nil) : entry
        }
    }

    private static func failure(_ message: String) -> CommandFailure {
        CommandFailure(code: "INVALID_MAP", message, exitCode: .validationFailure)
    }

    enum Target: Equatable {
        case entry(String)
        case leftOut
        /// Neither `--map` nor the entries say.
        case unknown
    }

    func target(of provider: String) -> Target {
        if let chosen = chosen[provider] { return chosen.map(Target.entry) ?? .leftOut }
        let usual = format.usualEntry(of: provider)
        return entries.contains(usual) ? .entry(usual) : .unknown
    }

    /// The user with the ids of entries; identities without one are dropped by name. Of two identities of one entry the
    /// first stays.
    func mapped(_ user: ForeignUser) -> ForeignUser {
        var mapped = user
        var seen: Set<String> = []
        var kept: [JSONObject] = []
        for var identity in user.identities {
            let provider = identity["providerId"]?.string ?? ""
            guard case .entry(let entry) = target(of: provider), seen.insert(entry).inserted else {
                mapped.dropped.append("identity:\(provider)")
                continue
            }
            identity["providerId"] = .string(entry)
            kept.append(identity)
        }
        mapped.identities = kept
        return mapped
    }
}

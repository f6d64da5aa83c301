/// The folders of `Sources/Broker`, from the ground up: each names only types and members of those before it.
///
/// A type is found by its name, so a top-level type and a nested one that two folders use must not share theirs. So is a
/// member of an extension: one that shares its name with a member of an earlier folder, or of a target below, is not seen.
enum FolderOrder {
    static let root = "Sources/Broker"

    /// Text comes first, then the files that stand in no folder: values that every other folder may name.
    static let folders = [
        "Terminal", "", "Metrics", "Configuration", "HTTP", "Vault", "Providers", "Sessions", "Outbox", "Accounts",
        "Redirects",
        "IdentityToolkit", "OpenID", "Hosted", "Inbound", "Administration", "OpenAPI", "Console",
        "Server",
    ]

    /// The first folder of a file below ``root``; empty for a file that stands in none.
    static func folder(of file: SourceFile) -> String {
        let parts = file.path.dropFirst(root.utf8.count + 1).split(separator: "/")
        return parts.count > 1 ? String(parts[0]) : ""
    }

    /// Finds the names that a file uses and only later folders declare.
    ///
    /// - Parameters:
    ///   - files: The files of the folders.
    ///   - targets: The files of the targets below, whose members every folder may use.
    /// - Returns: Each as `file names type of folder` or `file uses member of folder`.
    static func violations(in files: [SourceFile], above targets: [SourceFile] = []) -> [String] {
        let names = files.map { (file: $0, names: SourceNames($0)) }
        var types: [String: Set<String>] = [:]
        var members: [String: Set<String>] = [:]
        for (file, names) in names {
            for name in names.types { types[name, default: []].insert(folder(of: file)) }
            for name in names.members { members[name, default: []].insert(folder(of: file)) }
        }
        types = types.filter { $0.value.count == 1 }
        // A member of a folder's own type is reached only through a name of that folder.
        var shared = names.reduce(into: Set<String>()) { shared, next in
            let foreign = next.names.extensions.filter { types[$0.type] != [folder(of: next.file)] }
            shared.formUnion(next.names.globals.union(foreign.map(\.member)))
        }
        for target in targets { shared.subtract(SourceNames(target).members) }
        return names.flatMap { file, names in
            found(names.usedTypes, in: file, "names", of: types)
                + found(names.usedMembers.intersection(shared), in: file, "uses", of: members)
        }
    }

    /// The names that no folder declares which the file's folder may use.
    private static func found(
        _ names: Set<String>, in file: SourceFile, _ verb: String, of owners: [String: Set<String>]
    ) -> [String] {
        let own = folder(of: file)
        let below = Set(folders.firstIndex(of: own).map { folders[...$0] } ?? [])
        return names.sorted().compactMap { name in
            guard let owners = owners[name], !owners.contains(own), owners.isDisjoint(with: below) else { return nil }
            return "\(file) \(verb) \(name) of \(owners.sorted().joined(separator: ", "))"
        }
    }
}

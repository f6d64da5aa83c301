/// The folders of `Sources/Broker`, from the ground up: each names only types of those before it.
///
/// A type is found by its name, so a top-level type and a nested one that two folders use must not share theirs.
enum FolderOrder {
    static let root = "Sources/Broker"

    /// The files that stand in no folder come first: values that every folder may name.
    static let folders = [
        "", "Metrics", "Configuration", "HTTP", "Vault", "Providers", "Sessions", "Outbox", "Accounts", "Redirects",
        "IdentityToolkit", "OpenID", "Hosted", "Inbound", "Administration", "OpenAPI", "Server",
    ]

    /// The first folder of a file below ``root``; empty for a file that stands in none.
    static func folder(of file: SourceFile) -> String {
        let parts = file.path.dropFirst(root.utf8.count + 1).split(separator: "/")
        return parts.count > 1 ? String(parts[0]) : ""
    }

    /// The names that files must not use, each as `file names type of folder`.
    static func violations(in files: [SourceFile]) -> [String] {
        let owners = owners(of: files)
        return files.flatMap { file in
            let own = folder(of: file)
            let position = folders.firstIndex(of: own)
            return file.namedTypes.sorted().compactMap { name -> String? in
                guard let owner = owners[name], owner != own else { return nil }
                guard let position, let below = folders.firstIndex(of: owner), below < position else {
                    return "\(file) names \(name) of \(owner)"
                }
                return nil
            }
        }
    }

    /// The folder of each top-level type that one folder declares.
    private static func owners(of files: [SourceFile]) -> [String: String] {
        var owners: [String: Set<String>] = [:]
        for file in files {
            for name in file.declaredTypes { owners[name, default: []].insert(folder(of: file)) }
        }
        return owners.compactMapValues { $0.count == 1 ? $0.first : nil }
    }
}

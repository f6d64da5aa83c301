import Testing

@Suite("Which folder names whose types")
struct FolderOrderTests {
    /// The folders of `Sources` that the broker does not import, or that hold no Swift.
    private static let notBelow: Set = [
        "Broker", "BrokerAuthMiddleware", "BrokerCLI", "BrokerClient", "BrokerCommand", "COpenSSL", "CPostgres",
        "CSQLite", "ProviderKitTesting", "ProviderSimulators", "Providers",
    ]

    @Test func `each folder of the broker names only types of the folders before it`() throws {
        let files = try Repository.swiftFiles(below: FolderOrder.root)
        let targets = try Repository.folders(in: "Sources").filter { !Self.notBelow.contains($0) }
            .flatMap { try Repository.swiftFiles(below: "Sources/\($0)") }

        #expect(targets.contains { $0.path.hasPrefix("Sources/BrokerStore/") })
        #expect(FolderOrder.violations(in: files, above: targets) == [])
    }

    @Test func `every folder of the broker has its place in the order`() throws {
        let files = try Repository.swiftFiles(below: FolderOrder.root)

        #expect(Set(files.map(FolderOrder.folder)).sorted() == FolderOrder.folders.sorted())
    }

    @Test(arguments: [
        ("Vault", "Accounts", true), ("Accounts", "Vault", false), ("Accounts", "Accounts", false),
        ("HTTP", "Sessions", true), ("Unknown", "Vault", true), ("", "Configuration", true),
    ])
    func `a type of a later folder, or in an unknown one, is found`(user: String, owner: String, isFound: Bool) {
        let place = user.isEmpty ? "" : user + "/"
        let files = [
            SourceFile(path: "\(FolderOrder.root)/\(place)User.swift", text: "let grant: StoredGrant? = nil"),
            SourceFile(path: "\(FolderOrder.root)/\(owner)/StoredGrant.swift", text: "package struct StoredGrant {}"),
        ]

        #expect(FolderOrder.violations(in: files).isEmpty == !isFound)
    }

    @Test(arguments: [
        ("print(grant.subjectHash)", "subjectHash"), ("let hashes = grants.map(\\.subjectHash)", "subjectHash"),
        ("let text = \"of \\(grant.hash(in: [grant]))\"", "hash"), ("revoke()", "revoke"),
        ("let grant = Grant(text: text)", "Grant(text:"), ("let grants = first <> second", "<>"),
    ])
    func `a member or an operator that only a later folder declares is found`(use: String, member: String) {
        let user = SourceFile(path: "\(FolderOrder.root)/Sessions/User.swift", text: use)

        #expect(FolderOrder.violations(in: [user, Self.members]) == ["\(user) uses \(member) of Accounts"])
    }

    @Test func `a member of a later folder whose name is declared below is not found`() {
        let user = SourceFile(
            path: "\(FolderOrder.root)/Sessions/User.swift",
            text: """
                let text = "grant.subjectHash"  // grant.subjectHash
                let subjectHash = grant.secret
                let local = grant.local
                extension Grant {
                    func hash() {}
                }
                grant.hash()
                """)
        let target = SourceFile(
            path: "Sources/BrokerStore/Row.swift", text: "struct Row {\n    let subjectHash: String\n}")
        let reader = SourceFile(path: "\(FolderOrder.root)/Vault/Reader.swift", text: "row.subjectHash")

        #expect(FolderOrder.violations(in: [user, Self.members]) == [])
        #expect(FolderOrder.violations(in: [reader, Self.members], above: [target]) == [])
    }

    /// A file of the folder Accounts that extends a type of another target.
    private static let members = SourceFile(
        path: "\(FolderOrder.root)/Accounts/Grant.swift",
        text: """
            infix operator <>
            extension Grant {
                package var subjectHash: String { "" }
                static func hash(in grants: [Grant]) {
                    let local = 1
                }
                mutating func revoke() {}
                private func secret() {}
                init(text: String) {}
            }
            """)

    @Test func `a name in a comment or a string is not one of a type`() {
        let file = SourceFile(
            path: "a.swift",
            text: """
                // Session
                let text = "Session and \\"Session"  // Session
                struct User {}
                final class Owner {
                    struct Nested {}
                }
                """)

        #expect(SourceNames(file).types == ["User", "Owner"])
        #expect(!SourceNames(file).usedTypes.contains("Session"))
    }
}

import Testing

@Suite("Which folder names whose types")
struct FolderOrderTests {
    @Test func `each folder of the broker names only types of the folders before it`() throws {
        #expect(FolderOrder.violations(in: try Repository.swiftFiles(below: FolderOrder.root)) == [])
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

        #expect(file.declaredTypes == ["User", "Owner"])
        #expect(!file.namedTypes.contains("Session"))
    }
}

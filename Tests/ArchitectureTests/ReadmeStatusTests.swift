import Testing

@Suite("The README's status")
struct ReadmeStatusTests {
    /// Words of a feature, and a type that exists only where it is implemented.
    private static let features = [
        "revocation": "GrantRevocation", "refresh": "GrantRefresh", "notification": "Notifications",
        "migration": "SubjectMigration", "audit": "VerifyAuditChain", "webhook": "AddWebhook", "merge": "ApproveMerge",
        "backup": "StoreBackup", "import": "ImportUserPage", "console": "ConsoleVisit",
    ]

    @Test func `the README denies no feature that the sources have`() throws {
        let readme = try Repository.text("README.md")
        let start = try #require(readme.firstRange(of: "Not implemented:")).upperBound
        let end = try #require(readme[start...].firstRange(of: "\n## ")).lowerBound
        let list = readme[start..<end].lowercased()
        let types = try Repository.swiftFiles(below: "Sources").reduce(into: Set<String>()) {
            $0.formUnion(SourceNames($1).types)
        }

        #expect(list.contains("- "))
        for (word, type) in Self.features where types.contains(type) {
            #expect(!list.contains(word), "\(type) is there, and the README says it is not: \(word)")
        }
        #expect(types.isSuperset(of: ["GrantRevocation", "GrantRefresh", "SubjectMigration", "VerifyAuditChain"]))
    }
}

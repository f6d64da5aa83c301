import Testing

@Suite("Import rules")
struct ImportRulesTests {
    @Test(arguments: ImportRule.all)
    func `a folder imports only what its rule allows`(rule: ImportRule) throws {
        let files = try Repository.swiftFiles(below: rule.folder)
            .filter { ImportRule.closest(to: $0)?.folder == rule.folder }

        for file in files {
            let forbidden = file.imports.subtracting(rule.modules).sorted()
            #expect(forbidden.isEmpty, "\(file) imports \(forbidden.joined(separator: ", "))")
        }
    }

    @Test func `every source file has a rule`() throws {
        let files = try Repository.swiftFiles(below: "Sources")

        #expect(files.filter { ImportRule.closest(to: $0) == nil }.map(\.path) == [])
    }

    @Test(arguments: [
        ("CSQLite", "Sources/BrokerStore/Engines/SQLite/"), ("Hummingbird", "Sources/Broker/HTTP/"),
        ("AsyncHTTPClient", "Sources/Broker/Providers/"), ("ArgumentParser", "Sources/BrokerCommand/"),
    ])
    func `the rules are read from files that have imports`(module: String, folder: String) throws {
        let files = try Repository.swiftFiles(below: "Sources")

        #expect(files.contains { $0.path.hasPrefix(folder) && $0.imports.contains(module) })
    }

    @Test(arguments: [
        "import Crypto", "package import Crypto", "@testable import Crypto", "    import struct Crypto.SHA256",
        "import Crypto  // why", "@preconcurrency public import Crypto",
    ])
    func `an import is seen in each of its forms`(line: String) {
        #expect(SourceFile(path: "a.swift", text: "\n\(line)\nlet a = 1").imports == ["Crypto"])
    }

    @Test(arguments: ["// import Crypto", "let text = \"import Crypto\"", "important()"])
    func `what only looks like an import is none`(line: String) {
        #expect(SourceFile(path: "a.swift", text: line).imports.isEmpty)
    }
}

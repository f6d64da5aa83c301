import Testing

@Suite("What may stand in a source file")
struct SourceRulesTests {
    /// The words that end the process, or disable a check of the compiler.
    private static let escapes = [
        "try!", "as!", "fatalError(", "@unchecked Sendable", "nonisolated(unsafe)", "unsafeBitCast(",
        "@preconcurrency import", "assumeIsolated",
    ]

    // A fixture that vanished would take every check of its plugin along without a word.
    @Test(arguments: ["Apple", "Generic", "GitHub", "GitLab", "OnePass"])
    func `every kind of provider goes through the conformance suite`(plugin: String) throws {
        let kinds = try Repository.swiftFiles(below: "Sources/Providers/\(plugin)")
            .reduce(0) { $0 + $1.text.matches(of: /kind: ProviderKind = "/).count }
        let suites = try Repository.swiftFiles(below: "Tests/Providers/\(plugin)Tests")
            .filter { $0.path.hasSuffix("ConformanceTests.swift") && $0.text.contains("ConformanceSuite(") }

        #expect(kinds > 0 && suites.count == kinds)
    }

    @Test(arguments: escapes)
    func `no source file escapes the compiler`(escape: String) throws {
        let files = try Repository.swiftFiles(below: "Sources")

        #expect(files.filter { $0.code.contains { $0.contains(escape) } }.map(\.path) == [])
    }

    @Test(arguments: ["TODO", "FIXME", "XXX:", "MARK:", "HACK"])
    func `no file puts work off or draws banners`(word: String) throws {
        let files = try Repository.swiftFiles(below: "Sources", "Tests", "Benchmarks")
            .filter { $0.path != "Tests/ArchitectureTests/SourceRulesTests.swift" }

        #expect(files.filter { $0.text.contains(word) }.map(\.path) == [])
    }

    @Test(arguments: ["Utils", "Util", "Utilities", "Helper", "Helpers", "Manager", "Common", "Misc", "Placeholder"])
    func `no file or folder has a name that says nothing`(name: String) throws {
        let files = try Repository.swiftFiles(below: "Sources", "Tests", "Benchmarks")

        let named = files.filter { file in
            file.path.dropLast(".swift".count).split(separator: "/").contains { $0.hasSuffix(name) }
        }
        #expect(named.map(\.path) == [])
    }

    /// Text for a terminal is escaped by its type; only these write there.
    @Test func `only TerminalText, questions, the status line and the log write to a terminal`() throws {
        let files = try Repository.swiftFiles(below: "Sources/BrokerCommand")
        let write = /\bprint\(|standardError\.write|standardOutput\.write|terminal\.write/

        let writing = files.filter { $0.code.contains { $0.contains(write) } }.map(\.path)
        #expect(
            writing
                == ["Confirmation", "Remote/SecretPrompt", "StandardErrorLog", "StatusLine", "TerminalText+Show"].map {
                    "Sources/BrokerCommand/\($0).swift"
                })
    }

    /// What an app's users could lose by it: user defaults are backed up in plain text, and logs are sent in reports.
    @Test func `BrokerClient keeps one boolean in user defaults, and prints and logs nothing`() throws {
        let files = try Repository.swiftFiles(below: "Sources/BrokerClient")
            .filter { !$0.path.contains(".docc/") }
        let output = /\b(print|debugPrint|dump|NSLog|os_log|Logger)\(|import (os|OSLog|Logging)\b/

        let storing = files.filter { $0.code.contains { $0.contains("UserDefaults") } }
        #expect(storing.map(\.path) == ["Sources/BrokerClient/Keychain/InstallMarker.swift"])
        let stored = storing.flatMap(\.code).flatMap { line in
            line.matches(of: /\.set\(([^)]*)\)/).map { String($0.1) }
        }
        #expect(stored == ["true, forKey: name"])
        #expect(files.filter { $0.code.contains { $0.contains(output) } }.map(\.path) == [])
    }

    /// A flow is a function of its layer's context, not a type that is called.
    @Test func `only texts are called as functions in the broker`() throws {
        let files = try Repository.swiftFiles(below: "Sources/Broker")

        let called = files.filter { $0.code.contains { $0.contains("func callAsFunction") } }
        #expect(
            Set(called.map(\.path)) == [
                "Sources/Broker/HTTP/SecondText.swift", "Sources/Broker/Hosted/Pages/PageText.swift",
            ])
    }

    @Test func `only BrokerStore contains SQL`() throws {
        let files = try Repository.swiftFiles(below: "Sources").filter { !$0.path.hasPrefix("Sources/BrokerStore/") }
        let statement = /\b(SELECT .+ FROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET|CREATE TABLE|PRAGMA )/

        #expect(files.filter { $0.code.contains { $0.contains(statement) } }.map(\.path) == [])
    }
}

import Foundation
import Testing

@Suite("Scripts")
struct ScriptTests {
    private static let names = [
        "setup", "demo", "test", "engine-filters", "lint", "docs", "generate", "check-apple-sources",
        "check-app-package",
        "format", "bench", "conformance", "mutants", "new-plugin", "slowest", "soak",
    ]

    @Test(arguments: names)
    func `a script tells what it does`(name: String) throws {
        let script = Process()
        script.executableURL = Repository.root.appending(path: "scripts/\(name)")
        script.arguments = ["--help"]
        let output = Pipe()
        script.standardOutput = output

        try script.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        script.waitUntilExit()

        #expect(script.terminationStatus == 0)
        #expect(text.hasPrefix("Usage: scripts/\(name)"))
    }

    @Test func `there is no script that is not tested here`() throws {
        let folder = Repository.root.appending(path: "scripts").path

        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == Self.names.sorted())
    }

    /// `scripts/test` repeats on PostgreSQL the tests that asked `TestEngine.current` for the engine.
    @Test func `tests learn the database from TestEngine alone, and ask anew each time`() throws {
        let files = try Repository.swiftFiles(below: "Tests").filter { !$0.path.hasPrefix("Tests/ArchitectureTests/") }
        let stored = /\b(static|lazy) (let|var) [^{]*(TestEngine\.current|TestEngine\b.*= \.current)/

        #expect(
            files.filter { $0.text.contains("TESTS_DATABASE") }.map(\.path)
                == ["Tests/PostgreSQLTesting/TestEngine.swift"])
        #expect(files.filter { $0.code.contains { $0.contains(stored) } }.map(\.path) == [])
    }
}

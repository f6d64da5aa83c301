import Foundation
import Testing

/// `Examples/CustomBroker`, from which `scripts/new-plugin` makes an author's package.
@Suite("The package of a plugin")
struct PluginPackageTests {
    private static let example = Repository.root.appending(path: "Examples/CustomBroker")

    private static func text(_ path: String, in folder: URL = example) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    @Test func `its page says how many lines an author reads`() throws {
        let rows = try Self.text("README.md").matches(of: /\| `([A-Za-z\/.]+)` \| (\d+) \|/)

        #expect(rows.count == 4)
        for row in rows {
            let lines = try Self.text(String(row.1)).count { $0 == "\n" }
            #expect(Int(row.2) == lines, "\(row.1)")
        }
    }

    @Test(arguments: [
        ("1-smallest.swift", "Tests/ProviderKitTests/Tutorial/SmallestPlugin.swift"),
        ("2-plugin.swift", "Examples/CustomBroker/Sources/Acme/AcmeProvider.swift"),
        ("3-fixture.swift", "Examples/CustomBroker/Tests/AcmeTests/AcmeConformanceTests.swift"),
        ("4-program.swift", "Examples/CustomBroker/Sources/CustomBroker/Main.swift"),
    ])
    func `the tutorial shows what is compiled`(step: String, file: String) throws {
        let shown = try Self.text("Sources/ProviderKit/ProviderKit.docc/Resources/\(step)", in: Repository.root)

        #expect(try shown == Self.text(file, in: Repository.root))
    }

    @Test func `the page of the kit begins with the smallest plugin`() throws {
        let smallest = try Self.text("Tests/ProviderKitTests/Tutorial/SmallestPlugin.swift", in: Repository.root)
        let page = try Self.text("Sources/ProviderKit/ProviderKit.docc/ProviderKit.md", in: Repository.root)

        #expect(page.contains("```swift\n\(smallest)```"))
        for row in try Self.text("README.md").matches(of: /Acme(?:Provider|ConformanceTests).swift` \| (\d+)/) {
            #expect(page.contains("\(row.1) "), "\(row.1)")
        }
    }

    @Test func `the script writes it with another name`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "new-plugin-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }

        #expect(try Self.run("night", folder.path) == 0)

        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".") }
            .sorted()
        #expect(
            files.filter { $0 != "Package.resolved" } == [
                "Package.swift", "README.md", "Sources/Night/NightProvider.swift", "Sources/NightBroker/Main.swift",
                "Tests/NightTests/NightConformanceTests.swift",
            ])
        for file in files where file != "Package.resolved" {
            let text = try Self.text(file, in: folder)
            #expect(!text.lowercased().contains("acme") && !text.contains("CustomBroker"), "\(file)")
        }
        let package = try Self.text("Package.swift", in: folder)
        #expect(package.contains("path: \"\(Repository.root.path(percentEncoded: false).trimmingSuffix("/"))\""))
    }

    @Test func `the new name may contain the example's`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "new-plugin-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }

        #expect(try Self.run("acmetwo", folder.path) == 0)

        let package = try Self.text("Package.swift", in: folder)
        #expect(package.contains("AcmetwoBroker") && !package.lowercased().contains("twotwo"))
        #expect(try Self.text("Sources/AcmetwoBroker/Main.swift", in: folder).contains("import Acmetwo"))
        _ = try Self.text("Sources/Acmetwo/AcmetwoProvider.swift", in: folder)
    }

    @Test(arguments: ["Acme", "1acme", "ac-me", "github", "standard", "generic", "", "a; rm"])
    func `a name that a package or the standard build cannot have is refused`(name: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "new-plugin-\(UUID().uuidString)")

        #expect(try Self.run(name, folder.path) == 64)

        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func `a folder that exists is not written into`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "new-plugin-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        #expect(try Self.run("night", folder.path) == 1)

        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// - Returns: The exit code.
    private static func run(_ arguments: String...) throws -> Int32 {
        let script = Process()
        script.executableURL = Repository.root.appending(path: "scripts/new-plugin")
        script.arguments = arguments
        script.standardOutput = FileHandle.nullDevice
        script.standardError = FileHandle.nullDevice
        try script.run()
        script.waitUntilExit()
        return script.terminationStatus
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

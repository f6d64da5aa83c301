import Testing

@Suite("What an app gets of this package")
struct AppPackageTests {
    /// The targets of the products that an app imports, and what those need.
    private static let targets = [
        "BrokerClient", "BrokerFirebaseAuth", "JOSE", "Locks", "OAuth", "ProviderKit", "StrictJSON",
    ]

    private static func files() throws -> [SourceFile] {
        try targets.flatMap { try Repository.swiftFiles(below: "Sources/\($0)") }.filter { !$0.path.contains(".docc/") }
    }

    /// What the symbols are sought in, split once for all of them.
    private static let code = Result { try files().map { (path: $0.path, lines: lines(of: $0)) } }

    private static func lines(of file: SourceFile) -> [String] {
        file.bareText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `an app's targets import each other, swift-crypto and modules of the platforms`() throws {
        let platforms: Set<String> = [
            "AppKit", "AuthenticationServices", "Darwin", "Dispatch", "Foundation", "FoundationNetworking", "Glibc",
            "LocalAuthentication", "Musl", "Observation", "Security", "SwiftUI", "Synchronization", "UIKit", "os",
        ]
        let allowed = platforms.union(Self.targets).union(["Crypto", "CryptoExtras"])

        for file in try Self.files() {
            #expect(file.imports.subtracting(allowed) == [], "\(file)")
        }
    }

    /// A package that turns the trait off must not resolve what only the server needs.
    @Test func `of other packages only swift-crypto stands before the trait Server`() throws {
        let manifest = try Repository.text("Package.swift")
        let unconditional = Set(manifest.matches(of: /package: "([\w-]+)"\)/).map { String($0.1) })
        let conditional = manifest.matches(of: /= server\("\w+", of: "([\w-]+)"\)/).map { String($0.1) }

        #expect(unconditional == ["swift-crypto"])
        #expect(conditional.count > 15)
        #expect(manifest.contains(".default(enabledTraits: [\"Server\"])"))
    }

    @Test func `an app's targets are for iOS 16 and macOS 13`() throws {
        #expect(try Repository.text("Package.swift").contains("[.iOS(.v16), .macOS(.v13)]"))
    }

    @Test(arguments: NewerSymbol.all)
    func `an app's targets use no newer symbol without asking for its system`(symbol: NewerSymbol) throws {
        // The lock is the standard library's on Linux alone.
        let files = try Self.code.get().filter { $0.path != "Sources/Locks/Mutex.swift" }

        #expect(try files.flatMap { try symbol.violations(in: $0.lines, of: $0.path) } == [])
    }

    @Test(arguments: [
        "@Observable final class State {}", "let a = String(validating: bytes, as: UTF8.self)",
        "import Synchronization", "@available(iOS 17, macOS 14, *)\nfunc f(_ a: UInt128) {}",
        "if #available(iOS 17, macOS 14, *) {\n    a()\n} else {\n    withObservationTracking(b)\n}",
        "@available(iOS 17, macOS 14, *)\nstruct A {}\n\nstruct B {\n    @ObservationIgnored var b = 1\n}",
    ])
    func `a newer symbol is found`(text: String) throws {
        let lines = Self.lines(of: SourceFile(path: "a.swift", text: text))

        #expect(try NewerSymbol.all.flatMap { try $0.violations(in: lines, of: "a.swift") }.count == 1)
    }

    @Test(arguments: [
        "/// Like `Synchronization.Mutex`, with UInt128.", "let text = \"UInt128\"",
        "@available(iOS 17, macOS 14, *)\n@MainActor @Observable final class State {\n    @ObservationIgnored var b = 1\n}",
        "if #available(iOS 18, macOS 15, *) {\n    a = String(validating: bytes, as: UTF8.self)\n}",
    ])
    func `what asks for its system is none`(text: String) throws {
        let lines = Self.lines(of: SourceFile(path: "a.swift", text: text))

        #expect(try NewerSymbol.all.flatMap { try $0.violations(in: lines, of: "a.swift") } == [])
    }
}

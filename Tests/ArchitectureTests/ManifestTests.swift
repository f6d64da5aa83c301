import Testing

@Suite("Package.swift")
struct ManifestTests {
    /// The lowest versions without a weakness that is known: a smaller number is a regression.
    private static let floors: [(package: String, major: Int, minor: Int)] = [
        // A remote crash by many header fields (CVE-2026-28980).
        ("apple/swift-nio", 2, 101),
        // A crash by deeply nested form keys.
        ("hummingbird-project/hummingbird", 2, 28),
        ("swift-server/async-http-client", 1, 37),
        ("apple/swift-crypto", 4, 5),
    ]

    @Test(arguments: floors)
    func `a dependency is never older than its last known weakness`(
        package: String, major: Int, minor: Int
    ) throws {
        let version = try #require(try Self.requirement(of: package), "\(package) has no `from:` in Package.swift")

        #expect(version.major == major)
        #expect(version.minor >= minor)
    }

    @Test func `the benchmarks take no older dependency than what they measure`() throws {
        for package in ["apple/swift-nio", "hummingbird-project/hummingbird", "apple/swift-crypto"] {
            let ours = try #require(try Self.requirement(of: package))
            let theirs = try #require(try Self.requirement(of: package, in: "Benchmarks/Package.swift"))

            #expect(theirs == ours, "\(package)")
        }
    }

    @Test func `every dependency is pinned to a major version`() throws {
        let manifest = try Repository.text("Package.swift")
        let packages = manifest.matches(of: /\.package\(url: "(.+?)", (\w+):/)

        #expect(packages.count >= 10)
        #expect(packages.filter { $0.2 != "from" }.map { String($0.1) } == [])
    }

    @Test func `jwt-kit serves as an oracle in tests only`() throws {
        let sources = try Repository.swiftFiles(below: "Sources", "Benchmarks")
        let tests = try Repository.swiftFiles(below: "Tests")

        #expect(sources.filter { $0.imports.contains("JWTKit") }.map(\.path) == [])
        #expect(tests.contains { $0.imports.contains("JWTKit") })
    }

    @Test(
        arguments: [
            "ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault", "NonisolatedNonsendingByDefault",
        ], ["Package.swift", "Benchmarks/Package.swift"])
    func `an upcoming feature is on for every Swift target`(feature: String, file: String) throws {
        let manifest = try Repository.text(file)
        // Those in C have names like CSQLite or settings of C; a dependency is written as a target too, with a condition.
        let targets = manifest.matches(
            of: /\.(target|executableTarget|testTarget)\((?!name: ("C[A-Z]|"\w+", cSettings))/
        ).count
        let configured = manifest.matches(of: /swiftSettings: settings/).count

        #expect(manifest.contains(#".enableUpcomingFeature("\#(feature)")"#))
        #expect(configured == targets)
    }

    private static func requirement(
        of package: String, in file: String = "Package.swift"
    ) throws -> (major: Int, minor: Int)? {
        let line = try Repository.text(file).split(separator: "\n").first { $0.contains("/\(package)\"") }
        guard let match = line?.firstMatch(of: /from: "(\d+)\.(\d+)\.\d+"/), let major = Int(match.1),
            let minor = Int(match.2)
        else { return nil }
        return (major, minor)
    }
}

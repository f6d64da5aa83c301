import Foundation
import Testing

/// What is said in `Deploy` and decided elsewhere: here the two are held together.
@Suite("Deploy")
struct DeployTests {
    /// What a program linked with a Debian `-dev` package needs where it runs.
    private static let linked = ["libsqlite3-dev": "libsqlite3-0"]
    /// The same for libraries that the program opens itself.
    private static let opened = ["libpq-dev": "libpq5", "libssl-dev": "libssl3"]

    @Test func `the image is built with what the manifest asks apt for, and runs with its libraries`() throws {
        let manifest = try Repository.text("Package.swift")
        let asked = manifest.matches(of: /\.apt\(\["([^"]+)"\]\)/).map { String($0.1) }
        let stages = try Self.stages()

        #expect(Set(asked) == Set(Self.linked.keys), "name the new library's package here as well")
        for (package, library) in Self.linked.merging(Self.opened, uniquingKeysWith: { linked, _ in linked }) {
            #expect(stages.build.contains(" \(package) "), "\(package)")
            #expect(stages.run.contains(" \(library) "), "\(library)")
        }
    }

    @Test func `both stages are of one release, and the compiler is new enough for the manifest`() throws {
        let dockerfile = try Repository.text("Deploy/Dockerfile")
        let manifest = try Repository.text("Package.swift")
        let image = try #require(dockerfile.firstMatch(of: /ARG SWIFT_VERSION=(\d+)\.(\d+)\n/))
        let tools = try #require(manifest.firstMatch(of: /swift-tools-version: (\d+)\.(\d+)/))
        let compiler = [image.1, image.2].compactMap { Int($0) }
        let needed = [tools.1, tools.2].compactMap { Int($0) }

        #expect(dockerfile.contains("FROM swift:${SWIFT_VERSION}-${DEBIAN_RELEASE} AS build"))
        #expect(dockerfile.contains("FROM debian:${DEBIAN_RELEASE}-slim"))
        #expect(!compiler.lexicographicallyPrecedes(needed), "\(compiler) \(needed)")
    }

    @Test func `nothing in the image runs as root, and its health is asked for`() throws {
        let run = try Self.stages().run
        let user = try #require(run.firstMatch(of: /USER (\d+):(\d+)/))

        #expect(user.1 != "0" && user.2 != "0")
        #expect(run.contains("useradd --system --uid \(user.1) "))
        #expect(run.contains(#"CMD ["broker", "health"]"#))
    }

    @Test func `the image is built from everything the manifest names and from nothing secret`() throws {
        let ignored = try Repository.text(".dockerignore").split(separator: "\n").filter { !$0.hasPrefix("#") }
        let manifest = try Repository.text("Package.swift")
        let folders = Set(manifest.matches(of: /path: "(\w+)\//).map { String($0.1) }).union(["Sources", "Tests"])

        for folder in folders.union(["Package.swift", "Package.resolved"]) {
            #expect(!ignored.contains { $0 == folder || $0.hasPrefix("\(folder)/") }, "\(folder)")
        }
        for name in [".build", ".git", "**/*.key", "**/*.sqlite*", "**/broker.json", "**/secrets"] {
            #expect(ignored.contains { $0 == name }, "\(name)")
        }
    }

    @Test func `every file the compose file mounts is there or made by the steps of the README`() throws {
        let readme = try Repository.text("Deploy/README.md")
        let files = try Repository.text("Deploy/compose.yaml").matches(of: /\.\/([\w\/.-]+)/).map { String($0.1) }

        #expect(files.count >= 5)
        for file in Set(files) {
            let isThere = FileManager.default.fileExists(atPath: Repository.root.appending(path: "Deploy/\(file)").path)
            #expect(isThere || readme.contains("> \(file)\n") || readme.contains("mkdir -m 700 \(file) "), "\(file)")
        }
    }

    @Test func `the stop time-out is longer than that of a request`() throws {
        let server = try Repository.text("Sources/Broker/Server/BrokerServer.swift")
        let deadline = server.firstMatch(of: /EventLoopChannel\(\s+deadline: \.seconds\((\d+)\),/)
        let limit = try #require(deadline.flatMap { Int($0.1) })
        let unit = try Repository.text("Deploy/broker.service").firstMatch(of: /TimeoutStopSec=(\d+)s/)
        let compose = try Repository.text("Deploy/compose.yaml").firstMatch(of: /stop_grace_period: (\d+)s/)

        #expect(try #require(unit.flatMap { Int($0.1) }) > limit)
        #expect(try #require(compose.flatMap { Int($0.1) }) > limit)
    }

    @Test func `the compose file disables TLS to its database explicitly`() throws {
        let readme = try Repository.text("Deploy/README.md")

        #expect(readme.contains("@database/broker?sslmode=disable"))
    }

    /// The text checks above hold on every machine; this one needs systemd's own tool, which a container or a Mac may
    /// not have, and is then reported as skipped.
    @Test(.enabled(if: Self.systemdAnalyze != nil, "there is no systemd-analyze on this machine"))
    func `systemd understands the unit and finds it well confined`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "unit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let unit = folder.appending(path: "broker.service").path
        // The tool wants the program to be installed.
        let text = try Repository.text("Deploy/broker.service")
            .replacingOccurrences(of: "/usr/local/bin/broker", with: "/bin/true")
        try text.write(toFile: unit, atomically: true, encoding: .utf8)

        let verified = try Self.run("verify", unit)
        let judged = try Self.run("security", "--offline=true", "--threshold=20", "--no-pager", unit)

        #expect(verified.status == 0 && verified.text.isEmpty, "\(verified.text)")
        #expect(judged.status == 0, "\(judged.text.suffix(200))")
    }

    private static let systemdAnalyze = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private static func run(_ arguments: String...) throws -> (status: Int32, text: String) {
        let tool = Process()
        tool.executableURL = URL(filePath: try #require(systemdAnalyze))
        tool.arguments = arguments
        let output = Pipe()
        (tool.standardOutput, tool.standardError) = (output, output)
        try tool.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        tool.waitUntilExit()
        return (tool.terminationStatus, text)
    }

    private static func stages() throws -> (build: String, run: String) {
        // Line ends count as spaces, so that every word has one on both sides.
        let text = try Repository.text("Deploy/Dockerfile").replacingOccurrences(of: "\n", with: " ")
        let parts = text.components(separatedBy: "FROM ")
        guard parts.count == 3 else { throw Repository.Failure(description: "the Dockerfile has not two stages") }
        return (parts[1], parts[2])
    }
}

import Foundation
import Testing

@Suite("Installing the peers of the benchmarks")
struct PeerInstallationTests {
    @Test func `every package has a whole name`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "peers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // A machine without any of them, whose package manager writes down what it is asked for.
        let log = folder.appending(path: "packages").path
        for (name, text) in [
            ("dpkg", "exit 1"), ("sudo", #"exec "$@""#), ("apt-get", #"printf '%s\n' "$@" >> '\#(log)'"#),
            ("python3", #"mkdir -p "$3/bin"; printf '#!/bin/sh\n' > "$3/bin/pip"; chmod +x "$3/bin/pip""#),
        ] {
            let isWritten = FileManager.default.createFile(
                atPath: folder.appending(path: name).path, contents: Data("#!/bin/sh\n\(text)\n".utf8),
                attributes: [.posixPermissions: 0o755])
            try #require(isWritten)
        }
        let script = Process()
        script.executableURL = Repository.root.appending(path: "Benchmarks/Peers/install")
        script.arguments = [folder.appending(path: "environment").path]
        script.environment = ["PATH": "\(folder.path):/usr/bin:/bin"]

        try script.run()
        script.waitUntilExit()

        let words = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        let packages = words.filter { !$0.hasPrefix("-") && !["update", "install"].contains($0) }
        #expect(script.terminationStatus == 0)
        #expect(packages.contains("liblemonldap-ng-common-perl") && packages.contains("glewlwyd"))
        #expect(packages.filter { $0.wholeMatch(of: /[a-z0-9][a-z0-9+.-]*[a-z0-9+]/) == nil } == [])
        #expect(!packages.contains("perl"), "half of a name")
        #expect(Set(packages).count == packages.count)
    }
}

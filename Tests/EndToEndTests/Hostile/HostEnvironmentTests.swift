import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("What the host gives a broker", .timeLimit(.minutes(20)))
struct HostEnvironmentTests {
    @Test func `HTTP_PROXY and its kin are ignored, by the server and by commands`() async throws {
        let proxy = try await ForbiddenListener.start()
        let names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
        var environment = ["NO_PROXY": "", "no_proxy": ""]
        for name in names + names.map({ $0.lowercased() }) { environment[name] = proxy.url }
        try await Installation.run { broker in
            try await broker.serve(through: ["env"] + environment.map { "\($0)=\($1)" }) { _, client in
                let answer = try await client.signIn(accessToken: broker.accessToken("ada"))
                #expect(answer.status == 200, "\(answer)")
                let address = client.url.replacing("http://", with: "")
                let health = try await broker.command("health", "--listen", address, environment: environment)
                #expect(health.exitCode == 0, "\(health)")
            }
            let check = try await broker.command("providers", "check", "github.com", environment: environment)
            #expect(check.exitCode == 0, "\(check)")
        }
        #expect(proxy.hits == 0)
        await proxy.stop()
    }

    @Test func `with 64 open files it backs off, and recovers once clients go`() async throws {
        try await Installation.run { broker in
            let limit = ["sh", "-c", #"ulimit -n 64 && exec "$@""#, "sh"]
            try await broker.serve(through: limit) { process, client in
                let before = try await client.signIn(accessToken: broker.accessToken("ada"))
                let port = try #require(URL(string: client.url)?.port)
                let connections = try (0..<100).map { _ in try IdleConnection(port: port) }
                let gate = SimulatorGate()
                broker.github.fail(.checkToken, with: .hold(at: gate))
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<24 {
                        group.addTask { _ = try? await client.signIn(accessToken: broker.accessToken("ben")) }
                    }
                    for connection in connections { connection.close() }
                    gate.open()
                }
                broker.github.clearFaults()

                while (try? await client.signIn(accessToken: broker.accessToken("ada")).status) != 200 {}
                try await client.becomes(ready: true)
                let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.identifier)/fd")

                #expect(before.status == 200 && files.count <= 64)
                try await process.stop()
            }
        }
    }

    @Test func `the command line of the server and of its children has no secret`() async throws {
        try await Installation.run { broker in
            let secret = broker.github.defaultApplication.clientSecret
            var plugins = try broker.folder.text(of: "plugins.json")
            plugins = plugins.replacing("\"\(secret)\"", with: #"{"env":"TEST_CLIENT_SECRET"}"#)
            try broker.folder.write(plugins, to: "plugins.json")
            // Of `env`, which becomes the broker, and not of the broker.
            try await broker.serve(through: ["env", "TEST_CLIENT_SECRET=\(secret)"]) { process, client in
                let token = try broker.accessToken("ada")
                let answer = try await client.signIn(accessToken: token)
                let session = try IdentityToolkitApp.Session(answer)
                let lines = try Self.commandLines(of: process.identifier)

                #expect(lines.contains { $0.contains("serve") })
                for line in lines {
                    for text in [secret, broker.masterKey, broker.apiKey, token, session.idToken, session.refreshToken]
                    {
                        #expect(!line.contains(text))
                    }
                    if let url = broker.database["url"]?.string { #expect(!line.contains(url)) }
                }
            }
        }
    }

    /// The command lines of a process and of all that it has started.
    private static func commandLines(of process: pid_t) throws -> [String] {
        let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
        func text(_ process: pid_t, _ name: String) -> String {
            FileManager.default.contents(atPath: "/proc/\(process)/\(name)").map { String(decoding: $0, as: UTF8.self) }
                ?? ""
        }
        var family: Set<pid_t> = [process]
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for other in all where !family.contains(other) {
                // After the name in parentheses: the state, then the parent (proc(5)).
                let fields = text(other, "stat").split(separator: ")").last?.split(separator: " ") ?? []
                guard fields.count > 1, let parent = pid_t(fields[1]), family.contains(parent) else { continue }
                isGrowing = family.insert(other).inserted
            }
        }
        return family.map { text($0, "cmdline").replacing("\0", with: " ") }
    }
}

/// A connection that sends nothing.
private struct IdleConnection {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        try #require(result == 0, "errno \(errno)")
    }

    func close() { Foundation.close(descriptor) }
}

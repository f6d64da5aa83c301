import Broker
import BrokerStore
import Foundation
import Hummingbird
import Logging

/// What the executable does when it was started with `--serve`: answers until its standard input ends.
struct BenchmarkServer {
    let program: ServedProgram
    /// The folder of the process that started this one.
    let directory: String
    let sessions: Int

    func run() async throws {
        LoggingSystem.bootstrap { JSONLogHandler(label: $0, level: .info) }
        Self.exitWithStandardInput()
        do {
            switch program {
            case .hello: try await runHello()
            case .es256: try await runBroker(.strict)
            case .rs256: try await runBroker(.firebase)
            }
        } catch {
            print("\(error)")
            throw error
        }
    }

    private func runHello() async throws {
        let router = Router()
        router.get("hello") { _, _ in "ok" }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in Self.announce(ServerAnnouncement(port: channel.localAddress?.port ?? 0)) })
        try await application.run()
    }

    private func runBroker(_ policy: Policy) async throws {
        let core = try await BenchmarkBroker.open(policy, in: BenchmarkFolder(in: directory))
        let now = Timestamp(Date())
        var issued: [IssuedTokens] = []
        for person in try await Population.settle(sessions, in: core.store, at: now) {
            issued.append(try await core.tokens.issue(person, at: now))
        }
        let (idTokens, refreshTokens) = (issued.map(\.idToken), issued.map(\.refreshToken))
        try await BrokerServer(core) { url in
            let port = url.split(separator: ":").last.flatMap { Int($0) } ?? 0
            Self.announce(ServerAnnouncement(port: port, idTokens: idTokens, refreshTokens: refreshTokens))
        }.run()
    }

    private static func announce(_ announcement: ServerAnnouncement) {
        guard let json = try? JSONEncoder().encode(announcement) else { return }
        FileHandle.standardOutput.write(json + Data("\n".utf8))
    }

    /// On a thread, since waiting would otherwise take one from the server.
    private static func exitWithStandardInput() {
        Thread.detachNewThread {
            _ = FileHandle.standardInput.availableData
            exit(0)
        }
    }
}

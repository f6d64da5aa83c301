import Foundation

/// Whole requests over real sockets; the servers are processes of their own, so that their processor time is theirs.
final class HTTPCases {
    private static let connections = 16
    /// RSA signatures take their time to prepare, and no round uses up more sessions than these.
    private static let rs256Sessions = 2000

    static let programs: [CaseName: ServedProgram] = [
        .hello: .hello, .keySet: .es256, .lookup: .es256, .refreshES256: .es256, .refreshRS256: .rs256,
    ]

    private var servers: [ServedProgram: ServerProcess] = [:]

    /// Starts the servers of the cases called `names`, all at once.
    init(_ names: Set<CaseName>, folder: BenchmarkFolder, sessions: Int) throws {
        for program in Set(Self.programs.filter { names.contains($0.key) }.values) {
            let count = program == .rs256 ? min(sessions, Self.rs256Sessions) : sessions
            servers[program] = try ServerProcess(program, folder: folder, sessions: count)
        }
    }

    func all() throws -> [BenchmarkCase] {
        var cases: [BenchmarkCase] = []
        if let hello = servers[.hello] {
            cases.append(benchmark(.hello, at: hello, try hello.listening(), GetConversation("/hello")))
        }
        if let server = servers[.es256] {
            let details = try server.listening()
            cases += [
                benchmark(
                    .keySet, at: server, details,
                    GetConversation("/\(BenchmarkBroker.project)/.well-known/jwks.json")),
                benchmark(.lookup, at: server, details, LookupConversation(idTokens: details.idTokens)),
                benchmark(
                    .refreshES256, at: server, details, RefreshConversation(refreshTokens: details.refreshTokens)),
            ]
        }
        if let server = servers[.rs256] {
            let details = try server.listening()
            cases.append(
                benchmark(
                    .refreshRS256, at: server, details, RefreshConversation(refreshTokens: details.refreshTokens)))
        }
        return cases
    }

    func stop() {
        for server in servers.values { server.stop() }
    }

    private func benchmark(
        _ name: CaseName, at server: ServerProcess, _ details: ServerAnnouncement, _ conversation: some Conversation
    ) -> BenchmarkCase {
        let loop = ClosedLoop(
            port: details.port, connections: Self.connections, clock: .process(server.processIdentifier))
        return BenchmarkCase(name, in: .http) { duration in try await loop.run(conversation, for: duration) }
    }
}

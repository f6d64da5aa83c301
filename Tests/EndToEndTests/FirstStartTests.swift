import PostgreSQLTesting
import ProviderKit
import Testing

@Suite("First starts on an empty database", .timeLimit(.minutes(20)))
struct FirstStartTests {
    private static let rounds = 2

    @Test(arguments: [2, 4], TestEngine.allCases)
    func `brokers that start at the same moment are one broker`(count: Int, on engine: TestEngine) async throws {
        for _ in 0..<Self.rounds {
            try await Installation.run(anonymousSignIn: true, isNew: true, engine: engine) { installation in
                try await installation.serveTogether(count) { clients in
                    var keySets: Set<String> = []
                    var sessions: [IdentityToolkitApp.Session] = []
                    for client in clients {
                        let keys = try await client.get("/my-app/.well-known/jwks.json")
                        #expect(keys.status == 200 && keys.body["keys"]?.array?.isEmpty == false, "\(keys)")
                        keySets.insert(keys.text)
                        sessions.append(try IdentityToolkitApp.Session(await client.signUp()))
                    }

                    #expect(keySets.count == 1, "\(keySets)")
                    #expect(Set(sessions.map(\.localID)).count == count)
                    for client in clients {
                        for session in sessions {
                            let found = try await client.lookup(session.idToken)
                            #expect(found.status == 200, "\(found)")
                        }
                    }
                }
            }
        }
    }
}

extension Installation {
    /// Starts several brokers at the same moment and lends them to `body` as soon as all of them serve.
    fileprivate func serveTogether(
        _ count: Int, _ body: @escaping @Sendable ([IdentityToolkitApp]) async throws -> Void
    ) async throws {
        let (clients, arrival) = AsyncStream.makeStream(of: IdentityToolkitApp.self)
        let ends = (0..<count).map { _ in AsyncStream.makeStream(of: Never.self) }
        // The first failure ends them all.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for end in ends {
                group.addTask {
                    try await serve { _, client in
                        arrival.yield(client)
                        for await _ in end.stream {}
                    }
                }
            }
            group.addTask {
                defer { for end in ends { end.continuation.finish() } }
                var serving: [IdentityToolkitApp] = []
                for await client in clients.prefix(count) { serving.append(client) }
                try Task.checkCancellation()
                try await body(serving)
            }
            try await group.waitForAll()
        }
    }
}

import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

@Suite(
    "A broker whose PostgreSQL is killed", .enabled(if: TestEngine.current == .postgreSQL),
    .timeLimit(.minutes(20 + CrashRounds.count / 4)))
struct DatabaseCrashTests {
    @Test func `keeps every promise it has made, says that it cannot serve, and goes on without a restart`()
        async throws
    {
        let server = try await Task.detached { try PostgreSQLCluster(settings: ["fsync=off"]) }.value
        try await Installation.run(anonymousSignIn: true, on: server.url(of: "postgres")) { broker in
            try broker.addSecondProvider()
            try await broker.serve { process, client in
                let promises = Promises()
                let visitors = CrashTests.visitors(of: broker)
                for round in 0..<CrashRounds.count {
                    let fatalCount = promises.answers + Int.random(in: CrashTests.clients...CrashTests.clients * 12)
                    async let load: Void = Self.load(client, broker, visitors, promises)
                    await promises.wait(for: fatalCount)
                    let crash = ContinuousClock.now
                    if round.isMultiple(of: 2) {
                        try await server.apply(.kill)
                        try await server.apply(.start)
                    } else {
                        try server.killBackend()
                    }
                    await promises.wait(for: promises.answers + CrashTests.clients * 4)
                    promises.end()
                    await load
                    try await PromiseCheck(client: client, process: process, broker: broker, crash: crash)(promises)
                    let tables = StoreTables(of: broker)
                    try StoreInvariants.check(tables)
                    try StoreInvariants.check(tables, against: promises)
                    promises.goOn()
                }
            }
        }
    }

    private static func load(
        _ client: IdentityToolkitApp, _ broker: Installation, _ visitors: [GitHubSimulator.Person], _ promises: Promises
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<CrashTests.clients {
                group.addTask {
                    var walk = RandomWalk(at: client, of: broker, visitors: visitors, promises)
                    await walk.run()
                }
            }
        }
        #expect(promises.isOver, "the clients lost the broker")
    }
}

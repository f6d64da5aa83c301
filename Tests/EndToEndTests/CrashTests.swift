import ProviderKit
import ProviderSimulators
import Testing

@Suite("A broker that is killed", .timeLimit(.minutes(20 + CrashRounds.count / 4)))
struct CrashTests {
    private static let rounds = CrashRounds.count
    static let clients = 12

    @Test func `keeps every promise it has made`() async throws {
        try await Installation.run(anonymousSignIn: true) { broker in
            try broker.addSecondProvider()
            let visitors = Self.visitors(of: broker)
            let promises = Promises()
            var crash = ContinuousClock.now
            for round in 0...Self.rounds {
                try await broker.serve { process, client in
                    try await PromiseCheck(client: client, process: process, broker: broker, crash: crash)(promises)
                    let tables = StoreTables(of: broker)
                    try StoreInvariants.check(tables)
                    try StoreInvariants.check(tables, against: promises)
                    guard round < Self.rounds else { return }
                    await Self.load(process, client, broker, visitors, promises)
                    crash = .now
                }
            }
            #expect(promises.answers >= Self.rounds * Self.clients)
        }
    }

    @Test func `leaves another broker on the same store in peace`() async throws {
        try await Installation.run(anonymousSignIn: true) { broker in
            try broker.addSecondProvider()
            let visitors = Self.visitors(of: broker)
            let promises = Promises()
            try await broker.serve { survivingProcess, survivor in
                for _ in 0..<Self.rounds {
                    let other = Promises()
                    try await broker.serve { process, client in
                        async let undisturbed: Void = Self.walk(survivor, broker, visitors, promises)
                        await Self.load(process, client, broker, visitors, other)
                        _ = try await process.exitCode()
                        promises.end()
                        await undisturbed
                    }
                    for kept in [other, promises] {
                        try await PromiseCheck(
                            client: survivor, process: survivingProcess, broker: broker, crash: .now)(kept)
                        try StoreInvariants.check(StoreTables(of: broker), against: kept)
                    }
                    promises.goOn()
                }
                try StoreInvariants.check(StoreTables(of: broker))
            }
        }
    }

    @Test func `in the middle of its first start starts the next time`() async throws {
        for _ in 0..<max(Self.rounds / 2, 2) {
            try await Installation.run(anonymousSignIn: true, isNew: true) { broker in
                for _ in 0..<4 {
                    try await BrokerProcess.run(["serve", "--json", "--listen", "127.0.0.1:0"], in: broker.folder) {
                        // From before it runs to after it listens.
                        try await Task.sleep(for: .milliseconds(Int.random(in: 0...600)))
                        $0.kill()
                        _ = try await $0.exitCode()
                    }
                }
                try await broker.serve { _, client in
                    let session = try IdentityToolkitApp.Session(try await client.signUp())
                    #expect(try await client.lookup(session.idToken).status == 200)
                    try StoreInvariants.check(StoreTables(of: broker))
                }
            }
        }
    }

    /// The accounts that all clients sign in with, so that first sign-ins of one account are concurrent.
    static func visitors(of broker: Installation) -> [GitHubSimulator.Person] {
        (0..<40).map { number in
            broker.github.add(
                .init(login: "visitor\(number)", emails: [.init(address: "visitor\(number)@example.com")]))
        }
    }

    /// Keeps a broker busy until it dies at a random moment of it.
    private static func load(
        _ process: BrokerProcess, _ client: IdentityToolkitApp, _ broker: Installation,
        _ visitors: [GitHubSimulator.Person], _ promises: Promises
    ) async {
        let fatalCount = promises.answers + Int.random(in: clients...clients * 24)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<clients {
                group.addTask {
                    var walk = RandomWalk(at: client, of: broker, visitors: visitors, promises)
                    await walk.run { if promises.answers >= fatalCount { process.kill() } }
                }
            }
        }
    }

    /// One client of a broker that is to live.
    private static func walk(
        _ client: IdentityToolkitApp, _ broker: Installation, _ visitors: [GitHubSimulator.Person], _ promises: Promises
    ) async {
        var walk = RandomWalk(at: client, of: broker, visitors: visitors, promises)
        await walk.run()
        // Nothing has happened to this broker, so nothing may be open.
        let isCertain = promises.users.allSatisfy { user in
            user.exists.isCertain && user.sessions.allSatisfy(\.generation.isCertain)
        }
        #expect(isCertain)
    }
}

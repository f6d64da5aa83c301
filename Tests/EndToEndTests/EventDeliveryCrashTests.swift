import BrowserTesting
import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

@Suite("A broker that is killed while it delivers events", .timeLimit(.minutes(20 + CrashRounds.count)))
struct EventDeliveryCrashTests {
    private static let clients = 6

    @Test(arguments: TestEngine.allCases)
    func `delivers each event in the end, and repeats one only with its id`(on engine: TestEngine) async throws {
        let requests = Mutex(0)
        try await LocalSite.run { _ in
            // Some answers are failures: the backend has the event, and the broker does not know.
            let number = requests.withLock { requests in
                requests += 1
                return requests
            }
            return LocalSite.Page("", status: number.isMultiple(of: 5) ? 503 : 204)
        } _: { site in
            try await Installation.run(engine: engine) { broker in
                try broker.allowLoopbackDeliveries()
                let added = try await broker.command("webhooks", "add", "http://127.0.0.1:\(site.port)/", "--json")
                try #require(added.exitCode == 0, "\(added)")
                let promised = Mutex<[String]>([])
                for round in 0..<CrashRounds.count {
                    try await broker.serve { process, client in
                        let fatal = site.visits.count + Int.random(in: 2...Self.clients * 3)
                        await withTaskGroup(of: [String].self) { group in
                            for number in 0..<Self.clients {
                                group.addTask {
                                    var ids: [String] = []
                                    for turn in 0..<20 {
                                        let person = broker.github.add(.init(login: "u\(round)x\(number)x\(turn)"))
                                        let token = broker.github.accessToken(
                                            for: person, application: broker.github.defaultApplication)
                                        guard let answer = try? await client.signIn(accessToken: token),
                                            answer.status == 200, let id = answer.body["localId"]?.string
                                        else { return ids }
                                        ids.append(id)
                                    }
                                    return ids
                                }
                            }
                            let end = ContinuousClock.now + .seconds(15)
                            while site.visits.count < fatal, ContinuousClock.now < end,
                                (try? await client.get("/healthz")) != nil
                            {}
                            process.kill()
                            for await ids in group { promised.withLock { $0 += ids } }
                        }
                        _ = try await process.exitCode()
                    }
                }
                try await broker.serve { _, _ in try await Self.waitUntilNothingIsQueued(broker) }

                let bodies = try site.visits.map { try JSONValue(parsing: Array($0.body.utf8)) }
                let created = bodies.filter { $0["type"] == "user.created" }
                #expect(!promised.withLock { $0.isEmpty })
                #expect(
                    Set(promised.withLock { $0 }).isSubset(of: Set(created.compactMap { $0["localId"]?.string })),
                    "an event was lost")
                let copies = Dictionary(grouping: bodies, by: { $0["id"]?.string ?? "" })
                for (id, copies) in copies {
                    #expect(copies.allSatisfy { $0 == copies[0] }, "\(id) is several events: \(copies)")
                }
                let events = Dictionary(grouping: copies.values.map { $0[0] }, by: { $0["localId"]?.string ?? "" })
                for (user, events) in events {
                    #expect(
                        events.compactMap { $0["sequence"]?.integer }.sorted() == Array(1...Int64(events.count)),
                        "\(user)")
                }
            }
        }
    }

    /// Claims of killed brokers run out after 20 seconds; the suite's time limit ends a vain wait.
    private static func waitUntilNothingIsQueued(_ broker: Installation) async throws {
        while true {
            let queued = try await broker.command("events", "list", "--state", "queued", "--json")
            if try JSONValue(parsing: queued.output)["events"]?.array?.isEmpty == true { return }
        }
    }
}

extension Installation {
    /// Lets webhooks and logout tokens go to this machine.
    func allowLoopbackDeliveries() throws {
        guard var file = try JSONValue(parsing: Array(try folder.text(of: "broker.json").utf8)).object else { return }
        file["egress"] = ["allowInsecureLoopback": true]
        try folder.write(JSONValue.object(file).serialized(), to: "broker.json")
    }
}

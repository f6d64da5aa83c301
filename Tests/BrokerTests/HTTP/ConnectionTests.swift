import Broker
import Foundation
import Logging
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

@Suite("connections to the broker")
struct ConnectionTests {
    /// A second broker on the first one's store, with room for few connections.
    private static func withBroker(
        _ limit: ConnectionLimit = .current, _ change: (inout Configuration) -> Void = { _ in },
        _ test: (TestBroker, LogLines) async throws -> Void
    ) async throws {
        try await TestBroker.run(change) { broker in
            try await broker.withSecondCore { core in
                let log = LogLines()
                try await TestBroker.serve(core, limit: limit, logger: log.logger) { url in
                    try await test(
                        TestBroker(
                            core: core, url: url, apiKey: broker.apiKey, simulator: broker.simulator,
                            clock: broker.clock, folder: broker.folder), log)
                }
            }
        }
    }

    @Test func `of requests sent ahead sixteen are answered, and the last answer ends the connection`() async throws {
        try await TestBroker.run { broker in
            let request = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

            let answers = try await RawHTTP.answers(broker.url, String(repeating: request, count: 30))

            let heads = answers.components(separatedBy: "HTTP/1.1 200").dropFirst()
            #expect(heads.count == 16)
            #expect(heads.dropLast().allSatisfy { !$0.contains("onnection: close") })
            #expect(heads.last?.contains("onnection: close") == true)
        }
    }

    @Test func `a host that has its share gives up the connection that was idle longest`() async throws {
        try await Self.withBroker(ConnectionLimit(total: 100, share: 3)) { broker, log in
            var connections: [RawConnection] = []
            for _ in 0..<3 {
                connections.append(try await RawConnection(broker.url))
                #expect(try await connections.last?.get("/healthz").contains("200") == true)
            }
            // The first one is no longer the one that was idle longest.
            #expect(try await connections[0].get("/healthz").contains("200"))

            let fourth = try await RawConnection(broker.url)

            #expect(try await fourth.get("/healthz").contains("200"))
            #expect(try await connections[1].rest().contains("200"), "what it had received, then the end")
            #expect(try await connections[0].get("/healthz").contains("200"))
            #expect(try await connections[2].get("/healthz").contains("200"))
            let line = try #require(log.lines.first { $0["message"]?.string?.contains("of one client") == true })
            #expect(line["level"] == "warning" && line["share"] == 3 && line["client"]?.string?.utf8.count == 8)
        }
    }

    @Test func `a host whose connections all work gets no further one`() async throws {
        try await Self.withBroker(ConnectionLimit(total: 100, share: 3)) { broker, _ in
            let gate = SimulatorGate()
            broker.simulator.fail(.checkToken, with: .hold(at: gate), times: 3)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for login in ["ada", "ben", "cleo"] {
                    let person = try broker.person(login)
                    group.addTask { try await broker.signIn(person).status }
                }
                await gate.arrivals(3)

                let refused = try await RawConnection(broker.url)
                #expect(try await refused.rest().isEmpty)

                gate.open()
                for try await status in group { #expect(status == 200) }
            }
        }
    }

    @Test func `a trusted proxy has no share`() async throws {
        try await Self.withBroker(ConnectionLimit(total: 100, share: 2)) {
            $0.trustedProxies = [AddressRange("127.0.0.1")].compactMap(\.self)
        } _: { broker, log in
            var connections: [RawConnection] = []
            for _ in 0..<6 { connections.append(try await RawConnection(broker.url)) }

            for connection in connections { #expect(try await connection.get("/healthz").contains("200")) }
            #expect(!log.lines.contains { $0["message"]?.string?.contains("of one client") == true })
        }
    }

    @Test func `when all connections are taken an idle one makes room`() async throws {
        try await Self.withBroker(ConnectionLimit(total: 4, share: 12)) { broker, log in
            var connections: [RawConnection] = []
            for _ in 0..<12 {
                let connection = try await RawConnection(broker.url)
                #expect(try await connection.get("/healthz").contains("200"))
                connections.append(connection)
            }
            #expect(log.lines.contains { $0["message"]?.string?.contains("closing idle ones first") == true })
        }
    }

    @Test func `an answer names its request by a random id, which the log has too`() async throws {
        try await Self.withBroker { broker, log in
            let answers = [try await broker.get("/v1/projects"), try await broker.get("/v1/projects")]

            let ids = answers.compactMap { $0.headers.first(name: "X-Request-Id") }
            #expect(ids.allSatisfy { $0.utf8.count == 20 } && ids.count == 2)
            #expect(ids.first?.prefix(10) != ids.last?.prefix(10))
            let line = try #require(log.lines.first { $0["request_id"]?.string == ids.first })
            #expect(line["message"] == "request" && line["hb.request.id"] == nil)
            #expect(line["status"] == 403, "a number, to be compared with")
            #expect(line["microseconds"]?.integer ?? -1 >= 0)
        }
    }

    @Test func `the answer to HEAD is that to GET without its body, and both have a date`() async throws {
        try await Self.withBroker { broker, _ in
            func answer(_ method: String) async throws -> (fields: [String], body: String) {
                let text = try await RawHTTP.answers(
                    broker.url, "\(method) /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                let end = try #require(text.range(of: "\r\n\r\n"))
                return (text[..<end.lowerBound].components(separatedBy: "\r\n"), String(text[end.upperBound...]))
            }
            let (get, head) = (try await answer("GET"), try await answer("HEAD"))

            #expect(head.body.isEmpty && !get.body.isEmpty)
            #expect(head.fields.first == get.fields.first)
            #expect(head.fields.contains("Content-Length: \(get.body.utf8.count)"), "\(head.fields)")
            #expect([get, head].allSatisfy { $0.fields.contains { $0.hasPrefix("Date: ") } })
            #expect([get, head].allSatisfy { $0.fields.contains("X-Content-Type-Options: nosniff") })
        }
    }

    @Test func `the log and the health document tell the version`() async throws {
        try await Self.withBroker { broker, log in
            let started = try #require(log.lines.first { $0["message"] == "broker started" })
            let health = try await broker.get("/healthz")

            #expect(started["version"]?.string == BrokerVersion.current)
            #expect(started["url"]?.string == broker.url)
            #expect(health.body == ["status": "ok", "version": .string(BrokerVersion.current)])
        }
    }

    @Test func `this machine is no authorized domain of a broker that others reach`() async throws {
        try await Self.withBroker(.current) {
            $0.publicURL = "https://id.example"
            $0.project.authorizedDomains = ["localhost", "app.localhost", "127.0.0.1", "app.example"]
        } _: { broker, log in
            let project = try await broker.get("/v1/projects?key=\(broker.apiKey)")
            let started = try await broker.post(
                "/v1/accounts:createAuthUri",
                ["continueUri": "http://localhost:3000/", "providerId": "github.com"])

            #expect(project["authorizedDomains"] == ["app.example"])
            #expect(started.code == "UNAUTHORIZED_DOMAIN")
            #expect(log.lines.contains { $0["level"] == "warning" && $0["domains"] != nil })
        }
    }
}

/// What a broker writes into its log.
final class LogLines: Sendable {
    private let text = Mutex<[String]>([])

    var logger: Logger {
        Logger(label: "test") { label in
            JSONLogHandler(label: label) { [self] line, _ in text.withLock { $0.append(line) } }
        }
    }

    var lines: [JSONValue] { text.withLock(\.self).compactMap { try? JSONValue(parsing: $0) } }
}

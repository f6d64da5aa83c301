import Foundation
import NIOCore
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("egress: connections go to checked addresses")
struct ProviderEgressTests {
    private static let host = "id.broker.test"

    @Test func `of a host's addresses only the allowed ones are connected to`() async throws {
        let listener = try await SilentListener.start()
        let names = TestNames([Self.host: ["169.254.169.254", "10.0.0.1", "127.0.0.1"]])
        let clients = names.clients()
        let upstream = HTTPUpstream(clients, allowsInsecureLoopback: true)

        _ = try? await upstream.send(Self.request(listener.port))

        #expect(listener.connections == 1)
        await clients.shutdown()
        try await listener.stop()
    }

    @Test func `the pinned address changes neither SNI nor Host`() async throws {
        let listener = try await SilentListener.start()
        let clients = TestNames([Self.host: ["127.0.0.1"]]).clients()
        let upstream = HTTPUpstream(clients, allowsInsecureLoopback: true)

        _ = try? await upstream.send(Self.request(listener.port, scheme: "https"))
        let hello = listener.bytes
        _ = try? await upstream.send(Self.request(listener.port))
        let plain = String(decoding: listener.bytes.dropFirst(hello.count), as: UTF8.self)

        #expect(hello.first == 0x16, "a TLS handshake record")
        #expect(String(decoding: hello, as: UTF8.self).contains(Self.host))
        #expect(plain.lowercased().contains("host: \(Self.host):\(listener.port)"))
        await clients.shutdown()
        try await listener.stop()
    }

    @Test func `an address that takes no connection gives way to the next, and stays behind it`() async throws {
        try await Self.withServer { server in
            let names = TestNames([Self.host: ["127.0.0.2", "127.0.0.3", "127.0.0.1"]])
            let clients = names.clients()
            let upstream = HTTPUpstream(clients, allowsInsecureLoopback: true)

            for _ in 0..<3 {
                let status = try await upstream.send(Self.request(server.port)).status
                #expect(status == 403)
            }

            #expect(names.lookups == 1 && clients.count == 3)
            await clients.shutdown()
        }
    }

    @Test func `a host is resolved again after a minute, and a client of a former address ends`() async throws {
        try await Self.withServer { server in
            let names = TestNames([Self.host: ["127.0.0.1"]])
            let clients = names.clients()
            let upstream = HTTPUpstream(clients, allowsInsecureLoopback: true)
            for _ in 0..<5 { _ = try await upstream.send(Self.request(server.port)) }
            names.advance(.seconds(59))
            _ = try await upstream.send(Self.request(server.port))
            #expect(names.lookups == 1)

            names.set(Self.host, ["10.0.0.1"])
            names.advance(.seconds(1))
            let error = await #expect(throws: ProviderError.self) { try await upstream.send(Self.request(server.port)) }

            #expect(error?.obstacle == .addressNotAllowed)
            #expect(names.lookups == 2)
            while clients.count > 0 { await Task.yield() }
            await clients.shutdown()
        }
    }

    @Test func `an outage of the name service is bridged by the addresses known before`() async throws {
        try await Self.withServer { server in
            let names = TestNames([Self.host: ["127.0.0.1"]])
            let clients = names.clients()
            let upstream = HTTPUpstream(clients, allowsInsecureLoopback: true)
            _ = try await upstream.send(Self.request(server.port))
            names.set(Self.host, nil)
            names.advance(.seconds(61))

            let status = try await upstream.send(Self.request(server.port)).status

            #expect(status == 403)
            #expect(names.lookups == 2)
            await clients.shutdown()
        }
    }

    @Test func `concurrent requests share one lookup and one client`() async throws {
        try await Self.withServer { server in
            let names = TestNames([Self.host: ["127.0.0.1"]])
            let clients = names.clients()
            let upstream = HTTPUpstream(clients, allowsInsecureLoopback: true)

            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try? await upstream.send(Self.request(server.port)) } }
            }

            #expect(names.lookups == 1 && clients.count == 1)
            await clients.shutdown()
        }
    }

    @Test func `an entry has a bounded number of clients, and none once it is gone`() async throws {
        let hosts = (0..<40).map { "h\($0).broker.test" }
        let clients = TestNames(Dictionary(uniqueKeysWithValues: hosts.map { ($0, ["127.0.0.1"]) })).clients()
        try await Self.withServer { server in
            let upstream = HTTPUpstream(clients, allowsInsecureLoopback: true)
            for host in hosts {
                _ = try await upstream.send(UpstreamRequest(.get, "http://\(host):\(server.port)/", at: .discover))
            }
            while clients.count > ProviderEgress.maximumClients { await Task.yield() }
        }
        while clients.count > 0 { await Task.yield() }
        await clients.shutdown()
    }

    @Test func `an entry's clients end when the running broker follows its removal`() async throws {
        try await TestBroker.run { broker in
            _ = try await broker.signIn(broker.person("ada"))
            #expect(broker.core.providers.clients.count > 0)

            try broker.folder.write("plugins.json", #"{"providers":[]}"#)
            _ = broker.core.providers.configured.reload()
            _ = broker.core.providers.configured.reload()

            while broker.core.providers.clients.count > 0 { await Task.yield() }
        }
    }

    @Test(arguments: [
        ("10.20.0.1", 443, true), ("10.20.0.1", 8443, false), ("10.21.0.1", 443, false), ("1.1.1.1", 8443, true),
        ("127.0.0.1", 443, false), ("fd00::1", 443, false),
    ])
    func `an entry's private network is allowed at its ports, beside the public internet`(
        address: String, port: Int, isAllowed: Bool
    ) throws {
        let network = PrivateNetwork(range: try #require(AddressRange("10.20.0.0/16")), ports: [443])
        let policy = AddressPolicy.either(.publicInternet, .networks([network]))

        #expect(policy.allows(try SocketAddress(ipAddress: address, port: port)) == isAllowed)
    }

    @Test(arguments: [(#"[{"range": "127.0.0.0/8", "ports": [PORT]}]"#, true), (#"[{"range": "127.0.0.0/8"}]"#, false)])
    func `privateNetworks of an entry open its ports, 443 unless it names others`(
        networks: String, isOpen: Bool
    ) async throws {
        let listener = try await SilentListener.start()
        let entry = try Self.entry(networks.replacing("PORT", with: "\(listener.port)"), port: listener.port)
        try await TestBroker.run(entries: { _ in [entry] }) { broker in
            _ = try await broker.signIn(postBody: [("access_token", "x"), ("providerId", "github.com")])

            #expect((listener.connections > 0) == isOpen)
        }
        try await listener.stop()
    }

    @Test(arguments: [
        (#"[{"range": "x"}]"#, "/providers/0/privateNetworks/0/range"),
        (#"[{"range": "10.0.0.0/8", "ports": []}]"#, "/providers/0/privateNetworks/0/ports"),
        (#"[{"range": "10.0.0.0/8", "ports": [65536]}]"#, "/providers/0/privateNetworks/0/ports"),
        (#"[{"range": "10.0.0.0/8", "port": 1}]"#, "/providers/0/privateNetworks/0/port"),
    ])
    func `privateNetworks with a mistake are refused by place`(networks: String, place: String) async throws {
        let entry = try Self.entry(networks, port: 443)

        let error = await #expect(throws: ConfigurationError.self) {
            try await TestBroker.run(entries: { _ in [entry] }) { _ in }
        }

        #expect(error?.description.contains(place) == true)
    }

    private static func entry(_ networks: String, port: Int) throws -> JSONValue {
        let url = JSONValue.string("https://127.0.0.1:\(port)")
        return [
            "id": "github.com", "use": "github", "privateNetworks": try JSONValue(parsing: networks),
            "options": ["url": url, "apiUrl": url, "clientId": "c", "clientSecret": "s"],
        ]
    }

    private static func request(_ port: Int, scheme: String = "http") -> UpstreamRequest {
        UpstreamRequest(.get, "\(scheme)://\(host):\(port)/", at: .discover)
    }

    /// Lends a server on 127.0.0.1 that answers 403, since it knows none of the names.
    private static func withServer(_ body: (Server) async throws -> Void) async throws {
        let simulator = try await GitHubSimulator.start()
        let port = try #require(URL(string: simulator.url)?.port)
        do {
            try await body(Server(port: port))
            await simulator.stop()
        } catch {
            await simulator.stop()
            throw error
        }
    }

    private struct Server { let port: Int }
}

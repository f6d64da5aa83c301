import BrokerStore
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

@testable import Broker

@Suite("egress")
struct EgressTests {
    @Test(arguments: ["http://localhost", "https://localhost", "http://127.0.0.1", "https://127.0.0.1"])
    func `an address outside the allowed ranges is not connected to, and the log says why`(origin: String) async throws
    {
        let listener = try await SilentListener.start()
        let range = try #require(AddressRange("10.0.0.0/8"))
        let clients = EgressClients(privateNetworks: ["localhost": [range], "127.0.0.1": [range]])
        let upstream = HTTPUpstream(clients, allowsInsecureLoopback: true)

        for _ in 0..<3 {
            let error = await #expect(throws: ProviderError.self) {
                try await upstream.send(UpstreamRequest(.get, "\(origin):\(listener.port)/", at: .fetchProfile))
            }
            #expect(error?.obstacle == .addressNotAllowed)
            #expect(error?.reason.contains("address that is not allowed") == true)
        }

        #expect(listener.connections == 0)
        await clients.shutdown()
        try await listener.stop()
    }

    @Test func `no ClientHello reaches this machine by a name of the public internet`() async throws {
        let listener = try await SilentListener.start()
        let clients = EgressClients()
        let upstream = HTTPUpstream(clients, allowsInsecureLoopback: false)

        let error = await #expect(throws: ProviderError.self) {
            try await upstream.send(UpstreamRequest(.get, "https://localhost:\(listener.port)/", at: .fetchProfile))
        }

        #expect(error?.obstacle == .addressNotAllowed)
        #expect(listener.connections == 0 && listener.bytes.isEmpty)
        await clients.shutdown()
        try await listener.stop()
    }

    @Test(arguments: [
        "127.0.0.1", "10.0.0.1", "172.31.255.255", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "224.0.0.1", "255.255.255.255", "198.51.100.7", "::1", "::", "fe80::1", "fd00::1", "ff02::1", "::ffff:10.0.0.1",
        "64:ff9b::a00:1", "2002:a00:1::", "2001:db8::1", "::10.0.0.1",
    ])
    func `an address that is not of the public internet is never connected to by default`(address: String) throws {
        #expect(!AddressPolicy.publicInternet.allows(try SocketAddress(ipAddress: address, port: 443)))
    }

    @Test(arguments: ["140.82.112.3", "1.1.1.1", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"])
    func `an address of the public internet is`(address: String) throws {
        #expect(AddressPolicy.publicInternet.allows(try SocketAddress(ipAddress: address, port: 443)))
        #expect(!AddressPolicy.loopback.allows(try SocketAddress(ipAddress: address, port: 443)))
    }

    @Test(arguments: [
        "http://127.0.0.1/", "http+unix://%2Ftmp%2Fs/", "ftp://a.example/", "https://①②⑦.⓪.⓪.①/", "x",
        "https://%6cocalhost/", "https://a b.example/", "https:///",
    ])
    func `a URL of another kind is never asked`(url: String) async throws {
        let clients = EgressClients()
        let upstream = HTTPUpstream(clients, allowsInsecureLoopback: false)

        let error = await #expect(throws: ProviderError.self) {
            try await upstream.send(UpstreamRequest(.get, url, at: .fetchProfile))
        }

        #expect(error?.fault == .configuration)
        await clients.shutdown()
    }

    @Test func `a redirect of the provider is not followed`() async throws {
        let listener = try await SilentListener.start()
        try await TestBroker.run { broker in
            broker.simulator.fail(.checkToken, with: .redirect(to: "http://127.0.0.1:\(listener.port)/"))

            let answer = try await broker.signIn(try broker.person("ada"))

            #expect(answer.code == "INVALID_IDP_RESPONSE")
            #expect(listener.connections == 0)
        }
        try await listener.stop()
    }

    @Test func `a provider that hangs delays its caller for its time, and no other caller`() async throws {
        try await TestBroker.run({ $0.providerTimeout = .seconds(1) }) { broker in
            broker.simulator.fail(.checkToken, with: .hang)
            let start = ContinuousClock.now

            async let hanging = broker.signIn(try broker.person("ada"))
            let others = try await broker.signUp()
            let answer = try await hanging

            #expect(others.status == 200)
            #expect(answer.code == "INVALID_IDP_RESPONSE")
            #expect(ContinuousClock.now - start < .seconds(30))
        }
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.1.2.3", true), ("10.0.0.0/8", "11.0.0.1", false),
        ("192.168.1.128/25", "192.168.1.127", false),
        ("fd00::/8", "fd12::1", true), ("::1", "::1", true), ("::1", "::2", false),
        ("127.0.0.0/8", "::ffff:127.0.0.1", true), ("0.0.0.0/0", "::1", false),
    ])
    func `address ranges contain what they say`(range: String, address: String, isInside: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(ipAddress: address) == isInside)
    }

    @Test(arguments: ["", "10.0.0.0/33", "10.0.0.0/-1", "a/8", "10.0.0.0/8/8", "::/129", "10.0.0"])
    func `what is no address range is none`(text: String) {
        #expect(AddressRange(text) == nil)
    }
}

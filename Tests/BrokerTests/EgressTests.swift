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
    @Test func `an address outside the allowed ranges is left before a byte is sent, and the log says why`()
        async throws
    {
        let listener = try await ForbiddenListener.start()
        let clients = EgressClients(privateNetworks: ["localhost": [try #require(AddressRange("10.0.0.0/8"))]])
        let upstream = HTTPUpstream(
            clients: clients, allowsInsecureLoopback: true, gate: UpstreamGate(), now: { Date() })

        let error = await #expect(throws: ProviderError.self) {
            try await upstream.send(UpstreamRequest(.get, "http://localhost:\(listener.port)/", at: .fetchProfile))
        }

        #expect(error?.reason.contains("address that is not allowed") == true)
        #expect(listener.bytes == 0)
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

    @Test func `a forbidden peer that hangs up at once ends neither the process nor leaks a connection`() async throws {
        let listener = try await ForbiddenListener.start(hangsUpAfter: .milliseconds(20))
        let clients = EgressClients(privateNetworks: ["localhost": [try #require(AddressRange("10.0.0.0/8"))]])
        let upstream = HTTPUpstream(
            clients: clients, allowsInsecureLoopback: true, gate: UpstreamGate(), now: { Date() })

        for _ in 0..<5 {
            let error = await #expect(throws: ProviderError.self) {
                try await upstream.send(UpstreamRequest(.get, "http://localhost:\(listener.port)/", at: .fetchProfile))
            }
            #expect(error?.reason.contains("address that is not allowed") == true)
        }

        #expect(listener.connections <= 5 && listener.bytes == 0)
        await clients.shutdown()
        try await listener.stop()
    }

    @Test(arguments: ["http://127.0.0.1/", "http+unix://%2Ftmp%2Fs/", "ftp://a.example/", "https://①②⑦.⓪.⓪.①/", "x"])
    func `a URL of another kind is never asked`(url: String) async throws {
        let clients = EgressClients()
        let upstream = HTTPUpstream(
            clients: clients, allowsInsecureLoopback: false, gate: UpstreamGate(), now: { Date() })

        let error = await #expect(throws: ProviderError.self) {
            try await upstream.send(UpstreamRequest(.get, url, at: .fetchProfile))
        }

        #expect(error?.fault == .configuration)
        await clients.shutdown()
    }

    @Test func `a redirect of the provider is not followed`() async throws {
        let listener = try await ForbiddenListener.start()
        try await TestBroker.run { broker in
            broker.simulator.fail(.checkToken, with: .redirect(to: "http://127.0.0.1:\(listener.port)/"))

            let answer = try await broker.signIn(try broker.person("ada"))

            #expect(answer.code == "INVALID_IDP_RESPONSE")
            #expect(listener.connections == 0)
        }
        try await listener.stop()
    }

    @Test func `a provider that hangs costs its caller at most ten seconds, and nobody else anything`() async throws {
        try await TestBroker.run { broker in
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

    @Test func `after ten failures in a row the provider is left alone for a while`() async throws {
        try await TestBroker.run { broker in
            broker.simulator.fail(.checkToken, with: .status(500))
            for _ in 0..<10 { _ = try await broker.signIn(try broker.person("ada")) }
            let asked = broker.simulator.hits(.checkToken)

            let answer = try await broker.signIn(try broker.person("ada"))

            #expect(asked == 10 && broker.simulator.hits(.checkToken) == 10)
            #expect(answer.code == "INVALID_IDP_RESPONSE")
            #expect(answer.headers.first(name: "Retry-After") == "5")
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

/// A listener nothing may talk to: counts who tries.
private final class ForbiddenListener: Sendable {
    private struct Counts {
        var connections = 0
        var bytes = 0
    }

    private final class Counter: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let hangsUpAfter: TimeAmount?
        let count: @Sendable (Int, Int) -> Void

        init(hangsUpAfter: TimeAmount?, _ count: @escaping @Sendable (Int, Int) -> Void) {
            self.hangsUpAfter = hangsUpAfter
            self.count = count
        }

        func channelActive(context: ChannelHandlerContext) {
            count(1, 0)
            guard let hangsUpAfter else { return }
            let channel = context.channel
            context.eventLoop.scheduleTask(in: hangsUpAfter) { channel.close(promise: nil) }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { count(0, unwrapInboundIn(data).readableBytes) }
    }

    private let counts = Mutex(Counts())
    private let channel = Mutex<(any Channel)?>(nil)

    var port: Int { channel.withLock { $0?.localAddress?.port } ?? 0 }
    var connections: Int { counts.withLock(\.connections) }
    var bytes: Int { counts.withLock(\.bytes) }

    static func start(hangsUpAfter: TimeAmount? = nil) async throws -> ForbiddenListener {
        let listener = ForbiddenListener()
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.pipeline.addHandler(
                    Counter(hangsUpAfter: hangsUpAfter) { connections, bytes in
                        listener.counts.withLock {
                            $0.connections += connections
                            $0.bytes += bytes
                        }
                    })
            }.bind(host: "localhost", port: 0).get()
        listener.channel.withLock { $0 = channel }
        return listener
    }

    func stop() async throws {
        let channel = channel.withLock { $0 }
        try await channel?.close().get()
    }
}

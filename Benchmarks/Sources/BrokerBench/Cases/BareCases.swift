import BenchmarkLoad
import CryptoExtras
import Foundation
import NIOHTTP1

/// The yardsticks of the regime of processor time: a bare route, a bare signature.
struct BareCases {
    static let connections = [16, 64]
    private let servers: Servers
    private let boringSSL: _RSA.Signing.PrivateKey
    private let openSSL: OpenSSLKey

    /// The programs that answer `ok`.
    struct Servers {
        /// Hummingbird with the executor that ratios are taken with.
        let bare: ServerProcess
        /// With the other one.
        let other: ServerProcess
        let nio: ServerProcess
        let epoll: ServerProcess
    }

    /// - Throws: when no key can be made.
    init(_ servers: Servers) throws {
        self.servers = servers
        boringSSL = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        openSSL = try OpenSSLKey(bits: 2048)
    }

    func all() -> [BenchmarkCase] {
        let hello = RepeatedRequest(.benchmark(.GET, "/hello"), expecting: "ok")
        let echo = RepeatedRequest(
            .benchmark(.POST, "/echo", contentType: "application/json"),
            body: #"{"text":"as much as a small request has","number":1}"#, expecting: "{")
        let routes = Self.connections.flatMap { count in
            [
                route(.hello, hello, at: servers.bare, count), route(.otherHello, hello, at: servers.other, count),
                route(.nioHello, hello, at: servers.nio, count), route(.epollHello, hello, at: servers.epoll, count),
                route(.bareJSON, echo, at: servers.bare, count),
            ]
        }
        return routes + [
            signature(.rawRS256Sign) { [boringSSL] input in
                [UInt8](try boringSSL.signature(for: input, padding: .insecurePKCS1v1_5).rawRepresentation)
            },
            signature(.openSSLRS256Sign) { [openSSL] input in try openSSL.signature(for: input) },
        ]
    }

    private func route(
        _ operation: CaseName.Operation, _ conversation: RepeatedRequest, at server: ServerProcess, _ connections: Int
    ) -> BenchmarkCase {
        let load = Load(ports: [server.port], connections: connections)
        let clock = ProcessorClock(of: [server.identifier])
        return BenchmarkCase(CaseName(.cpu, operation, .closed(connections))) { duration in
            Figure(try await load.measure(conversation, at: .asFastAsAnswered(for: duration), on: clock))
        }
    }

    /// What of a refresh with RS256 cannot be saved.
    private func signature(
        _ operation: CaseName.Operation, _ sign: @escaping (Data) throws -> [UInt8]
    ) -> BenchmarkCase {
        BenchmarkCase(CaseName(.cpu, operation, .closed(1))) { try Self.loop(for: $0, sign) }
    }

    private static func loop(for duration: Duration, _ sign: (Data) throws -> [UInt8]) throws -> Figure {
        var (result, input) = (LoadResult(), Data(count: 512))
        let processor = try ProcessorClock.ownProcess.now()
        let start = ContinuousClock.now
        while ContinuousClock.now - start < duration {
            let began = ContinuousClock.now
            let signature = try sign(input)
            result.latencies.record(ContinuousClock.now - began)
            result.answers += 1
            // The next depends on this one, so that none can be left out.
            input[0] ^= signature[0]
        }
        return Figure(
            LoadMeasurement(
                result: result, wall: ContinuousClock.now - start,
                processor: try ProcessorClock.ownProcess.now() - processor))
    }
}

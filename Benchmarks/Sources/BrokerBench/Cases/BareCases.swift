import BenchmarkLoad
import CryptoExtras
import Foundation
import NIOHTTP1

/// The yardsticks of the regime of processor time: a bare route, a bare signature.
struct BareCases {
    static let connections = [16, 64]
    private let server: ServerProcess
    private let other: ServerProcess
    private let key: _RSA.Signing.PrivateKey

    /// - Parameters:
    ///   - server: with the executor that ratios are taken with.
    ///   - other: with the other one.
    /// - Throws: when no key can be made.
    init(_ server: ServerProcess, _ other: ServerProcess) throws {
        self.server = server
        self.other = other
        key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    }

    func all() -> [BenchmarkCase] {
        let hello = RepeatedRequest(.benchmark(.GET, "/hello"), expecting: "ok")
        let echo = RepeatedRequest(
            .benchmark(.POST, "/echo", contentType: "application/json"),
            body: #"{"text":"as much as a small request has","number":1}"#, expecting: "{")
        let routes = Self.connections.flatMap { count in
            [
                route(.hello, hello, at: server, count), route(.otherHello, hello, at: other, count),
                route(.bareJSON, echo, at: server, count),
            ]
        }
        return routes + [BenchmarkCase(CaseName(.cpu, .rawRS256Sign, .closed(1)), sign)]
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
    private func sign(_ duration: Duration) async throws -> Figure {
        var (result, input) = (LoadResult(), Data(count: 512))
        let processor = try ProcessorClock.ownProcess.now()
        let start = ContinuousClock.now
        while ContinuousClock.now - start < duration {
            let began = ContinuousClock.now
            let signature = try key.signature(for: input, padding: .insecurePKCS1v1_5)
            result.latencies.record(ContinuousClock.now - began)
            result.answers += 1
            // The next depends on this one, so that none can be left out.
            input[0] ^= signature.rawRepresentation[0]
        }
        return Figure(
            LoadMeasurement(
                result: result, wall: ContinuousClock.now - start,
                processor: try ProcessorClock.ownProcess.now() - processor))
    }
}

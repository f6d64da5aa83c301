import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import Synchronization
import Testing

@testable import Broker

@Suite("a provider's keys")
struct ProviderKeySetsTests {
    private static let url = "https://id.example/keys"

    @Test func `keys are asked for once and then known`() async throws {
        let (server, keys, sets) = Self.make()

        for _ in 0..<3 { _ = try await sets.keys(at: Self.url, including: keys.currentKeyID, over: server) }

        #expect(server.count == 1)
    }

    @Test func `all callers that wait for the keys share one request`() async throws {
        let (server, keys, sets) = Self.make()
        server.hold()

        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await sets.keys(at: Self.url, including: keys.currentKeyID, over: server)[keys.currentKeyID]
                        != nil
                }
            }
            await server.release()
            for try await isThere in group { #expect(isThere) }
        }

        #expect(server.count == 1)
    }

    @Test func `a key the provider has just begun to use is found`() async throws {
        let (server, keys, sets) = Self.make()
        let clock = server.clock
        _ = try await sets.keys(at: Self.url, including: keys.currentKeyID, over: server)
        clock.advance(seconds: 31)
        keys.rotate()

        let set = try await sets.keys(at: Self.url, including: keys.currentKeyID, over: server)

        #expect(set[keys.currentKeyID] != nil)
        #expect(server.count == 2)
    }

    @Test func `invented key names do not become requests`() async throws {
        let (server, keys, sets) = Self.make()
        _ = try await sets.keys(at: Self.url, including: keys.currentKeyID, over: server)

        for number in 0..<100 {
            let set = try await sets.keys(at: Self.url, including: "invented-\(number)", over: server)
            #expect(set["invented-\(number)"] == nil)
        }

        #expect(server.count == 1)
        server.clock.advance(seconds: 30)
        _ = try await sets.keys(at: Self.url, including: "invented", over: server)
        _ = try await sets.keys(at: Self.url, including: "invented", over: server)
        #expect(server.count == 2)
    }

    @Test(arguments: ["max-age=600", "max-age=86400"])
    func `an outage is bridged by the keys that are known, for a day and no longer`(header: String) async throws {
        let (server, keys, sets) = Self.make(cacheControl: header)
        _ = try await sets.keys(at: Self.url, including: keys.currentKeyID, over: server)
        server.answer = .init(status: 500)
        server.clock.advance(seconds: 86_399)

        let set = try await sets.keys(at: Self.url, including: keys.currentKeyID, over: server)
        #expect(set[keys.currentKeyID] != nil)

        server.clock.advance(seconds: 1)
        for _ in 0..<2 {
            let error = await #expect(throws: ProviderError.self) {
                _ = try await sets.keys(at: Self.url, including: keys.currentKeyID, over: server)
            }
            #expect(error?.fault == .upstream)
        }
        server.answer = nil
        #expect(try await sets.keys(at: Self.url, including: keys.currentKeyID, over: server)[keys.currentKeyID] != nil)
    }

    @Test(arguments: [
        ("max-age=600", 601.0), ("public, max-age=0", 301), ("no-store", 3601), ("max-age=999999999", 86_401),
    ])
    func `keys are cached as long as the provider says, within bounds`(header: String, seconds: Double) async throws {
        let (server, keys, sets) = Self.make(cacheControl: header)
        _ = try await sets.keys(at: Self.url, including: keys.currentKeyID, over: server)
        server.clock.advance(seconds: seconds - 2)
        _ = try await sets.keys(at: Self.url, including: keys.currentKeyID, over: server)
        #expect(server.count == 1)

        server.clock.advance(seconds: 2)
        _ = try await sets.keys(at: Self.url, including: keys.currentKeyID, over: server)

        #expect(server.count == 2)
    }

    @Test(arguments: [
        "", "{", "[]", #"{"keys":{}}"#, #"{"keys":[],"keys":[]}"#, String(repeating: "[", count: 10_000),
        #"{"keys":""# + String(repeating: "x", count: 300_000) + #""}"#,
        #"{"keys":["# + Array(repeating: #"{"kty":"oct"}"#, count: 101).joined(separator: ",") + "]}",
    ])
    func `a hostile key set is the provider's fault and nothing else`(text: String) async throws {
        let (server, keys, sets) = Self.make()
        server.answer = .init(status: 200, body: Array(text.utf8))

        let error = await #expect(throws: ProviderError.self) {
            _ = try await sets.keys(at: Self.url, including: keys.currentKeyID, over: server)
        }

        #expect(error?.fault == .upstream)
    }

    @Test func `unusable keys do not hide usable ones`() async throws {
        let (server, keys, sets) = Self.make()
        for decoy in [
            ["kty": "oct", "k": "c2VjcmV0"], ["kty": "EC", "crv": "P-521", "x": "AA", "y": "AA", "kid": "large"],
            ["kty": "RSA", "n": "AQAB", "e": "AQAB", "kid": "small"], "nonsense", nil, 42, ["kty": ["RSA"]],
        ] as [JSONValue] {
            keys.publish(decoy)
        }

        let set = try await sets.keys(at: Self.url, including: keys.currentKeyID, over: server)

        #expect(set.keys.count == 1 && set[keys.currentKeyID] != nil)
    }

    private static func make(
        cacheControl: String? = nil
    ) -> (server: KeyServer, keys: IssuerKeys, sets: ProviderKeySets) {
        let keys = IssuerKeys()
        let clock = TestClock()
        return (
            KeyServer(keys: keys, cacheControl: cacheControl, clock: clock), keys, ProviderKeySets(now: { clock.now })
        )
    }
}

/// An upstream that has nothing but keys.
private final class KeyServer: Upstream {
    let clock: TestClock
    private let keys: IssuerKeys
    private let cacheControl: String?
    private let state = Mutex(State())

    private struct State {
        var count = 0
        var answer: UpstreamResponse?
        var gate: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)?
    }

    init(keys: IssuerKeys, cacheControl: String?, clock: TestClock) {
        self.keys = keys
        self.cacheControl = cacheControl
        self.clock = clock
    }

    var count: Int { state.withLock { $0.count } }
    var answer: UpstreamResponse? {
        get { state.withLock { $0.answer } }
        set { state.withLock { $0.answer = newValue } }
    }

    /// Lets no answer out until ``release()``.
    func hold() {
        state.withLock { $0.gate = AsyncStream.makeStream() }
    }

    /// Answers after the first request.
    func release() async {
        while count == 0 { await Task.yield() }
        state.withLock { $0.gate?.continuation.finish() }
    }

    func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
        let gate = state.withLock { state in
            state.count += 1
            return state.gate?.stream
        }
        if let gate { for await _ in gate {} }
        if let answer { return answer }
        return UpstreamResponse(
            status: 200, headers: cacheControl.map { [("Cache-Control", $0)] } ?? [],
            body: Array(keys.document.serialized().utf8))
    }
}

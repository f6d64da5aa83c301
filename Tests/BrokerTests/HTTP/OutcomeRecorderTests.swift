import BrokerStore
import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

@Suite("what requests came to")
struct OutcomeRecorderTests {
    private static func network(_ address: String) throws -> ClientNetwork {
        ClientNetwork(try #require(IPAddressBytes(address)))
    }

    private static func recorder(of broker: TestBroker, _ store: Store? = nil) -> OutcomeRecorder {
        OutcomeRecorder(store ?? broker.core.store, now: { broker.clock.now })
    }

    private static func refusal(_ code: String, _ clientID: String? = nil) -> RequestOutcome {
        RequestOutcome(code: code, provider: "github.com", clientID: clientID)
    }

    private static func causes(in store: Store) async throws -> [CauseSum] {
        try await store.read { try $0.causeSums(since: Timestamp(milliseconds: 0), limit: 10) }
    }

    private static func recorded(_ ids: [String], in store: Store) async throws -> [String] {
        try await store.read { transaction in
            try ids.filter { try transaction.recordedRefusal(requestID: $0) != nil }
        }
    }

    @Test func `one client at one address has ten causes a minute recorded, and all of them are counted`() async throws
    {
        try await TestBroker.run { broker in
            let recorder = Self.recorder(of: broker)
            let limiter = BrokerServer(broker.core).limiter
            let address = try Self.network("203.0.113.7")
            for number in 0..<15 {
                recorder.take(
                    Self.refusal("USER_CANCELLED", "web"), requestID: "web-\(number)", route: "/r", status: 400,
                    from: address, limiter)
            }
            for (client, address) in [("other", address), ("web", try Self.network("203.0.113.8"))] {
                recorder.take(
                    Self.refusal("USER_CANCELLED", client), requestID: "\(client)-more", route: "/r", status: 400,
                    from: address, limiter)
            }
            try await recorder.turn()

            let ids = (0..<15).map { "web-\($0)" } + ["other-more", "web-more"]
            let found = try await Self.recorded(ids, in: broker.core.store)
            let sums = try await Self.causes(in: broker.core.store)
            #expect(found == (0..<10).map { "web-\($0)" } + ["other-more", "web-more"])
            #expect(sums.map(\.count) == [16, 1])
            #expect(sums.allSatisfy { $0.code == "USER_CANCELLED" && $0.provider == "github.com" })
        }
    }

    @Test func `a turn writes what came since the last one, and nothing twice`() async throws {
        try await TestBroker.run { broker in
            let recorder = Self.recorder(of: broker)
            let limiter = BrokerServer(broker.core).limiter
            let signIn = RequestOutcome(provider: "github.com", hasSignedIn: true)
            for number in 0..<3 {
                recorder.take(signIn, requestID: "", route: "/r", status: 200, from: nil, limiter)
                recorder.take(
                    Self.refusal("USER_DISABLED"), requestID: "of \(number)", route: "/r", status: 400, from: nil,
                    limiter)
                for _ in 0..<2 { try await recorder.turn() }
            }
            // A device that asks again has failed in nothing.
            recorder.take(
                Self.refusal("authorization_pending"), requestID: "pending", route: "/r", status: 400, from: nil,
                limiter)
            broker.clock.advance(seconds: 3600)
            recorder.take(signIn, requestID: "", route: "/r", status: 200, from: nil, limiter)
            for _ in 0..<2 { try await recorder.turn() }

            let sums = try await Self.causes(in: broker.core.store)
            let hours = try await broker.core.store.read {
                try $0.signInSums(since: Timestamp(milliseconds: 0), every: 3_600_000)
            }
            let ids = ["of 0", "of 1", "of 2", "pending"]
            #expect(try await Self.recorded(ids, in: broker.core.store) == ["of 0", "of 1", "of 2"])
            #expect(sums.map(\.code) == ["USER_DISABLED"] && sums.map(\.count) == [3])
            #expect(Set(hours.values) == [SignInSum(signIns: 3, failures: 3), SignInSum(signIns: 1, failures: 0)])
        }
    }

    @Test func `a refused sign-in is explained by the number of its answer, and its line in the log says the cause`()
        async throws
    {
        try await TestBroker.run { broker in
            let answer = try await broker.signIn(postBody: [
                ("access_token", "no-token-of-github"), ("providerId", "github.com"),
            ])
            let number = try #require(answer.headers.first(name: "X-Request-Id"))
            let call = AdminCall(broker.core.admin, origin: Origin(.admin))

            let explained = try await ExplainDecisions(of: number).run(for: call)
            let counted = try await ShowStatistics().run(for: call)

            #expect(explained.refusal?.code == "INVALID_IDP_RESPONSE" && explained.refusal?.provider == "github.com")
            #expect(explained.decisions.isEmpty && explained.unrecorded == nil)
            #expect(counted.hours.causes.map(\.code) == ["INVALID_IDP_RESPONSE"])
            #expect(counted.hours.signIns == 0 && counted.hours.failedSignIns == 1 && counted.days.failedSignIns == 1)
            #expect(counted.hours.intervals.count == 24 && counted.days.intervals.last?.failedSignIns == 1)
        }
    }

    @Test func `refused requests are listed by code, provider and client, the newest first`() async throws {
        try await TestBroker.run { broker in
            let recorder = Self.recorder(of: broker)
            let limiter = BrokerServer(broker.core).limiter
            let causes = [("USER_DISABLED", "web"), ("USER_CANCELLED", "web"), ("USER_CANCELLED", "native")]
            for (number, cause) in causes.enumerated() {
                recorder.take(
                    Self.refusal(cause.0, cause.1), requestID: "request-\(number)", route: "/r", status: 400, from: nil,
                    limiter)
                try await recorder.turn()
                broker.clock.advance(seconds: 1)
            }
            let call = AdminCall(broker.core.admin, origin: Origin(.admin))
            func listed(_ operation: ListRefusals) async throws -> [String] {
                try await operation.run(for: call).refusals.map(\.requestId)
            }

            #expect(try await listed(ListRefusals()) == ["request-2", "request-1", "request-0"])
            #expect(try await listed(ListRefusals(code: "USER_CANCELLED")) == ["request-2", "request-1"])
            #expect(try await listed(ListRefusals(code: "USER_CANCELLED", client: "web")) == ["request-1"])
            #expect(try await listed(ListRefusals(provider: "gitlab.com")) == [])
            let first = try await ListRefusals(provider: "github.com", limit: 2).run(for: call)
            let next = try #require(first.next)
            #expect(first.refusals.map(\.requestId) == ["request-2", "request-1"])
            #expect(try await listed(ListRefusals(limit: 2, before: next)) == ["request-0"])
            #expect(try await listed(ListRefusals(before: "of another list")) == [])
        }
    }

    @Test func `of a request that was not refused the line of the log is named`() async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.get("/healthz")
            let number = try #require(answer.headers.first(name: "X-Request-Id"))
            let call = AdminCall(broker.core.admin, origin: Origin(.admin))
            let operation = ExplainDecisions(of: number)

            let explained = try await operation.run(for: call)

            #expect(explained.unrecorded?.logLine == "\"request_id\":\"\(number)\"")
            #expect(operation.isFailure(explained))
            await #expect(throws: AdminFailure.self) { try await ExplainDecisions(of: "nobody").run(for: call) }
        }
    }

    @Test func `requests of many addresses, or that meet a limit, do not replace the recorded causes`()
        async throws
    {
        try await TestBroker.run { broker in
            let recorder = Self.recorder(of: broker)
            let limiter = BrokerServer(broker.core).limiter
            var ids: [String] = []
            func take(_ code: String, from network: ClientNetwork?) {
                ids.append("request-\(ids.count)")
                recorder.take(
                    Self.refusal(code), requestID: ids.last ?? "", route: "/r", status: 400, from: network, limiter)
            }
            for number in 0..<150 { take("USER_CANCELLED", from: try Self.network("2001:db8:1:\(number)::7")) }
            for _ in 0..<150 { take("USER_CANCELLED", from: nil) }
            take("TOO_MANY_ATTEMPTS_TRY_LATER", from: try Self.network("203.0.113.7"))
            try await recorder.turn()

            #expect(try await Self.recorded(ids, in: broker.core.store).count == 200)
        }
    }

    @Test func `nothing that was sent stands in a recorded cause`() async throws {
        try await TestBroker.run { broker in
            let call = AdminCall(broker.core.admin, origin: Origin(.admin))
            let sent = "secret-name"
            let answers = [
                try await broker.signIn(postBody: [("access_token", sent), ("providerId", sent)]),
                try await broker.post("/v1/accounts:lookup", ["idToken": .string(sent)]),
                try await broker.get("/oauth/authorize?client_id=\(sent)&redirect_uri=\(sent)"),
                try await broker.get("/oauth/callback/github.com?state=\(sent)&code=\(sent)"),
            ]

            for answer in answers {
                let number = try #require(answer.headers.first(name: "X-Request-Id"))
                let explained = try await ExplainDecisions(of: number).run(for: call)
                let document = try JSONValueEncoder().encode(explained).serialized()
                #expect(explained.refusal != nil && !document.contains(sent), "\(document)")
            }
        }
    }
}

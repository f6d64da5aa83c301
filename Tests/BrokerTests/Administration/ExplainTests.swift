import NIOHTTP1
import Testing

@testable import Broker

@Suite("Explanations of requests")
struct ExplainTests {
    @Test func `name the decisions of a sign-in, also after the clock was set back`() async throws {
        try await TestBroker.run { broker in
            for seconds in [0.0, 5, -7200, 5] {
                broker.clock.advance(seconds: seconds)
                let answer = try await broker.signIn(broker.person("ada"))
                let requestID = try #require(answer.headers.first(name: "X-Request-Id"))

                let explanation = try await broker.core.admin.explain(requestID, limit: 5)

                #expect(explanation.decisions.map(\.requestID) == [requestID], "\(explanation)")
            }
        }
    }

    @Test func `say nothing of what is no id`() async throws {
        try await TestBroker.run { broker in
            _ = try await broker.signIn(broker.person("ada"))

            for name in ["", "ada", String(repeating: "a", count: 21)] {
                guard case .nothing = try await broker.core.admin.explain(name, limit: 5) else {
                    Issue.record("\(name) is explained")
                    continue
                }
            }
        }
    }
}

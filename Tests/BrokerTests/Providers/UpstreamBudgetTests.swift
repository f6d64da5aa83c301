import ProviderKit
import Testing

@testable import Broker

@Suite("The budget of a plugin's call")
struct UpstreamBudgetTests {
    /// The number of requests that may be sent, up to a thousand.
    private func allowedRequests(eachAnsweredWith bytes: Int = 0) -> Int {
        for number in 0..<1000 {
            do {
                try UpstreamBudget.spendRequest(at: .fetchProfile)
            } catch {
                return number
            }
            UpstreamBudget.spend(bytes: bytes)
        }
        return 1000
    }

    @Test func `a call sends twenty requests and no more`() async throws {
        let allowed = try await PluginCalls().run(within: .seconds(60)) { allowedRequests() }

        #expect(allowed == UpstreamBudget.maximumRequests)
    }

    @Test func `the next call has a budget of its own`() async throws {
        let calls = PluginCalls()
        for _ in 0..<2 {
            #expect(try await calls.run(within: .seconds(60)) { allowedRequests() } == UpstreamBudget.maximumRequests)
        }
    }

    @Test func `the sizes of responses add up`() async throws {
        let allowed = try await PluginCalls().run(within: .seconds(60)) { allowedRequests(eachAnsweredWith: 1 << 20) }

        #expect(allowed == 5)
    }

    @Test func `tasks of a call share its budget`() async throws {
        let allowed = try await PluginCalls().run(within: .seconds(60)) {
            await Task { allowedRequests() }.value + allowedRequests()
        }

        #expect(allowed == UpstreamBudget.maximumRequests)
    }

    @Test func `a spent budget is a fault of the upstream`() async {
        let error = await #expect(throws: ProviderError.self) {
            try await PluginCalls().run(within: .seconds(60)) {
                while true { try UpstreamBudget.spendRequest(at: .fetchProfile) }
            }
        }

        #expect(error?.fault == .upstream && error?.reason.contains("20 requests") == true)
    }

    @Test func `what is no call of a plugin has no budget`() {
        #expect(allowedRequests() == 1000)
    }
}

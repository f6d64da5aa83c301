import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("W3C trace context")
struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let header = "00-\(trace)-00f067aa0ba902b7-01"

    @Test func `a traceparent is read, and its span becomes the parent`() throws {
        let context = try #require(TraceContext(parsing: Self.header))

        #expect(context.traceID == Self.trace && context.isSampled)
        #expect(context.spanID != "00f067aa0ba902b7" && context.spanID.utf8.count == 16)
        let child = try #require(TraceContext(parsing: context.childHeader()))
        #expect(child.traceID == Self.trace && child.isSampled)
        #expect(!context.childHeader().contains(context.spanID))
    }

    @Test(arguments: ["01", "03", "ff", "00", "02"])
    func `only the flag of sampled traces is passed on`(flags: String) throws {
        let context = try #require(TraceContext(parsing: "00-\(Self.trace)-00f067aa0ba902b7-\(flags)"))

        #expect(context.childHeader().hasSuffix(["01", "03", "ff"].contains(flags) ? "-01" : "-00"))
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-00f067aa0ba902b7", "00-\(trace)-00f067aa0ba902b7-01-more",
        "00-\(trace)-00f067aa0ba902b7-0g", "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-\(trace)-0000000000000000-01", "ff-\(trace)-00f067aa0ba902b7-01",
        "00-\(trace.uppercased())-00f067aa0ba902b7-01",
        " 00-\(trace)-00f067aa0ba902b7-01", "00_\(trace)_00f067aa0ba902b7_01", "01-\(trace)-00f067aa0ba902b7-01x",
    ])
    func `anything else is ignored`(text: String) {
        #expect(TraceContext(parsing: text) == nil)
    }

    @Test func `a later version may say more`() {
        #expect(TraceContext(parsing: "01-\(Self.trace)-00f067aa0ba902b7-01-more")?.traceID == Self.trace)
    }

    @Test func `the trace of a credential's holder reaches the log and the provider, and an invalid one neither`()
        async throws
    {
        try await TestBroker.run { broker in
            let log = LogLines()
            try await TestBroker.serve(broker.core, logger: log.logger) { url in
                let served = TestBroker(
                    core: broker.core, url: url, apiKey: broker.apiKey, simulator: broker.simulator,
                    clock: broker.clock, folder: broker.folder)
                let administrator = try await ConfigurationAdministrator(of: served)
                for header in [Self.header, "00-nothing"] {
                    let answer = try await administrator.run(
                        "providers.check", ["provider": "github.com"], headers: ["traceparent": header])
                    #expect(answer.status == 200, "\(answer)")
                }
            }
            let lines = log.lines.filter { $0["message"] == "request" }
            let sent = broker.simulator.requests(.checkToken).map { $0.header("traceparent") }

            #expect(lines.map { $0["trace_id"]?.string } == [Self.trace, nil])
            #expect(lines.first?["span_id"]?.string?.utf8.count == 16)
            #expect(sent.count == 2 && sent.last == .some(nil), "\(sent)")
            let child = try #require(sent.first ?? nil)
            #expect(child.hasPrefix("00-\(Self.trace)-") && child.hasSuffix("-01"))
            #expect(lines.first?["span_id"]?.string.map { !child.contains($0) } == true)
        }
    }
    @Test func `the trace of a client or a user reaches the log and no provider`() async throws {
        try await TestBroker.run { broker in
            let log = LogLines()
            try await TestBroker.serve(broker.core, logger: log.logger) { url in
                let served = TestBroker(
                    core: broker.core, url: url, apiKey: broker.apiKey, simulator: broker.simulator,
                    clock: broker.clock, folder: broker.folder)
                let user = try await served.signUp().string("idToken")
                for (login, idToken) in [("ada", nil), ("ben", user)] {
                    let token = broker.simulator.accessToken(
                        for: try broker.person(login), application: broker.simulator.defaultApplication)
                    var body: JSONObject = [
                        "requestUri": "http://localhost",
                        "postBody": .string("access_token=\(token)&providerId=github.com"),
                    ]
                    body["idToken"] = idToken.map(JSONValue.string)
                    let answer = try await served.post(
                        "/v1/accounts:signInWithIdp", .object(body), headers: ["traceparent": Self.header])
                    #expect(answer.status == 200, "\(answer)")
                }
            }
            let traces = log.lines.filter { $0["message"] == "request" }.map { $0["trace_id"]?.string }
            let sent = broker.simulator.requests(.user).map { $0.header("traceparent") }

            #expect(traces == [nil, Self.trace, Self.trace])
            #expect(sent == [nil, nil])
        }
    }
}

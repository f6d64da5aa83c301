import ProviderKit

/// One request of one act, to be repeated with another response.
struct CallStage: Sendable {
    let fixture: ProviderFixture
    let script: ProviderScript
    let act: Act
    /// The position of the request in the act, counted from 0.
    let call: Int
    /// The normal request and response.
    let exchange: ScriptedUpstream.Exchange
    /// The normal result of the act.
    let honest: Outcome

    var request: UpstreamRequest { exchange.request }
    var endpoint: ScriptedEndpoint? { exchange.endpoint }

    /// The name in messages.
    var title: String { "\(act.title(in: script)), where \(request.name)" }

    /// Repeats the act with another response to this request.
    func play(_ disturbance: ScriptedUpstream.Disturbance) async throws -> Rehearsal.Ending {
        try await Rehearsal(fixture, script, disturbing: [call: disturbance]).play(act)
    }
}

extension ProviderFixture {
    /// Runs `body` for every request of every act.
    func everyCall(_ body: (CallStage) async throws -> Void) async throws {
        let script = script()
        let acts = try Act.all(of: Rehearsal(self, script).provider, script)
        for act in acts {
            let rehearsal = try Rehearsal(self, script)
            let honest = try await rehearsal.succeed(act)
            for (call, exchange) in rehearsal.upstream.exchanges.enumerated() {
                try await body(
                    CallStage(
                        fixture: self, script: script, act: act, call: call, exchange: exchange, honest: honest))
            }
        }
    }
}

extension [Int: ScriptedUpstream.Disturbance] {
    /// The same trouble for every request.
    static func all(_ disturbance: ScriptedUpstream.Disturbance) -> Self {
        Dictionary(uniqueKeysWithValues: (0..<Rehearsal.maximumCalls).map { ($0, disturbance) })
    }
}

import ProviderKit

/// One call to the provider in one act, as it went on a good day, about to go otherwise.
struct CallStage: Sendable {
    let fixture: ProviderFixture
    let script: ProviderScript
    let act: Act
    /// Which call of the act, counted from 0.
    let call: Int
    /// The good day's request and answer.
    let exchange: ScriptedUpstream.Exchange
    /// What the act came to on a good day.
    let honest: Outcome

    var request: UpstreamRequest { exchange.request }
    var endpoint: ScriptedEndpoint? { exchange.endpoint }

    /// What this is about, for messages.
    var title: String { "\(act.title(in: script)), where \(request.name)" }

    /// The act once more, with this call going otherwise.
    func play(_ disturbance: ScriptedUpstream.Disturbance) async throws -> Rehearsal.Ending {
        try await Rehearsal(fixture, script, disturbing: [call: disturbance]).play(act)
    }
}

extension ProviderFixture {
    /// Runs `body` for every call the plugin makes in any of its acts.
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
    /// Every call goes that way.
    static func all(_ disturbance: ScriptedUpstream.Disturbance) -> Self {
        Dictionary(uniqueKeysWithValues: (0..<Rehearsal.maximumCalls).map { ($0, disturbance) })
    }
}

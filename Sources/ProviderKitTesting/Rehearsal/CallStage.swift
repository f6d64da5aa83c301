import ProviderKit

/// One request of one plugin call, to be repeated with another response.
struct CallStage: Sendable {
    let fixture: ProviderFixture
    let script: ProviderScript
    let pluginCall: PluginCall
    /// The position of the request in the plugin call, counted from 0.
    let call: Int
    /// The normal request and response.
    let exchange: ScriptedUpstream.Exchange
    /// The normal result of the plugin call.
    let honest: Outcome

    var request: UpstreamRequest { exchange.request }
    var endpoint: ScriptedEndpoint? { exchange.endpoint }

    /// The name in messages.
    var title: String { "\(pluginCall.title(in: script)), where \(request.name)" }

    /// Repeats the plugin call with another response to this request.
    func play(_ disturbance: ScriptedUpstream.Disturbance) async throws -> Rehearsal.Ending {
        try await Rehearsal(fixture, script, disturbing: [call: disturbance]).play(pluginCall)
    }
}

extension ProviderFixture {
    /// Runs `body` for every request of every plugin call.
    func everyCall(_ body: (CallStage) async throws -> Void) async throws {
        let script = script()
        let pluginCalls = try PluginCall.all(of: Rehearsal(self, script).provider, script)
        for pluginCall in pluginCalls {
            let rehearsal = try Rehearsal(self, script)
            let honest = try await rehearsal.succeed(pluginCall)
            for (call, exchange) in rehearsal.upstream.exchanges.enumerated() {
                try await body(
                    CallStage(
                        fixture: self, script: script, pluginCall: pluginCall, call: call, exchange: exchange,
                        honest: honest))
            }
        }
    }
}

extension [Int: ScriptedUpstream.Disturbance] {
    /// The same response for every request.
    static func all(_ disturbance: ScriptedUpstream.Disturbance) -> Self {
        Dictionary(uniqueKeysWithValues: (0..<Rehearsal.maximumCalls).map { ($0, disturbance) })
    }
}

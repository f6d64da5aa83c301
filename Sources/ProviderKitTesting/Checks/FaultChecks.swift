import ProviderKit
import Synchronization

extension ConformanceSuite {
    /// The checks that repeat every request of every plugin call with each upstream fault, one at a time.
    static let faultChecks = UpstreamFault.allCases.map(withstands) + [honoursCancellation]

    private static func withstands(_ fault: UpstreamFault) -> ConformanceCheck {
        ConformanceCheck(
            "withstands-\(fault.rawValue)", "any request may have this result: \(fault.words)",
            fix: "Check the status first, decode strictly, and pass the ProviderError on."
        ) {
            try await $0.everyCall { stage in
                for (place, disturbance) in fault.disturbances(of: stage.exchange.answer) {
                    let title = "\(stage.title) met \(fault.words)\(place.isEmpty ? "" : " at \(place)")"
                    do {
                        try fault.judge(await stage.play(disturbance), of: stage)
                    } catch Deviation.broken(let reason) {
                        throw Deviation.broken("\(title): \(reason)")
                    }
                }
            }
        }
    }

    private static let honoursCancellation = ConformanceCheck(
        "honours-cancellation", "a request without a response ends when the caller is cancelled",
        fix: "Await Upstream.send in the caller's task, and not in a Task of its own."
    ) {
        try await $0.everyCall { stage in
            // Callers share a discovery request, so the cancellation of one caller does not cancel it.
            guard stage.endpoint?.isDiscovery != true else { return }
            let rehearsal = try Rehearsal(stage.fixture, stage.script, disturbing: [stage.call: .silence])
            let hasEnded = await rehearsal.endsWhenCancelled(stage.pluginCall)
            try require(hasEnded, "\(stage.title) has no response: continues after cancellation")
        }
    }
}

extension UpstreamFault {
    /// Throws unless the plugin handles the fault correctly.
    func judge(_ ending: Rehearsal.Ending, of stage: CallStage) throws {
        switch ending {
        case .failure(let error):
            let names = faults.map(\.rawValue).sorted().joined(separator: " or ")
            try require(faults.contains(error.fault), "fault \(error.fault.rawValue) instead of \(names): \(error)")
            let wait = [.unavailable, .tooManyRequests].contains(self) ? Self.retryAfter : nil
            try require(
                error.retryAfter == nil || error.retryAfter == wait, "sets a retry time that the provider did not send")
        case .success(let outcome):
            let violation = violation(in: outcome, honest: stage.honest)
            if let violation { throw Deviation.broken(violation) }
        }
    }

    /// The fault of a success in spite of the upstream fault; nil when it is harmless.
    private func violation(in outcome: Outcome, honest: Outcome) -> String? {
        switch (outcome, honest) {
        case (.identity, _), (.poll(.granted), _):
            guard let identity = outcome.identity, let expected = honest.identity else { return "another outcome" }
            let isWhatItSays = self == .otherTypes && identity.subject == JSONValue.replacement.serialized()
            let fields =
                allowsLess
                ? identity.excesses(over: expected, besidesSubject: isWhatItSays) : identity.differences(from: expected)
            return fields.isEmpty ? nil : "signs in with another \(fields.joined(separator: ", "))"
        case (.grant(let grant), .grant(let expected)):
            let isSame =
                allowsLess ? grant.accessToken == expected.accessToken : UpstreamGrant?.some(grant).isSame(as: expected)
            return isSame ? nil : "treats it as a grant"
        case (.url(let url), .url(let expected)):
            return url == expected ? nil : "sends the browser elsewhere"
        case (.device(let device), .device(let expected)):
            let isSame = device.deviceCode == expected.deviceCode && device.userCode == expected.userCode
            return isSame ? nil : "treats it as codes"
        case (.events(let events), .events(let expected)):
            return events == expected ? nil : "reads other events"
        case (.done, .done):
            // The body of a revocation response is irrelevant, and an unknown grant is revoked.
            return status.map { (200..<300).contains($0) || $0 == 404 } ?? false ? nil : "treats it as a success"
        default: return "another outcome"
        }
    }
}

extension Rehearsal {
    /// Whether a plugin call without a response ends soon after its cancellation.
    fileprivate func endsWhenCancelled(_ pluginCall: PluginCall) async -> Bool {
        let (silence, silent) = AsyncStream<Void>.makeStream()
        upstream.onSilence { silent.finish() }
        let task = Task {
            _ = await outcome(of: pluginCall)
            silent.finish()
        }
        for await _ in silence {}
        task.cancel()
        let hasEnded = await task.hasEnded(within: .seconds(10))
        upstream.breakSilence()
        return hasEnded
    }
}

extension Task where Success == Void, Failure == Never {
    /// Waits for the end with a time limit, to distinguish a slow plugin from one that ignores the cancellation.
    fileprivate func hasEnded(within limit: Duration) async -> Bool {
        let (answers, answer) = AsyncStream<Bool>.makeStream()
        let waiting = Task<Void, Never> {
            await value
            answer.yield(true)
        }
        let limit = Task<Void, Never> {
            try? await Task<Never, Never>.sleep(for: limit)
            answer.yield(false)
        }
        defer {
            waiting.cancel()
            limit.cancel()
        }
        for await hasEnded in answers { return hasEnded }
        return false
    }
}

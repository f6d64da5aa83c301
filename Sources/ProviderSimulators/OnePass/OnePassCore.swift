import ProviderKitTesting
import Synchronization

/// What the routes of a 1Pass simulator share: its memory behind a lock, its clock, and what signs its tokens.
final class OnePassCore: Sendable {
    let clock: SimulatorClock
    let traffic = Traffic<OnePassSimulator.Endpoint>()
    let keys: OnePassKeys
    private let state: Mutex<OnePassState>

    init(_ options: OnePassSimulator.Options, application: OnePassSimulator.Application) {
        clock = options.clock
        keys = OnePassKeys()
        state = Mutex(OnePassState(options, application: application, keys: keys))
    }

    /// Reads or changes the memory; nothing else does meanwhile.
    func withState<Result: Sendable, Failure: Error>(
        _ body: (inout OnePassState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.withLock { state throws(Failure) in try body(&state) }
    }

    /// A copy of the memory as it is now.
    var snapshot: OnePassState { state.withLock { $0 } }

    /// Sends what waits to be sent, and keeps what nobody took.
    ///
    /// - Returns: The answers' statuses, `nil` where none came.
    func deliverWaiting() async -> [Int?] {
        let waiting = withState { state in
            defer { state.waitingEvents = [] }
            return state.waitingEvents
        }
        let statuses = await deliver(waiting)
        withState { state in
            for (event, status) in zip(waiting, statuses) where !(200..<300).contains(status ?? 0) {
                state.waitingEvents.append(event)
            }
        }
        return statuses
    }

    /// Sends these events in this order, whether or not they were sent before.
    func deliver(_ events: [OnePassSimulator.Event]) async -> [Int?] {
        var statuses: [Int?] = []
        for event in events {
            guard let url = snapshot.application(event.clientID)?.webhookURL else {
                statuses.append(nil)
                continue
            }
            let headers = event.headers.map { (name: $0.name, value: $0.value) }
            statuses.append(await Delivery(url: url, headers: headers, body: Array(event.body.utf8)).send())
        }
        return statuses
    }

    /// Sends what waits in the background, unless webhooks are held back.
    func sendWaiting() {
        guard !snapshot.behaviour.holdsWebhooks else { return }
        Task { await deliverWaiting() }
    }
}

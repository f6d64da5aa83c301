import Hummingbird
import Logging
import Synchronization

/// A running simulator: the server of one provider. It stops with its last reference.
public final class SimulatorHost<State: SimulatorState>: Sendable {
    let core: SimulatorCore<State>
    private let server: LoopbackServer

    /// Starts a provider on a port of 127.0.0.1 and returns once it listens. Its endpoints stand below `path`.
    ///
    /// - Throws: An I/O error when the port is taken.
    init(
        _ initial: State, port: Int, below path: String = "", clock: SimulatorClock, logger: Logger
    ) async throws where State: SimulatedProvider {
        let core = SimulatorCore(initial, clock: clock) { state, device, personID, scopes in
            state.approve(device, by: personID, scopes: scopes)
        }
        self.core = core
        server = try await LoopbackServer.start(
            ProviderRoutes.router(of: core).buildResponder(), port: port, handlers: { [SimulatedDate(clock)] },
            logger: logger,
            onListening: { port in core.withState { $0.memory.url = "http://127.0.0.1:\(port)" + path } })
    }

    /// Closes all connections and returns once the port is free.
    func stop() async {
        await server.stop()
    }
}

/// The state of a simulated provider behind a lock, with its traffic and its clock.
final class SimulatorCore<State: SimulatorState>: Sendable {
    typealias Approval = @Sendable (inout State, DeviceCodes<State.Person.ID>.Device, State.Person.ID, [String]) -> Void

    let clock: SimulatorClock
    let traffic = Traffic<State.Endpoint>()
    private let state: Mutex<State>
    /// Records what an approved device may do.
    private let approve: Approval

    init(_ initial: State, clock: SimulatorClock, approve: @escaping Approval) {
        self.clock = clock
        state = Mutex(initial)
        self.approve = approve
    }

    /// Reads or changes the state at the clock's time, one caller at a time.
    func withState<Result: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.withLock { state throws(Failure) in
            state.memory.now = clock.now
            return try body(&state)
        }
    }

    /// Reads the state at the clock's time.
    func read<Result: Sendable>(_ body: (State) -> Result) -> Result {
        withState { body($0) }
    }

    /// Records a user's decision on the device that shows `userCode`: approval, or denial when `personID` is `nil`.
    ///
    /// - Returns: `false` when no pending device shows this code.
    func decideDevice(userCode: String, approvedBy personID: State.Person.ID?) -> Bool {
        withState { state in
            guard let device = state.memory.devices.waiting(userCode: userCode, now: state.now) else { return false }
            if let personID { approve(&state, device, personID, device.scopes) }
            return state.memory.devices.decide(
                userCode: userCode, personID.map { .approved(personID: $0, scopes: device.scopes) } ?? .denied,
                now: state.now)
        }
    }
}

/// A simulated identity provider on 127.0.0.1: its users and clients, its traffic, its faults and its time are under
/// the caller's control.
///
/// Each provider adds its credentials and its peculiarities; the requirement is opaque and for this module's own use.
public protocol Simulator: Sendable {
    /// The stored state of the provider.
    associatedtype State: SimulatorState

    /// The running server.
    var host: SimulatorHost<State> { get }
}

extension Simulator {
    /// The base of its endpoints, such as `http://127.0.0.1:40123`.
    public var url: String { core.read { $0.memory.url } }

    /// The time the simulator lives in.
    public var clock: SimulatorClock { core.clock }

    /// The client registration that exists since the start.
    public var defaultApplication: State.Application { core.read { $0.memory.defaultApplication } }

    /// Closes all connections and returns once the port is free.
    public func stop() async {
        await host.stop()
    }

    var core: SimulatorCore<State> { host.core }
}

/// Traffic and faults.
extension Simulator {
    /// Makes an endpoint misbehave.
    ///
    /// Faults of one endpoint happen in the order they were planned. Each hits the next `times` requests, or all until
    /// ``clearFaults()`` when `times` is `nil`.
    public func fail(_ endpoint: State.Endpoint, with fault: SimulatorFault, times: Int? = nil) {
        core.traffic.plan(fault, at: endpoint, times: times)
    }

    /// Removes every planned fault.
    public func clearFaults() {
        core.traffic.clearFaults()
    }

    /// The number of requests to an endpoint, those hit by faults included.
    public func hits(_ endpoint: State.Endpoint) -> Int {
        core.traffic.hits(at: endpoint)
    }

    /// The requests to an endpoint, oldest first. The simulator stores at least the last thousand requests.
    public func requests(_ endpoint: State.Endpoint) -> [RecordedRequest] {
        core.traffic.requests(at: endpoint)
    }
}

/// Users and clients.
extension Simulator {
    /// Adds a client registration, or replaces the one with the same client ID.
    @discardableResult
    public func register(_ application: State.Application) -> State.Application {
        core.withState { $0.memory.put(application) }
        return application
    }

    /// The client registrations.
    public func applications() -> [State.Application] {
        core.read { $0.memory.applications }
    }

    /// Adds a user, or replaces the one with the same identifier.
    @discardableResult
    public func add(_ person: State.Person) -> State.Person {
        core.withState { $0.memory.put(person) }
        return person
    }

    /// The users.
    public func people() -> [State.Person] {
        core.read { $0.memory.people }
    }

    /// Changes a user: another name, another address. Does nothing when there is no such user.
    @discardableResult
    public func update(personID: State.Person.ID, _ change: (inout State.Person) -> Void) -> State.Person? {
        core.withState { state in
            guard var person = state.memory.person(personID) else { return nil }
            change(&person)
            state.memory.put(person, inPlaceOf: personID)
            return person
        }
    }
}

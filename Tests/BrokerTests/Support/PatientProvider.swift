import Broker
import Foundation
import OAuth
import ProviderKit
import Synchronization

/// A provider whose verification waits until the test releases all waiting calls.
struct PatientProvider: IdentityProvider {
    struct Options: Decodable, Sendable {
        /// Which door its visitors wait at.
        let door: String
        /// Whether its visitors block their threads meanwhile.
        var blocksThreads: Bool?
    }

    static let kind: ProviderKind = "patient"
    static let plugin = ProviderPlugin(PatientProvider.self)

    let instance = "https://patient.example"
    let clientID = "client"
    let accepts: Set<Credential.Kind> = [.accessToken]
    private let door: Door
    private let blocksThreads: Bool
    private let life = Life()

    init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        guard let door = Door.named(options.door) else {
            throw ProviderError(.configuration, at: .configure, "there is no such door")
        }
        self.door = door
        blocksThreads = options.blocksThreads ?? false
        door.admit(life)
    }

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        if blocksThreads { door.passBlocking() } else { await door.pass() }
        return ExternalIdentity(subject: "1")
    }

    /// Ends with the last copy of an instance.
    final class Life: Sendable {}
}

/// Where the visitors of a ``PatientProvider`` wait.
final class Door: Sendable {
    private struct Watch: Sendable {
        weak let life: PatientProvider.Life?
    }

    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var blocked: [DispatchSemaphore] = []
        var watches: [Watch] = []
    }

    private static let all = Mutex<[String: Door]>([:])

    let name = RandomText.alphanumeric(12)
    private let state = Mutex(State())
    private let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)

    init() {
        Self.all.withLock { $0[name] = self }
    }

    static func named(_ name: String) -> Door? { all.withLock { $0[name] } }

    /// How many of the instances that were made for this door are still there.
    var livingInstances: Int { state.withLock { $0.watches.count { $0.life != nil } } }

    func admit(_ life: PatientProvider.Life) {
        state.withLock { $0.watches.append(Watch(life: life)) }
    }

    /// Waits until a verification has begun.
    func visitor() async {
        _ = await arrivals.first { _ in true }
    }

    func open() {
        let (waiting, blocked) = state.withLock { state in
            state.isOpen = true
            defer { (state.waiting, state.blocked) = ([], []) }
            return (state.waiting, state.blocked)
        }
        for visitor in waiting { visitor.resume() }
        for visitor in blocked { visitor.signal() }
    }

    func passBlocking() {
        arrived.yield()
        let visitor = DispatchSemaphore(value: 0)
        let isOpen = state.withLock { state in
            if !state.isOpen { state.blocked.append(visitor) }
            return state.isOpen
        }
        if !isOpen { visitor.wait() }
    }

    func pass() async {
        arrived.yield()
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

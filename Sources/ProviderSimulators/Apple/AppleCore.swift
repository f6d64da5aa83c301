import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import Synchronization

/// What the routes of an Apple simulator share: its memory behind a lock, its clock, its keys and how it was started.
final class AppleCore: Sendable {
    let traffic = Traffic<AppleSimulator.Endpoint>()
    let clock: SimulatorClock
    let mint = IDTokenMint(keys: IssuerKeys(style: .alphanumeric(count: 10)))
    private let state: Mutex<AppleState>

    init(_ options: AppleSimulator.Options, teamID: String) {
        clock = options.clock
        state = Mutex(AppleState(options, teamID: teamID))
        // Apple publishes three to five keys at once.
        for _ in 0..<2 { mint.keys.publishUnusedKey() }
    }

    /// Reads or changes the memory; nothing else does meanwhile.
    func withState<Result: Sendable, Failure: Error>(
        _ body: (inout AppleState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.withLock { state throws(Failure) in try body(&state) }
    }

    /// A copy of the memory as it is now.
    var snapshot: AppleState { state.withLock { $0 } }

    /// A signed ID token, as honest as the tests want it. Apple's name no type in their header.
    func idToken(_ claims: AppleClaims) -> String {
        let now = clock.now
        return mint.token(withState { claims.object(&$0, now: now) }, type: nil, now: now)
    }

    /// The published keys, in another order each time as at Apple.
    var keyDocument: JSONValue {
        ["keys": .array((mint.keys.document["keys"]?.array ?? []).shuffled())]
    }
}

import Crypto
import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import Synchronization

/// What the routes of an OpenID simulator share: its memory behind a lock, its keys, its clock and how it was started.
final class OpenIDCore: Sendable {
    let options: OpenIDSimulator.Options
    let traffic = Traffic<OpenIDSimulator.Endpoint>()
    let mint: IDTokenMint
    private let state: Mutex<OpenIDState>

    init(_ options: OpenIDSimulator.Options, application: OpenIDSimulator.Application) {
        self.options = options
        mint = IDTokenMint(keys: IssuerKeys(algorithm: options.algorithm))
        state = Mutex(OpenIDState(options, application: application))
    }

    var clock: SimulatorClock { options.clock }

    /// Reads or changes the memory; nothing else does meanwhile.
    func withState<Result: Sendable, Failure: Error>(
        _ body: (inout OpenIDState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.withLock { state throws(Failure) in try body(&state) }
    }

    /// A copy of the memory as it is now.
    var snapshot: OpenIDState { state.withLock { $0 } }

    /// An ID token (OpenID Connect Core §2), honest or as the test wants it.
    func idToken(
        for person: OpenIDSimulator.Person, clientID: String, nonce: String?, accessToken: String?
    ) -> String {
        let now = clock.now
        var claims = person.claims
        claims["iss"] = .string(snapshot.url)
        claims["sub"] = .string(person.subject)
        claims["aud"] = .string(clientID)
        claims["iat"] = .integer(now.epochSeconds)
        claims["exp"] = .integer(now.epochSeconds + 3600)
        claims["auth_time"] = .integer(now.epochSeconds)
        claims["nonce"] = nonce.map(JSONValue.string)
        claims["at_hash"] = accessToken.map {
            // OpenID Connect Core §3.1.3.6.
            .string(Base64URL.encode(Array(SHA256.hash(data: Data($0.utf8)).prefix(16))))
        }
        return mint.token(claims, now: now)
    }
}

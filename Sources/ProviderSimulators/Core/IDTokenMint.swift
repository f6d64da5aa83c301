import Crypto
import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import Synchronization

/// Signs the ID tokens of a simulated issuer: honest ones, and wrong ones when a test asks for them.
final class IDTokenMint: Sendable {
    private struct State {
        var forgery: IDTokenForgery?
        var replaced: JSONObject = [:]
        var removed: Set<String> = []
    }

    private let state = Mutex(State())
    private let makeKeys: @Sendable () -> IssuerKeys
    private let madeKeys = Mutex<IssuerKeys?>(nil)

    /// A mint whose keys are made when they are first needed.
    init(_ makeKeys: @escaping @Sendable () -> IssuerKeys = { IssuerKeys() }) {
        self.makeKeys = makeKeys
    }

    /// The signing keys.
    var keys: IssuerKeys {
        madeKeys.withLock { made in
            let keys = made ?? makeKeys()
            made = keys
            return keys
        }
    }

    /// The flaw of the tokens made from now on.
    var forgery: IDTokenForgery? {
        get { state.withLock(\.forgery) }
        set { state.withLock { $0.forgery = newValue } }
    }

    /// Gives the tokens made from now on this claim, or takes it away from them when `value` is `nil`.
    func replaceClaim(_ name: String, with value: JSONValue?) {
        state.withLock { state in
            state.replaced[name] = value
            if value == nil { state.removed.insert(name) } else { state.removed.remove(name) }
        }
    }

    /// The left half of a token's or code's hash (`at_hash`, `c_hash`; OpenID Connect Core §3.1.3.6, §3.3.2.11).
    static func halfHash(_ text: String) -> JSONValue {
        .string(Base64URL.encode(Array(SHA256.hash(data: Data(text.utf8)).prefix(16))))
    }

    /// Makes honest tokens again.
    func restore() {
        state.withLock { $0 = State() }
    }

    /// A token with these claims.
    func token(_ claims: JSONObject, type: String? = "JWT", now: Date) -> String {
        let (forgery, claims) = state.withLock { state in
            var claims = claims.merging(state.replaced)
            for name in state.removed { claims[name] = nil }
            return (state.forgery, claims)
        }
        return keys.token(claims, type: type, forging: forgery, now: now)
    }
}

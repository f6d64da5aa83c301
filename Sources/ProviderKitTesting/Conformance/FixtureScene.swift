public import Foundation
public import ProviderKit
import Synchronization

/// One run of a fixture: its time and its ID tokens.
public struct FixtureScene: Sendable {
    /// The original claims of every ID token of the run.
    final class Minted: Sendable {
        private let claims = Mutex<[JSONObject]>([])

        var all: [JSONObject] { claims.withLock { $0 } }

        func add(_ minted: JSONObject) {
            claims.withLock { $0.append(minted) }
        }
    }

    /// The time of the run.
    public let now: Date
    let issuer: IssuerKeys?
    let forgery: IDTokenForgery?
    /// Claims to replace in the ID tokens.
    let changes: JSONObject
    /// The user of the ID tokens instead of the script's.
    let exchange: UserExchange?
    let minted = Minted()

    /// The response of the issuer's key set URL.
    public var keySet: JSONValue { issuer?.document ?? ["keys": []] }

    /// Issues an ID token of the fixture's issuer, with the forgery of this run.
    ///
    /// - Parameters:
    ///   - claims: The claims of a valid token. Missing `iat` and `exp` are set to ten seconds ago and five minutes from
    ///     now.
    ///   - type: The header's `typ`.
    /// - Returns: The token, in compact form.
    public func idToken(_ claims: JSONObject, type: String? = "JWT") -> String {
        guard let issuer else { preconditionFailure("a fixture whose provider has ID tokens needs an issuer") }
        var claims = claims
        let seconds = Int64(now.timeIntervalSince1970)
        if claims["iat"] == nil { claims["iat"] = .integer(seconds - 10) }
        if claims["exp"] == nil { claims["exp"] = .integer(seconds + 300) }
        if let exchange { claims = exchange.forward(claims) }
        minted.add(claims)
        for (name, value) in changes where claims[name] != nil { claims[name] = value }
        return issuer.token(claims, type: type, forging: forgery, now: now)
    }
}

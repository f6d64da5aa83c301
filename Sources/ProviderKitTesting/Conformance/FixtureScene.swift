public import Foundation
public import ProviderKit
import Synchronization

/// One run of a fixture: the time it plays at, and how its ID tokens come out.
public struct FixtureScene: Sendable {
    /// The claims of every ID token that was made, as they were meant.
    final class Minted: Sendable {
        private let claims = Mutex<[JSONObject]>([])

        var all: [JSONObject] { claims.withLock { $0 } }

        func add(_ minted: JSONObject) {
            claims.withLock { $0.append(minted) }
        }
    }

    /// The time of everything that happens.
    public let now: Date
    let issuer: IssuerKeys?
    let forgery: IDTokenForgery?
    /// Claims that come out otherwise than they were meant.
    let changes: JSONObject
    let minted = Minted()

    /// What the issuer's keys' URL answers.
    public var keySet: JSONValue { issuer?.document ?? ["keys": []] }

    /// An ID token of the fixture's issuer, forged in the way this run is about.
    ///
    /// - Parameters:
    ///   - claims: Those of an honest token. `iat` and `exp` are added where they are missing, ten seconds ago and five
    ///     minutes from now.
    ///   - type: The header's `typ`.
    /// - Returns: The token, in compact form.
    public func idToken(_ claims: JSONObject, type: String? = "JWT") -> String {
        guard let issuer else { preconditionFailure("a fixture whose provider has ID tokens needs an issuer") }
        var claims = claims
        let seconds = Int64(now.timeIntervalSince1970)
        if claims["iat"] == nil { claims["iat"] = .integer(seconds - 10) }
        if claims["exp"] == nil { claims["exp"] = .integer(seconds + 300) }
        minted.add(claims)
        for (name, value) in changes where claims[name] != nil { claims[name] = value }
        return issuer.token(claims, type: type, forging: forgery, now: now)
    }
}

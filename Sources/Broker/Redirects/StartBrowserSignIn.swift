import BrokerStore
import Foundation

/// Sends a browser of the hosted pages to a provider.
package struct StartBrowserSignIn: Sendable {
    let start: StartRedirect
    let publicURL: String

    /// A browser on its way, and the cookie by which it is known when it comes back.
    package struct Started: Sendable {
        package let authorizationURL: String
        package let cookieName: String
        package let cookieValue: String
    }

    /// - Parameters:
    ///   - provider: The provider's id in `plugins.json`.
    ///   - request: What the browser sets out for.
    ///   - loginHint: Whom to expect.
    /// - Returns: Where the browser is to go, and its cookie.
    /// - Throws: ``BrokerError``.
    package func callAsFunction(
        at provider: String, for request: BrowserRequest, loginHint: String? = nil
    ) async throws -> Started {
        var trip = StartRedirect.Trip(
            provider: provider, redirectURI: ConfiguredProvider.callbackURL(of: provider, at: publicURL))
        trip.loginHint = loginHint
        trip.isReauthentication = request.wantsFreshProof
        let binding = RandomText.secret()
        let started = try await start(trip, .browser, binding: binding, request: request)
        return Started(
            authorizationURL: started.authorizationURL,
            cookieName: Self.cookieName(stateHash: RandomText.hash(of: started.state)), cookieValue: binding)
    }

    /// One cookie for each trip, so that two tabs do not take each other's.
    static func cookieName(stateHash: [UInt8]) -> String {
        "flow-" + stateHash.prefix(4).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

extension BrowserRequest {
    /// Whether the provider is to ask the person anew, as far as it can.
    var wantsFreshProof: Bool {
        guard intent == .signIn else { return intent != .prove || asksAnew == true }
        if asksAnew == true { return true }
        // A login of hours ago would not be recent enough for connecting what waits.
        guard pendingToken == nil else { return true }
        guard case .authorize(let request) = continuation else { return false }
        return request.wants(.login) || request.wants(.selectAccount) || request.maxAge != nil
    }
}

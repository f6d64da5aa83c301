/// What a browser set out for when it left the hosted pages for a provider; sealed until it comes back.
package struct BrowserRequest: Codable, Sendable {
    package enum Intent: String, Codable, Sendable {
        /// Whoever comes back is signed in at the hosted pages.
        case signIn
        /// The user proves once more who they are.
        case reauthenticate
        /// The user brings an identity, which is linked once they have confirmed it.
        case link
        /// An app's user brings an identity, which is linked when the app redeems its code.
        case linkForClient
        /// Somebody proves to a terminal who they are.
        case prove
    }

    package var intent: Intent
    /// Where the browser goes on afterwards.
    package var continuation: Continuation
    /// The only user who may come of it.
    var localID: String?
    /// The session of the hosted pages that started it.
    var sessionID: String?
    /// Stands for an identity that is to be linked once its owner has proven their account.
    var pendingToken: String?
    /// Whether a terminal wants the provider to ask the user anew, or the user wants to be asked: for another account.
    var asksAnew: Bool?
    /// Whether the browser runs on the machine of the terminal that waits.
    var isAtTerminal: Bool?
    /// The language of the pages on the way.
    package var language: String?

    /// Whether an app waits for what comes of it.
    var isForApp: Bool {
        if case .authorize = continuation { return true }
        return false
    }

    package init(_ intent: Intent, then continuation: Continuation, language: String? = nil) {
        self.intent = intent
        self.continuation = continuation
        self.language = language
    }
}

/// Where a browser goes on once its person is known.
package enum Continuation: Codable, Sendable {
    /// To the page of connected accounts.
    case account
    /// Back to the app that asked (RFC 6749 §4.1).
    case authorize(AuthorizationRequest)
    /// To the page of the device or terminal whose code this is (RFC 8628).
    case device(userCode: String)
}

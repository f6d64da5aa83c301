/// The state of a sign-in, a link or a proof in one browser: its goal, and where the browser continues afterwards.
///
/// The one value that the hosted pages carry: sealed into links and forms for one browser, and into the row of a redirect
/// to a provider (Docs/Decisions/0013-forms-sealed-for-one-browser.md).
package struct Interaction: Codable, Sendable {
    package enum Goal: String, Codable, Sendable {
        /// A session of the hosted pages, for whichever user the provider verifies.
        case signIn
        /// A new login of ``Interaction/expectedUser``.
        case reauthenticate
        /// An identity for the session's user, linked once the user has confirmed it.
        case link
        /// An identity for a client's user, linked when the client redeems its code.
        case linkForClient
        /// A verified identity for a command that waits.
        case prove
        /// A login to another account of the session's user, to merge the two or to undo that.
        case merge
    }

    /// The continuation of the browser once the goal is reached.
    package enum Continuation: Codable, Sendable {
        /// The account page.
        case account
        /// The client whose authorization request this is (RFC 6749 §4.1).
        case authorize(AuthorizationRequest)
        /// The page of the device or command whose code this is (RFC 8628).
        case device(userCode: String)
    }

    /// The user's choice that a link or form of a page stands for.
    package enum Choice: String, Codable, Sendable {
        case resume, decline, otherAccount
    }

    package var goal: Goal
    package var continuation: Continuation
    /// The chosen provider, or the one that verified the identity of ``pendingToken``; an id of `plugins.json`.
    package var provider: String?
    /// The only user that may sign in; a `localId`.
    var expectedUser: String?
    /// The browser session that the interaction belongs to; it ends with the session.
    package var sessionID: String?
    /// Stands for an identity that is linked after the user has confirmed it.
    package var pendingToken: String?
    /// The login to the other account of a merge.
    var otherLogin: ProvenLogin?
    /// The merge that is to be undone.
    var mergeID: String?
    /// Whether the provider is to ask the user for a new login: for another account, or because a command requires it.
    package var requiresLogin: Bool?
    /// The language of the pages.
    package var language: String?
    package var choice: Choice?

    package init(_ goal: Goal, then continuation: Continuation) {
        self.goal = goal
        self.continuation = continuation
    }

    /// Whether a client waits for the outcome.
    package var isForClient: Bool {
        if case .authorize = continuation { return true }
        return false
    }
}

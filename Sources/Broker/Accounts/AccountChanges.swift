/// The changes that a user requests to their own account.
package struct AccountChanges: Sendable {
    /// A text of the profile: `nil` leaves it, ``clear`` removes it.
    package enum Text: Sendable, Equatable {
        case clear
        case set(String)

        /// The value after the change.
        var value: String? {
            switch self {
            case .clear: nil
            case .set(let text): text
            }
        }
    }

    /// Changes that are refused to end users.
    package enum Refused: Sendable {
        case disabling, password, foreignIdentity
    }

    package var displayName: Text?
    package var photoURL: Text?
    /// A new address, as it was written.
    package var email: String?
    package var clearsEmail = false
    /// Ids of providers to unlink, lower-case; those that are not linked change nothing.
    package var unlinkedProviders: Set<String> = []
    /// Whether everything issued before is to be revoked.
    package var endsEarlierTokens = false
    package var refused: [Refused] = []

    package init() {}
}

import BrokerClient
public import Foundation

/// A change of a user's name or picture. What is not set stays; what is set to nil is removed.
public final class UserProfileChangeRequest {
    private let user: User
    private var change = Change()

    private struct Change: Sendable {
        var displayName: String?
        var photoURL: URL?
        var removed: Set<AccountAttribute> = []
    }

    init(_ user: User) { self.user = user }

    /// The new name.
    public var displayName: String? {
        get { change.displayName }
        set {
            change.displayName = newValue
            mark(.displayName, isRemoved: newValue == nil)
        }
    }

    /// The new picture.
    public var photoURL: URL? {
        get { change.photoURL }
        set {
            change.photoURL = newValue
            mark(.photoURL, isRemoved: newValue == nil)
        }
    }

    /// Changes the profile.
    ///
    /// - Throws: An error of ``AuthErrors/domain``.
    public func commitChanges() async throws { try await Self.commit(change, of: user) }

    /// Changes the profile.
    ///
    /// - Parameter completion: Called on the main actor with the error, if there is one.
    public func commitChanges(completion: (@MainActor ((any Error)?) -> Void)? = nil) {
        let (change, user) = (change, user)
        complete(completion) { try await Self.commit(change, of: user) }
    }

    private static func commit(_ change: Change, of user: User) async throws {
        let broker = try await user.current()
        let account = try await user.auth.translating { () async throws(BrokerAuthError) in
            try await broker.updateAccount(
                displayName: change.displayName, photoURL: change.photoURL, removing: change.removed)
        }
        user.follow(account)
    }

    private func mark(_ attribute: AccountAttribute, isRemoved: Bool) {
        if isRemoved { change.removed.insert(attribute) } else { change.removed.remove(attribute) }
    }
}

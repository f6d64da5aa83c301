import BrokerClient
public import Foundation

/// What is known of a user, at the broker or at a provider.
public protocol UserInfo: Sendable {
    /// The provider's id.
    var providerID: String { get }
    /// The user's id there.
    var uid: String { get }
    /// The display name.
    var displayName: String? { get }
    /// The picture.
    var photoURL: URL? { get }
    /// The e-mail address.
    var email: String? { get }
}

/// A user's identity at a provider.
struct ProviderUserInfo: UserInfo {
    let providerID: String
    let uid: String
    let displayName: String?
    let photoURL: URL?
    let email: String?

    init(_ identity: AccountIdentity) {
        providerID = identity.provider.rawValue
        uid = identity.subject
        displayName = identity.displayName
        photoURL = identity.photoURL
        email = identity.email
    }
}

/// When a user was created and signed in last.
public final class UserMetadata: Sendable {
    /// When the user was created; nil until the record was read.
    public let creationDate: Date?
    /// When the user signed in last; nil until the record was read.
    public let lastSignInDate: Date?

    init(creationDate: Date?, lastSignInDate: Date?) {
        self.creationDate = creationDate
        self.lastSignInDate = lastSignInDate
    }
}

import BrokerClient
public import Foundation
import Locks

/// A user who is signed in.
///
/// Name, address and picture are known at once. Identities and dates are those of the user's record, which each sign-in and
/// each start of the app reads; ``reload()`` reads it again.
public final class User: UserInfo {
    private struct Record: Sendable {
        var email: String?
        var isEmailVerified = false
        var displayName: String?
        var photoURL: URL?
        var isAnonymous = false
        var signInProvider: ProviderID?
        var authTime: Date?
        var identities: [AccountIdentity] = []
        var createdAt: Date?
        var lastSignInAt: Date?
    }

    /// The user's id at the broker. The key of the app's data: e-mail addresses change.
    public let uid: String
    let auth: Auth
    private let record = Mutex(Record())

    init(_ session: AuthSession, _ auth: Auth) {
        uid = session.userID
        self.auth = auth
        follow(session)
    }

    /// What stands for the broker beside the providers' ids: `Firebase`, as apps expect it.
    public var providerID: String { "Firebase" }
    /// The e-mail address.
    public var email: String? { record.withLock { $0.email } }
    /// Whether the address was verified by the provider or the broker.
    public var isEmailVerified: Bool { record.withLock { $0.isEmailVerified } }
    /// The display name.
    public var displayName: String? { record.withLock { $0.displayName } }
    /// The picture.
    public var photoURL: URL? { record.withLock { $0.photoURL } }
    /// Whether the user has no identity at a provider.
    public var isAnonymous: Bool { record.withLock { $0.isAnonymous } }
    /// The identities at providers; any of them signs the user in.
    public var providerData: [any UserInfo] { record.withLock { $0.identities.map(ProviderUserInfo.init) } }
    /// When the user was created and signed in last.
    public var metadata: UserMetadata {
        let (created, signedIn) = record.withLock { ($0.createdAt, $0.lastSignInAt) }
        return UserMetadata(creationDate: created, lastSignInDate: signedIn)
    }

    var signInProvider: String {
        let (provider, isAnonymous) = record.withLock { ($0.signInProvider, $0.isAnonymous) }
        return provider?.rawValue ?? (isAnonymous ? "anonymous" : "")
    }
    var authTime: Date? { record.withLock { $0.authTime } }

    /// The user name at a provider.
    func screenName(at provider: ProviderID) -> String? {
        record.withLock { record in record.identities.first { $0.provider == provider }?.screenName }
    }

    /// Takes what a session says.
    func follow(_ session: AuthSession) {
        record.withLock { record in
            (record.email, record.isEmailVerified) = (session.email, session.isEmailVerified)
            (record.displayName, record.photoURL) = (session.name, session.pictureURL)
            (record.isAnonymous, record.signInProvider) = (session.isAnonymous, session.signInProvider)
            record.authTime = session.authTime
        }
    }

    /// Takes what the user's record says.
    func follow(_ account: Account) {
        record.withLock { record in
            (record.email, record.isEmailVerified) = (account.email, account.isEmailVerified)
            (record.displayName, record.photoURL) = (account.displayName, account.photoURL)
            (record.createdAt, record.lastSignInAt) = (account.createdAt, account.lastSignInAt)
            record.identities = account.identities
        }
    }
}

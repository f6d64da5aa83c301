import BrokerStore
import OAuth

/// The family of a session, and the properties of its login.
struct SessionShape: Sendable {
    var family = Session.Family.identityToolkit
    /// The OAuth client it belongs to.
    var clientID: String?
    /// The scope that the client is granted.
    var scope: String?
    /// When the user authenticated, in whole seconds since 1970, where the provider says so.
    var authTime: Int64?
    /// `amr` (RFC 8176).
    var authenticationMethods: [String]?
    /// The session it replaces, which is revoked when it begins: a browser has one session.
    var replaces: Session?

    /// The `auth_time` of a session that begins now: never in the future.
    func authTime(at now: Timestamp) -> Int64 { min(authTime ?? now.seconds, now.seconds) }
}

/// The authentication methods (`amr`, RFC 8176) that a signer other than the broker may assert about a login.
enum AuthenticationMethods {
    static let maximumCount = 8

    /// Whether `text` has the form of a method, and is none that only the broker states.
    static func mayAssert(_ text: String) -> Bool {
        text != "user" && text != "fed" && (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}

extension Session {
    /// A new public id. It says when it was drawn, as the session's tokens do.
    static func newID() -> String { RandomText.timeOrdered(22) }

    /// A session that begins in a transaction.
    ///
    /// - Parameters:
    ///   - id: Its public id, drawn before.
    ///   - user: Its user.
    ///   - provider: What the user signed in with.
    ///   - shape: What it is for.
    ///   - device: The device that asks.
    ///   - transaction: The transaction that inserts it.
    init(
        _ id: String, of user: User, provider: String, as shape: SessionShape = SessionShape(),
        from device: ClientDevice, in transaction: borrowing Transaction
    ) {
        let now = transaction.now
        self.init(
            key: transaction.nextKey(), id: id, userKey: user.key, signInProvider: provider, generation: 0,
            authTime: shape.authTime(at: now), createdAt: now, epoch: user.epoch,
            family: shape.family, clientID: shape.clientID, scope: shape.scope,
            authenticationMethods: shape.authenticationMethods?.joined(separator: " "),
            userAgent: device.userAgent, address: device.address)
    }
}

import BrokerStore
import Foundation

/// Time, keys and random ids for one attempt at a flow, drawn before the transaction, because its closure may run again.
struct Fresh: Sendable {
    let now: Timestamp
    let userKey, identityKey, sessionKey, grantKey, auditKey, decisionKey, useKey, promotionKey: Int64
    /// 28 random letters and digits, should a user be created.
    let localID: String
    let sessionID: String

    init(_ keys: KeyGenerator, at date: Date) {
        now = Timestamp(date)
        userKey = keys.next(at: date)
        identityKey = keys.next(at: date)
        sessionKey = keys.next(at: date)
        grantKey = keys.next(at: date)
        auditKey = keys.next(at: date)
        decisionKey = keys.next(at: date)
        promotionKey = keys.next(at: date)
        useKey = keys.next(at: date)
        localID = RandomText.alphanumeric(28)
        sessionID = RandomText.alphanumeric(22)
    }

    /// A session that begins now, proven by `provider`.
    func session(
        of user: User, provider: String, as shape: SessionShape = SessionShape(), from device: ClientDevice
    ) -> Session {
        Session(
            key: sessionKey, id: sessionID, userKey: user.key, signInProvider: provider, generation: 0,
            authTime: min(shape.authTime ?? now.seconds, now.seconds), createdAt: now, epoch: user.epoch,
            family: shape.family, authenticationMethods: shape.authenticationMethods?.joined(separator: " "),
            userAgent: device.userAgent, address: device.address)
    }
}

extension Session {
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
            authTime: min(shape.authTime ?? now.seconds, now.seconds), createdAt: now, epoch: user.epoch,
            family: shape.family, authenticationMethods: shape.authenticationMethods?.joined(separator: " "),
            userAgent: device.userAgent, address: device.address)
    }
}

/// What a session is for, and what is known of how its user proved who they are.
struct SessionShape: Sendable {
    var family = Session.Family.identityToolkit
    /// When the person proved it, where the provider says so; whole seconds since 1970.
    var authTime: Int64?
    /// How (RFC 8176).
    var authenticationMethods: [String]?
    /// The one it takes the place of, which ends with its beginning: a browser has one session.
    var replaces: Session?
}

import BrokerStore
import ProviderKit

extension Transaction {
    /// Ends the sessions that began with an identity, in every family, with the sessions that came from them: its
    /// provider no longer asserts the login. The user's other sessions stay valid.
    ///
    /// A user has one identity of a provider's entry at most, so the entry names it.
    ///
    /// - Parameters:
    ///   - identity: An identity of the user.
    ///   - user: The user.
    ///   - moment: Only sessions whose login is not later end; `nil` for all of them.
    ///   - reason: The reason, as a fixed phrase: sessions, audit and the operator's lists show it.
    ///   - origin: Who caused it, when that is another than the transaction was given.
    /// - Returns: The number of sessions that were not ended before.
    /// - Throws: ``StoreError``.
    @discardableResult
    func endSessions(
        begunWith identity: Identity, of user: User, authenticatedBy moment: Timestamp? = nil, reason: String,
        by origin: Origin? = nil
    ) throws(StoreError) -> Int {
        let count = try revokeSessions(
            of: user.key, begunWith: identity.provider, authenticatedBy: moment, at: now, reason: reason)
        try audit(
            "session.revoked-by-provider", of: user.localID, provider: identity.provider,
            subjectHash: identity.identity.subjectHash,
            detail: ["reason": .string(reason), "sessions": .integer(Int64(count))], by: origin)
        return count
    }
}

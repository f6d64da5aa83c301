package import BrokerStore

/// The user that a credential belongs to.
package struct ReauthenticationFinding: Sendable {
    /// The user who signs in with this identity, if there is one.
    package let owner: UserRecord?
    /// Whether that is the user in question.
    package let matches: Bool
}

extension AccountContext {
    /// Verifies for an administrator that a credential belongs to a user. It begins no session and writes an audit
    /// entry only.
    ///
    /// - Throws: ``BrokerError/userNotFound``, or a store's error.
    package func reauthenticate(
        _ credential: VerifiedCredential, as localID: String, origin: Origin
    ) async throws -> ReauthenticationFinding {
        let evidence = credential.evidence
        return try await write(by: origin) { transaction in
            let expected = try transaction.record(of: localID).user
            let owner = try AccountSnapshot(of: evidence, in: transaction).owner?.user
            let matches = owner?.key == expected.key
            try transaction.audit(
                matches ? "user.reauthenticated" : "user.reauthentication-failed", of: localID,
                provider: evidence.key.provider, subjectHash: evidence.key.subjectHash)
            return ReauthenticationFinding(owner: try owner.map { try transaction.record(of: $0) }, matches: matches)
        }
    }
}

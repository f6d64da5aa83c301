package import JOSE
import Locks

/// The tokens of one family and kind that were verified before, so that the same token is not verified again for each
/// request of its holder.
///
/// A token is remembered with the key and the conditions under which it was verified, and only they find it again, so that
/// the memory decides as the verification did. Neither time nor a store is part of it: whether the token has expired and
/// its session lives is decided each time. The memory is bounded: the tokens that were not used since the last half of it
/// came in are forgotten first.
package final class VerifiedTokens<Claims: Sendable>: Sendable {
    private struct Entry: Sendable {
        let conditions: TokenConditions
        let keyID: String
        let thumbprint: String
        let claims: Claims
    }

    private let entries: Mutex<BoundedMemory<TokenDigest, Entry>>

    /// - Parameter capacity: The most tokens that are remembered; 0 for none.
    package init(capacity: Int) {
        entries = Mutex(BoundedMemory(capacity: capacity))
    }

    /// Whether a token was verified before, under whatever conditions.
    package func contains(_ digest: TokenDigest) -> Bool { entries.withLock { $0[digest] != nil } }

    /// The claims of a token that was verified before under these conditions, with a key that is still one of `keys`.
    package func claims(
        of digest: TokenDigest, under conditions: TokenConditions, with keys: KeySet
    ) -> Claims? {
        guard let entry = entries.withLock({ $0.renew(digest) }), entry.conditions == conditions,
            keys.thumbprint(of: entry.keyID) == entry.thumbprint
        else { return nil }
        return entry.claims
    }

    /// Verifies a token and remembers it.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - digest: Its digest.
    ///   - conditions: The conditions of its family and kind.
    ///   - keys: The keys of its issuer.
    ///   - read: Makes the claims of its payload and its audience.
    /// - Returns: The claims.
    /// - Throws: ``JOSEError`` for a token that is not valid, or what `read` throws.
    package func verify(
        _ token: CompactJWS, _ digest: TokenDigest, under conditions: TokenConditions, with keys: KeySet,
        _ read: (RegisteredClaims, String) throws(JOSEError) -> Claims
    ) throws(JOSEError) -> Claims {
        let (registered, audience) = try conditions.verify(token, with: keys)
        let claims = try read(registered, audience)
        if let keyID = token.header.keyID, let thumbprint = keys.thumbprint(of: keyID) {
            let entry = Entry(conditions: conditions, keyID: keyID, thumbprint: thumbprint, claims: claims)
            entries.withLock { $0.insert(entry, at: digest) }
        }
        return claims
    }
}

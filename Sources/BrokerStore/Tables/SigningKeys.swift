extension StoredSigningKey {
    /// Which tokens it signs; the families never accept each other's.
    package enum Family: String, Sendable, Hashable, CaseIterable {
        case identityToolkit = "identity-toolkit"
        case oidc
    }

    /// JWS names (RFC 7518 §3.1).
    package enum Algorithm: String, Sendable, Hashable, CaseIterable {
        case es256 = "ES256"
        case rs256 = "RS256"
    }

    /// A key's state when its row was last written. Only `revoked` is final: the others follow from ``activatesAt`` and
    /// ``retiresAt``, so a change of state needs no write.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case next, active, retired, revoked
    }
}

extension Transaction {
    /// Moves a key on in its life: its state and when that changes. A revoked key stays revoked.
    package func update(_ key: StoredSigningKey) throws(StoreError) {
        try run(
            "update_signing_key",
            """
            UPDATE signing_keys SET state = $2, activates_at = $3, retires_at = $4
            WHERE kid = $1 AND state <> 'revoked'
            """, .text(key.kid), .text(key.state.rawValue), .time(key.activatesAt), .time(orNull: key.retiresAt))
    }

    /// The keys of one family, whatever their state, oldest first.
    package func signingKeys(family: StoredSigningKey.Family) throws(StoreError) -> [StoredSigningKey] {
        try all(
            "signing_keys_of_family",
            "SELECT \(StoredSigningKey.columns) FROM signing_keys WHERE family = $1 ORDER BY key",
            .text(family.rawValue))
    }

    /// All keys, whatever their state, oldest first.
    package func allSigningKeys() throws(StoreError) -> [StoredSigningKey] {
        try all("signing_keys", "SELECT \(StoredSigningKey.columns) FROM signing_keys ORDER BY key")
    }
}

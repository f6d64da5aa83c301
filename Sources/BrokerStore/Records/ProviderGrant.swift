// Generated from `provider_grants` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A provider's tokens for a user, sealed and stored for refresh and revocation.
package struct ProviderGrant: Record {
    /// Private, time-ordered; stays when the grant is replaced.
    package var key: Int64
    package var identityKey: Int64
    package var provider: String
    /// The broker's client at the provider that obtained the tokens, and the only one that can use them up.
    package var clientID: String
    /// The granted scopes, separated by spaces.
    package var scopes: String
    package var sealedAccessToken: [UInt8]
    package var sealedRefreshToken: [UInt8]?
    package var expiresAt: Timestamp?
    package var obtainedAt: Timestamp
    /// Grows with each replacement; part of what the seal authenticates.
    package var version: Int64
    package var refusedAt: Timestamp?
    package var refusedVersion: Int64?
    /// A newer broker may write reasons that this one does not know.
    package var refusedReason: String?
    /// When the provider was last asked whether the grant is valid.
    package var probedAt: Timestamp?
    package var leaseHolder: String?
    package var leaseUntil: Timestamp?
    package var attemptedVersion: Int64?
    package var probedVersion: Int64?
    /// A newer broker may write results that this one does not know.
    package var probeResult: String?

    package init(
        key: Int64, identityKey: Int64, provider: String, clientID: String, scopes: String, sealedAccessToken: [UInt8],
        sealedRefreshToken: [UInt8]? = nil, expiresAt: Timestamp? = nil, obtainedAt: Timestamp, version: Int64,
        refusedAt: Timestamp? = nil, refusedVersion: Int64? = nil, refusedReason: String? = nil,
        probedAt: Timestamp? = nil, leaseHolder: String? = nil, leaseUntil: Timestamp? = nil,
        attemptedVersion: Int64? = nil, probedVersion: Int64? = nil, probeResult: String? = nil
    ) {
        self.key = key
        self.identityKey = identityKey
        self.provider = provider
        self.clientID = clientID
        self.scopes = scopes
        self.sealedAccessToken = sealedAccessToken
        self.sealedRefreshToken = sealedRefreshToken
        self.expiresAt = expiresAt
        self.obtainedAt = obtainedAt
        self.version = version
        self.refusedAt = refusedAt
        self.refusedVersion = refusedVersion
        self.refusedReason = refusedReason
        self.probedAt = probedAt
        self.leaseHolder = leaseHolder
        self.leaseUntil = leaseUntil
        self.attemptedVersion = attemptedVersion
        self.probedVersion = probedVersion
        self.probeResult = probeResult
    }
}

extension ProviderGrant {
    package static let table = TableDefinition.providerGrants
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        identityKey = try row.integer()
        provider = try row.text()
        clientID = try row.text()
        scopes = try row.text()
        sealedAccessToken = try row.blob()
        sealedRefreshToken = try row.optionalBlob()
        expiresAt = try row.optionalTime()
        obtainedAt = try row.time()
        version = try row.integer()
        refusedAt = try row.optionalTime()
        refusedVersion = try row.optionalInteger()
        refusedReason = try row.optionalText()
        probedAt = try row.optionalTime()
        leaseHolder = try row.optionalText()
        leaseUntil = try row.optionalTime()
        attemptedVersion = try row.optionalInteger()
        probedVersion = try row.optionalInteger()
        probeResult = try row.optionalText()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .integer(identityKey), .text(provider), .text(clientID), .text(scopes),
            .blob(sealedAccessToken), .blob(orNull: sealedRefreshToken), .time(orNull: expiresAt), .time(obtainedAt),
            .integer(version), .time(orNull: refusedAt), .integer(orNull: refusedVersion), .text(orNull: refusedReason),
            .time(orNull: probedAt), .text(orNull: leaseHolder), .time(orNull: leaseUntil),
            .integer(orNull: attemptedVersion), .integer(orNull: probedVersion), .text(orNull: probeResult),
        ]
    }
}

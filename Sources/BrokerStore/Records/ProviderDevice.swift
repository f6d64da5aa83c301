// Generated from `provider_devices` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A device that signs in at a provider through the broker. The store contains hashes and sealed bytes only.
///
/// A row begins as a claim, while the provider is asked about a new device; until the claim is confirmed or ends, no
/// other request may introduce the same device.
package struct ProviderDevice: Record {
    /// Private, time-ordered.
    package var key: Int64
    /// The provider's id in `plugins.json`.
    package var provider: String
    /// SHA-256 of the provider's instance and the app's id of the device.
    package var deviceHash: [UInt8]
    /// SHA-256 of the secret that the broker issued to the device; absent while the row is a claim.
    package var secretHash: [UInt8]?
    /// The secret that the provider issued to the device.
    package var sealedSecret: [UInt8]?
    /// The identity of the device's account.
    package var identityKey: Int64?
    /// A random id of the request that introduces the device.
    package var claim: String?
    package var claimedUntil: Timestamp?
    package var createdAt: Timestamp
    package var usedAt: Timestamp?

    package init(
        key: Int64, provider: String, deviceHash: [UInt8], secretHash: [UInt8]? = nil, sealedSecret: [UInt8]? = nil,
        identityKey: Int64? = nil, claim: String? = nil, claimedUntil: Timestamp? = nil, createdAt: Timestamp,
        usedAt: Timestamp? = nil
    ) {
        self.key = key
        self.provider = provider
        self.deviceHash = deviceHash
        self.secretHash = secretHash
        self.sealedSecret = sealedSecret
        self.identityKey = identityKey
        self.claim = claim
        self.claimedUntil = claimedUntil
        self.createdAt = createdAt
        self.usedAt = usedAt
    }
}

extension ProviderDevice {
    package static let table = TableDefinition.providerDevices
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        provider = try row.text()
        deviceHash = try row.blob()
        secretHash = try row.optionalBlob()
        sealedSecret = try row.optionalBlob()
        identityKey = try row.optionalInteger()
        claim = try row.optionalText()
        claimedUntil = try row.optionalTime()
        createdAt = try row.time()
        usedAt = try row.optionalTime()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(provider), .blob(deviceHash), .blob(orNull: secretHash), .blob(orNull: sealedSecret),
            .integer(orNull: identityKey), .text(orNull: claim), .time(orNull: claimedUntil), .time(createdAt),
            .time(orNull: usedAt),
        ]
    }
}

/// A device that signs in at a provider through the broker. The store contains hashes and sealed bytes only.
///
/// A row begins as a claim, while the provider is asked about a new device; until the claim is confirmed or ends, no
/// other request may introduce the same device.
package struct ProviderDevice: Sendable, Hashable {
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

    /// Makes a claim.
    package init(
        key: Int64, provider: String, deviceHash: [UInt8], claim: String, claimedUntil: Timestamp, createdAt: Timestamp
    ) {
        self.key = key
        self.provider = provider
        self.deviceHash = deviceHash
        self.claim = claim
        self.claimedUntil = claimedUntil
        self.createdAt = createdAt
    }
}

/// The statements of `provider_devices`.
enum ProviderDeviceStatements {
    static let columns = """
        key, provider, device_hash, secret_hash, sealed_secret, identity_key, claim, claimed_until, created_at, used_at
        """

    static let insert = Statement(
        "claim_provider_device",
        """
        INSERT INTO provider_devices (key, provider, device_hash, claim, claimed_until, created_at)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING key
        """, .integer, .text, .blob, .text, .integer, .integer)

    static let reclaim = Statement(
        "reclaim_provider_device",
        """
        UPDATE provider_devices SET claim = $3, claimed_until = $4
        WHERE key = $1 AND secret_hash IS NULL AND claimed_until <= $2 RETURNING key
        """, .integer, .integer, .text, .integer)

    static let byDevice = Statement(
        "provider_device", "SELECT \(columns) FROM provider_devices WHERE provider = $1 AND device_hash = $2", .text,
        .blob)

    static let confirm = Statement(
        "confirm_provider_device",
        """
        UPDATE provider_devices SET secret_hash = $3, sealed_secret = $4, identity_key = $5, used_at = $6, claim = NULL,
            claimed_until = NULL
        WHERE key = $1 AND claim = $2 RETURNING key
        """, .integer, .text, .blob, .blob, .integer, .integer)

    static let use = Statement(
        "use_provider_device",
        """
        UPDATE provider_devices SET sealed_secret = $3, identity_key = $4, used_at = $5
        WHERE key = $1 AND secret_hash = $2 RETURNING key
        """, .integer, .blob, .blob, .integer, .integer)

    static let release = Statement(
        "release_provider_device", "DELETE FROM provider_devices WHERE key = $1 AND claim = $2 RETURNING key",
        .integer, .text)

    static let forget = Statement(
        "forget_provider_device", "DELETE FROM provider_devices WHERE key = $1 AND secret_hash = $2 RETURNING key",
        .integer, .blob)

    static let removeClaims = Statement(
        "remove_provider_device_claims",
        """
        DELETE FROM provider_devices WHERE key IN (
            SELECT key FROM provider_devices WHERE claimed_until <= $1 ORDER BY key LIMIT $2) RETURNING key
        """, .integer, .integer)

    static let all = [insert, reclaim, byDevice, confirm, use, release, forget, removeClaims]
}

extension Transaction {
    /// Claims a device that is not known yet.
    ///
    /// - Returns: false if there is a row for it.
    package func claim(_ device: ProviderDevice) throws(StoreError) -> Bool {
        try insert(
            ProviderDeviceStatements.insert, key: device.key, unless: RowKeyStatements.providerDevices,
            values: [
                .integer(device.key), .text(device.provider), .blob(device.deviceHash), .text(orNull: device.claim),
                .time(orNull: device.claimedUntil), .time(device.createdAt),
            ])
    }

    /// Takes over a claim that ended without a result.
    ///
    /// - Returns: false if it was confirmed or taken over meanwhile.
    package func reclaimDevice(
        key: Int64, by claim: String, until end: Timestamp, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try !run(
            ProviderDeviceStatements.reclaim, .integer(key), .time(now), .text(claim), .time(end)
        ).isEmpty
    }

    /// The row of a device, confirmed or claimed.
    package func providerDevice(_ deviceHash: [UInt8], at provider: String) throws(StoreError) -> ProviderDevice? {
        guard var row = try run(ProviderDeviceStatements.byDevice, .text(provider), .blob(deviceHash)).first else {
            return nil
        }
        return try ProviderDevice(reading: &row)
    }

    /// Turns a claim into a device with its secrets.
    ///
    /// - Returns: false if the claim was taken over.
    package func confirmDevice(
        key: Int64, claim: String, secretHash: [UInt8], sealedSecret: [UInt8]?, identityKey: Int64, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try !run(
            ProviderDeviceStatements.confirm, .integer(key), .text(claim), .blob(secretHash),
            .blob(orNull: sealedSecret), .integer(identityKey), .time(now)
        ).isEmpty
    }

    /// Records the use of a device, with the provider's secret and the account as they are now.
    ///
    /// - Returns: false if the device is gone, or has another secret of the broker.
    package func useDevice(
        key: Int64, secretHash: [UInt8], sealedSecret: [UInt8]?, identityKey: Int64, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try !run(
            ProviderDeviceStatements.use, .integer(key), .blob(secretHash), .blob(orNull: sealedSecret),
            .integer(identityKey), .time(now)
        ).isEmpty
    }

    /// Gives up a claim.
    package func releaseDevice(key: Int64, claim: String) throws(StoreError) {
        try run(ProviderDeviceStatements.release, .integer(key), .text(claim))
    }

    /// Removes a device that the provider does not accept any more.
    package func forgetDevice(key: Int64, secretHash: [UInt8]) throws(StoreError) {
        try run(ProviderDeviceStatements.forget, .integer(key), .blob(secretHash))
    }

    /// Removes claims that ended by `end`.
    ///
    /// - Returns: how many; at most `limit`.
    package func removeDeviceClaims(endedBy end: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(ProviderDeviceStatements.removeClaims, .time(end), .limit(limit)).count
    }
}

extension ProviderDevice {
    /// Reads the columns of ``ProviderDeviceStatements``.
    fileprivate init(reading row: inout Row) throws(StoreError) {
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
}

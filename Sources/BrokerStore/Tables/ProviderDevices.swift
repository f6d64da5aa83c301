extension ProviderDevice {
    /// Makes a claim.
    package init(
        key: Int64, provider: String, deviceHash: [UInt8], claim: String, claimedUntil: Timestamp, createdAt: Timestamp
    ) {
        self.init(
            key: key, provider: provider, deviceHash: deviceHash, secretHash: nil, claim: claim,
            claimedUntil: claimedUntil, createdAt: createdAt)
    }
}

extension Transaction {
    /// Claims a device that is not known yet.
    ///
    /// - Returns: false if there is a row for it.
    package func claim(_ device: ProviderDevice) throws(StoreError) -> Bool {
        try insertUnlessTaken(device)
    }

    /// Takes over a claim that ended without a result.
    ///
    /// - Returns: false if it was confirmed or taken over meanwhile.
    package func reclaimDevice(
        key: Int64, by claim: String, until end: Timestamp, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try run(
            "reclaim_provider_device",
            """
            UPDATE provider_devices SET claim = $3, claimed_until = $4
            WHERE key = $1 AND secret_hash IS NULL AND claimed_until <= $2
            """, .integer(key), .time(now), .text(claim), .time(end)) > 0
    }

    /// The row of a device, confirmed or claimed.
    package func providerDevice(_ deviceHash: [UInt8], at provider: String) throws(StoreError) -> ProviderDevice? {
        try first(
            "provider_device",
            "SELECT \(ProviderDevice.columns) FROM provider_devices WHERE provider = $1 AND device_hash = $2",
            .text(provider), .blob(deviceHash))
    }

    /// Turns a claim into a device with its secrets.
    ///
    /// - Returns: false if the claim was taken over.
    package func confirmDevice(
        key: Int64, claim: String, secretHash: [UInt8], sealedSecret: [UInt8]?, identityKey: Int64, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try run(
            "confirm_provider_device",
            """
            UPDATE provider_devices SET secret_hash = $3, sealed_secret = $4, identity_key = $5, used_at = $6,
                claim = NULL, claimed_until = NULL
            WHERE key = $1 AND claim = $2
            """, .integer(key), .text(claim), .blob(secretHash), .blob(orNull: sealedSecret), .integer(identityKey),
            .time(now)) > 0
    }

    /// Records the use of a device, with the provider's secret and the account as they are now.
    ///
    /// - Returns: false if the device is gone, or has another secret of the broker.
    package func useDevice(
        key: Int64, secretHash: [UInt8], sealedSecret: [UInt8]?, identityKey: Int64, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try run(
            "use_provider_device",
            """
            UPDATE provider_devices SET sealed_secret = $3, identity_key = $4, used_at = $5
            WHERE key = $1 AND secret_hash = $2
            """, .integer(key), .blob(secretHash), .blob(orNull: sealedSecret), .integer(identityKey),
            .time(now)) > 0
    }

    /// Gives up a claim.
    package func releaseDevice(key: Int64, claim: String) throws(StoreError) {
        try run(
            "release_provider_device", "DELETE FROM provider_devices WHERE key = $1 AND claim = $2",
            .integer(key), .text(claim))
    }

    /// Removes a device that the provider does not accept any more.
    package func forgetDevice(key: Int64, secretHash: [UInt8]) throws(StoreError) {
        try run(
            "forget_provider_device", "DELETE FROM provider_devices WHERE key = $1 AND secret_hash = $2",
            .integer(key), .blob(secretHash))
    }

    /// Removes claims that ended by `end`.
    ///
    /// - Returns: how many; at most `limit`.
    package func removeDeviceClaims(endedBy end: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(
            "remove_provider_device_claims",
            """
            DELETE FROM provider_devices WHERE key IN (
                SELECT key FROM provider_devices WHERE claimed_until <= $1 ORDER BY key LIMIT $2)
            """, .time(end), .limit(limit))
    }
}

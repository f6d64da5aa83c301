package typealias DeviceApproval = DeviceAuthorizationRow.Approval

extension DeviceAuthorizationRow {
    /// The purpose of the authorization.
    package enum Purpose: String, Sendable, Hashable {
        /// An OAuth client, for tokens.
        case client
        /// A command on the broker's host, to verify an identity.
        case terminal
    }

    package enum Decision: String, Sendable, Hashable {
        case approved, denied
    }

    /// When the next poll of an early poll's device is in time; nil when the last poll was in time.
    package var earlyUntil: Timestamp? {
        guard wasPolledEarly, let lastPolledAt else { return nil }
        return lastPolledAt.advanced(by: .seconds(pollInterval) - .seconds(1))
    }
}

extension Transaction {
    /// Remembers that a device waits.
    ///
    /// - Returns: false if one of its codes is another's: then new ones have to be drawn.
    package func insert(_ row: DeviceAuthorizationRow) throws(StoreError) -> Bool {
        try insertUnlessTaken(row)
    }

    /// The device authorization with this user code, in any state.
    package func deviceAuthorization(userCodeHash: [UInt8]) throws(StoreError) -> DeviceAuthorizationRow? {
        try first(
            "device_authorization_by_user_code",
            "SELECT \(DeviceAuthorizationRow.columns) FROM device_authorizations WHERE user_code_hash = $1",
            .blob(userCodeHash))
    }

    /// The device authorization with this device code, in any state.
    package func deviceAuthorization(deviceCodeHash: [UInt8]) throws(StoreError) -> DeviceAuthorizationRow? {
        try first(
            "device_authorization_by_device_code",
            "SELECT \(DeviceAuthorizationRow.columns) FROM device_authorizations WHERE device_code_hash = $1",
            .blob(deviceCodeHash))
    }

    /// Lets a client's device in.
    ///
    /// - Returns: what was decided; nil if it was decided before, has expired, or is no client's.
    package func approveDevice(
        userCodeHash: [UInt8], _ approval: DeviceApproval, at now: Timestamp
    ) throws(StoreError) -> DeviceAuthorizationRow? {
        try first(
            "approve_device_authorization",
            """
            UPDATE device_authorizations SET decision = 'approved', user_key = $3, epoch = $4, provider = $5,
                auth_time = $6, amr = $7, parent_id = $8
            WHERE user_code_hash = $1 AND expires_at > $2 AND purpose = 'client' AND decision IS NULL
            RETURNING \(DeviceAuthorizationRow.columns)
            """, .blob(userCodeHash), .time(now), .integer(approval.userKey), .integer(approval.epoch),
            .text(approval.provider), .integer(approval.authTime), .text(approval.authenticationMethods),
            .text(approval.parentID))
    }

    /// Gives a terminal what it waits for.
    ///
    /// - Returns: false if it was decided before, has expired, or is no terminal's.
    package func answerTerminal(
        userCodeHash: [UInt8], sealedOutcome: [UInt8], at now: Timestamp
    ) throws(StoreError) -> Bool {
        try run(
            "answer_device_authorization",
            """
            UPDATE device_authorizations SET decision = 'approved', sealed_outcome = $3
            WHERE user_code_hash = $1 AND expires_at > $2 AND purpose = 'terminal' AND decision IS NULL
            """, .blob(userCodeHash), .time(now), .blob(sealedOutcome)) > 0
    }

    /// Refuses a device or terminal for good.
    ///
    /// - Returns: false if it was decided before, or has expired.
    package func denyDevice(userCodeHash: [UInt8], at now: Timestamp) throws(StoreError) -> Bool {
        try run(
            "deny_device_authorization",
            """
            UPDATE device_authorizations SET decision = 'denied'
            WHERE user_code_hash = $1 AND expires_at > $2 AND decision IS NULL
            """, .blob(userCodeHash), .time(now)) > 0
    }

    /// The device authorization that a client's device polls for; nil if the code is unknown, used, or another client's.
    package func polledDevice(
        deviceCodeHash: [UInt8], ofClient clientID: String
    ) throws(StoreError) -> DeviceAuthorizationRow? {
        try first(
            "polled_device_authorization",
            """
            SELECT \(DeviceAuthorizationRow.columns) FROM device_authorizations
            WHERE device_code_hash = $1 AND purpose = 'client' AND party = $2 AND consumed_at IS NULL
            """, .blob(deviceCodeHash), .text(clientID))
    }

    /// Records a poll of a client's device.
    ///
    /// - Returns: how things stand, with whether it came too early; nil if the code is unknown, used, or another client's,
    ///   or if the poll is a further early one, which is not recorded.
    package func pollDevice(
        deviceCodeHash: [UInt8], ofClient clientID: String, at now: Timestamp
    ) throws(StoreError) -> DeviceAuthorizationRow? {
        // A second less than the interval is no haste: networks are not that punctual. The first early poll begins a
        // longer interval; further ones within it write nothing.
        try first(
            "poll_device_authorization",
            """
            UPDATE device_authorizations SET last_polled_at = $2,
                polled_early = CASE WHEN last_polled_at + poll_interval * 1000 - 1000 > $2 THEN 1 ELSE 0 END,
                poll_interval = CASE WHEN last_polled_at + poll_interval * 1000 - 1000 > $2 AND poll_interval < 60
                    THEN poll_interval + 5 ELSE poll_interval END
            WHERE device_code_hash = $1 AND purpose = 'client' AND party = $3 AND consumed_at IS NULL
                AND (decision IS NOT NULL OR polled_early = 0 OR last_polled_at + poll_interval * 1000 - 1000 <= $2)
            RETURNING \(DeviceAuthorizationRow.columns)
            """, .blob(deviceCodeHash), .time(now), .text(clientID))
    }

    /// Consumes an approval.
    ///
    /// - Returns: nil if there is none, it has expired, or it was consumed.
    package func consumeDeviceAuthorization(
        deviceCodeHash: [UInt8], at now: Timestamp
    ) throws(StoreError) -> DeviceAuthorizationRow? {
        try consume(DeviceAuthorizationRow.self, hash: deviceCodeHash, at: now)
    }
}

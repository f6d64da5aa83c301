/// A device authorization of a client or a terminal (RFC 8628). The store contains only hashes and sealed bytes.
package struct DeviceAuthorizationRow: Sendable, Hashable {
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

    /// Private, time-ordered.
    package var key: Int64
    /// SHA-256 of what the device polls with.
    package var deviceCodeHash: [UInt8]
    /// A keyed hash of the user code, because a plain hash of a short code can be reversed.
    package var userCodeHash: [UInt8]
    package var purpose: Purpose
    /// The client's id, or the id of the provider for a terminal's sign-in.
    package var party: String
    /// The requested scope (RFC 6749 §3.3); empty for a terminal.
    package var scope: String
    /// The sealed request of a terminal.
    package var sealedRequest: [UInt8]?
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    /// Seconds between polls; grows when the device comes too early.
    package var pollInterval: Int64
    /// The requester whose limit it counts against; written once.
    package var requester: String
    /// Whether the last recorded poll was too early.
    package var wasPolledEarly: Bool
    /// The last recorded poll; nil before the first.
    package var lastPolledAt: Timestamp?
    package var decision: Decision?
    package var approval: DeviceApproval?
    /// The sealed result for a terminal.
    package var sealedOutcome: [UInt8]?

    package init(
        key: Int64, deviceCodeHash: [UInt8], userCodeHash: [UInt8], purpose: Purpose, party: String, scope: String,
        sealedRequest: [UInt8]?, createdAt: Timestamp, expiresAt: Timestamp, pollInterval: Int64,
        requester: String = ""
    ) {
        self.key = key
        self.deviceCodeHash = deviceCodeHash
        self.userCodeHash = userCodeHash
        self.purpose = purpose
        self.party = party
        self.scope = scope
        self.sealedRequest = sealedRequest
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.pollInterval = pollInterval
        self.requester = requester
        wasPolledEarly = false
        decision = nil
        approval = nil
        sealedOutcome = nil
    }
}

/// The user who approved a client's device, with the authentication.
package struct DeviceApproval: Sendable, Hashable {
    package var userKey: Int64
    /// The user's epoch at the approval; an approval of an earlier epoch is invalid.
    package var epoch: Int64
    /// The provider that authenticated the user.
    package var provider: String
    /// The time of the authentication, in whole seconds since 1970.
    package var authTime: Int64
    /// The authentication methods (RFC 8176), separated by spaces.
    package var authenticationMethods: String
    /// The session of the hosted pages in which it was decided.
    package var parentID: String

    package init(
        userKey: Int64, epoch: Int64, provider: String, authTime: Int64, authenticationMethods: String,
        parentID: String
    ) {
        self.userKey = userKey
        self.epoch = epoch
        self.provider = provider
        self.authTime = authTime
        self.authenticationMethods = authenticationMethods
        self.parentID = parentID
    }
}

extension DeviceAuthorizationRow {
    /// The columns `init(reading:)` reads, in its order.
    static let columns = """
        key, device_code_hash, user_code_hash, purpose, party, scope, sealed_request, created_at, expires_at, \
        poll_interval, polled_early, decision, user_key, epoch, provider, auth_time, amr, parent_id, sealed_outcome, \
        requester, last_polled_at
        """

    init(reading row: inout Row) throws(StoreError) {
        try self.init(
            key: row.integer(), deviceCodeHash: row.blob(), userCodeHash: row.blob(), purpose: row.choice(Purpose.self),
            party: row.text(), scope: row.text(), sealedRequest: row.optionalBlob(), createdAt: row.time(),
            expiresAt: row.time(), pollInterval: row.integer())
        wasPolledEarly = try row.flag()
        if let text = try row.optionalText() {
            guard let decision = Decision(rawValue: text) else {
                throw StoreError(.corrupt, "a device authorization was decided in no known way")
            }
            self.decision = decision
        }
        let userKey = try row.optionalInteger()
        let epoch = try row.optionalInteger()
        let provider = try row.optionalText()
        let authTime = try row.optionalInteger()
        let methods = try row.optionalText()
        let parentID = try row.optionalText()
        if let userKey, let epoch, let provider, let authTime, let methods, let parentID {
            approval = DeviceApproval(
                userKey: userKey, epoch: epoch, provider: provider, authTime: authTime,
                authenticationMethods: methods, parentID: parentID)
        }
        sealedOutcome = try row.optionalBlob()
        requester = try row.text()
        lastPolledAt = try row.optionalTime()
    }

    /// When the next poll of an early poll's device is in time; nil when the last poll was in time.
    package var earlyUntil: Timestamp? {
        guard wasPolledEarly, let lastPolledAt else { return nil }
        return lastPolledAt.advanced(by: .seconds(pollInterval) - .seconds(1))
    }
}

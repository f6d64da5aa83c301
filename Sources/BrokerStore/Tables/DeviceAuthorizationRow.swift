/// A device or a terminal that waits until a person has typed its code in at a browser (RFC 8628). The store holds hashes
/// and sealed bytes only.
package struct DeviceAuthorizationRow: Sendable, Hashable {
    /// What waits.
    package enum Purpose: String, Sendable, Hashable {
        /// An OAuth client, for tokens.
        case client
        /// A command line on the broker's host, for the proof of an identity.
        case terminal
    }

    package enum Decision: String, Sendable, Hashable {
        case approved, denied
    }

    /// Private, time-ordered.
    package var key: Int64
    /// SHA-256 of what the device polls with.
    package var deviceCodeHash: [UInt8]
    /// A keyed hash of what the person types: short as it is, a plain one would be no secret.
    package var userCodeHash: [UInt8]
    package var purpose: Purpose
    /// The client's id, or the id of the provider an identity is to be proven at.
    package var party: String
    /// What the client asks for (RFC 6749 §3.3); empty for a terminal.
    package var scope: String
    /// What only a terminal needs.
    package var sealedRequest: [UInt8]?
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    /// Seconds between polls; grows when the device comes too early.
    package var pollInterval: Int64
    /// The requester it counts against; written once.
    package var requester: String
    /// Whether the last poll came too early.
    package var wasPolledEarly: Bool
    package var decision: Decision?
    package var approval: DeviceApproval?
    /// What a terminal waited for.
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

/// Who let a client's device in, and how they had proven who they are.
package struct DeviceApproval: Sendable, Hashable {
    package var userKey: Int64
    /// The user's epoch then; an approval of an earlier epoch is dead.
    package var epoch: Int64
    /// Who proved who the person is.
    package var provider: String
    /// When that was, whole seconds since 1970.
    package var authTime: Int64
    /// How (RFC 8176), separated by spaces.
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
        requester
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
    }
}

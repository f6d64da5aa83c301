// Generated from `device_authorizations` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A device authorization of a client or a terminal (RFC 8628). The store contains only hashes and sealed bytes.
package struct DeviceAuthorizationRow: Record {
    /// The user who approved a client's device, with the authentication.
    package struct Approval: Sendable, Hashable {
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
    /// The last recorded poll; nil before the first.
    package var lastPolledAt: Timestamp?
    /// Whether the last recorded poll was too early.
    package var wasPolledEarly: Bool
    package var decision: Decision?
    package var approval: Approval?
    /// The sealed result for a terminal.
    package var sealedOutcome: [UInt8]?
    /// The requester whose limit it counts against; written once.
    package var requester: String

    package init(
        key: Int64, deviceCodeHash: [UInt8], userCodeHash: [UInt8], purpose: Purpose, party: String, scope: String,
        sealedRequest: [UInt8]? = nil, createdAt: Timestamp, expiresAt: Timestamp, pollInterval: Int64,
        lastPolledAt: Timestamp? = nil, wasPolledEarly: Bool = false, decision: Decision? = nil,
        approval: Approval? = nil, sealedOutcome: [UInt8]? = nil, requester: String = ""
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
        self.lastPolledAt = lastPolledAt
        self.wasPolledEarly = wasPolledEarly
        self.decision = decision
        self.approval = approval
        self.sealedOutcome = sealedOutcome
        self.requester = requester
    }
}

extension DeviceAuthorizationRow {
    package static let table = TableDefinition.deviceAuthorizations
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        deviceCodeHash = try row.blob()
        userCodeHash = try row.blob()
        purpose = try row.choice(Purpose.self)
        party = try row.text()
        scope = try row.text()
        sealedRequest = try row.optionalBlob()
        createdAt = try row.time()
        expiresAt = try row.time()
        pollInterval = try row.integer()
        lastPolledAt = try row.optionalTime()
        wasPolledEarly = try row.flag()
        decision = try row.optionalChoice(Decision.self)
        let approvalUserKey = try row.optionalInteger()
        let approvalEpoch = try row.optionalInteger()
        let approvalProvider = try row.optionalText()
        let approvalAuthTime = try row.optionalInteger()
        let approvalAuthenticationMethods = try row.optionalText()
        let approvalParentID = try row.optionalText()
        if let approvalUserKey, let approvalEpoch, let approvalProvider, let approvalAuthTime,
            let approvalAuthenticationMethods, let approvalParentID
        {
            approval = Approval(
                userKey: approvalUserKey, epoch: approvalEpoch, provider: approvalProvider, authTime: approvalAuthTime,
                authenticationMethods: approvalAuthenticationMethods, parentID: approvalParentID)
        } else {
            approval = nil
        }
        sealedOutcome = try row.optionalBlob()
        requester = try row.text()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .blob(deviceCodeHash), .blob(userCodeHash), .text(purpose.rawValue), .text(party),
            .text(scope), .blob(orNull: sealedRequest), .time(createdAt), .time(expiresAt), .integer(pollInterval),
            .time(orNull: lastPolledAt), .flag(wasPolledEarly), .text(orNull: decision?.rawValue),
            .integer(orNull: approval?.userKey), .integer(orNull: approval?.epoch), .text(orNull: approval?.provider),
            .integer(orNull: approval?.authTime), .text(orNull: approval?.authenticationMethods),
            .text(orNull: approval?.parentID), .blob(orNull: sealedOutcome), .text(requester),
        ]
    }
}

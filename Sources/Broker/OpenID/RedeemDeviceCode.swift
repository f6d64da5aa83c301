package import BrokerStore
import Foundation
import ProviderKit

/// Exchanges a device code for a session of the client, once the person has let the device in (RFC 8628 §3.4).
package struct RedeemDeviceCode: Sendable {
    let store: Store
    let keys: KeyGenerator
    let rules: SessionRules
    let now: @Sendable () -> Date

    /// What a poll comes to (RFC 8628 §3.5).
    package enum Outcome: Sendable {
        /// The session that begins.
        case redeemed(SessionFacts)
        /// Nobody has decided yet.
        case pending
        /// Nobody has decided yet, and the device asks too often: it has to wait five seconds longer from now on.
        case slowDown
        case denied
        case expired
        /// The code is unknown, another client's, or was used before.
        case unknown
    }

    private struct Fresh: Sendable {
        let sessionKey, auditKey: Int64
        let sessionID: String
    }

    /// Takes note of the poll and, when the person has agreed, uses the code up: of any number of polls at once, one gets
    /// the session.
    ///
    /// - Throws: A store's error.
    package func callAsFunction(_ deviceCode: String, by client: Client, origin: Origin) async throws -> Outcome {
        let date = now()
        let hash = RandomText.hash(of: deviceCode)
        let fresh = Fresh(
            sessionKey: keys.next(at: date), auditKey: keys.next(at: date), sessionID: RandomText.alphanumeric(22))
        return try await store.write { transaction in
            let now = Timestamp(date)
            guard let row = try transaction.pollDevice(deviceCodeHash: hash, ofClient: client.id, at: now) else {
                return .unknown
            }
            guard row.decision != .denied else { return .denied }
            guard row.expiresAt > now else { return .expired }
            guard row.decision == .approved else { return row.wasPolledEarly ? .slowDown : .pending }
            guard let used = try transaction.consumeDeviceAuthorization(deviceCodeHash: hash, at: now),
                let approval = used.approval
            else { return .unknown }
            guard try transaction.client(id: client.id) != nil, try transaction.stillStands(approval) else {
                return .denied
            }
            var session = Session(used, approval, fresh.sessionKey, id: fresh.sessionID, at: now)
            // The device itself polls, unless its server does.
            if client.kind != .confidential {
                (session.userAgent, session.address) = (origin.device.userAgent, origin.device.address)
            }
            try transaction.begin(session, rules)
            guard let facts = try transaction.sessionFacts(id: fresh.sessionID) else { return .unknown }
            try transaction.append(
                AuditEntry(
                    "session.started", of: facts.user.localID, key: fresh.auditKey, at: now, origin,
                    provider: approval.provider,
                    detail: ["session": .string(fresh.sessionID), "client": .string(client.id), "device": true]))
            return .redeemed(facts)
        }
    }
}

extension Transaction {
    /// Whether the person who agreed could still sign in: nothing that ended since then counts on.
    fileprivate func stillStands(_ approval: DeviceApproval) throws -> Bool {
        guard let user = try self.user(key: approval.userKey), !user.isDisabled, user.epoch == approval.epoch,
            let parent = try session(id: approval.parentID)
        else { return false }
        return parent.revokedAt == nil
    }
}

extension Session {
    /// The session that begins with the exchange of a device code.
    fileprivate init(
        _ row: DeviceAuthorizationRow, _ approval: DeviceApproval, _ key: Int64, id: String, at now: Timestamp
    ) {
        self.init(
            key: key, id: id, userKey: approval.userKey, signInProvider: approval.provider,
            authTime: approval.authTime, createdAt: now, epoch: approval.epoch, family: .oauth, clientID: row.party,
            scope: row.scope, authenticationMethods: approval.authenticationMethods, parentID: approval.parentID)
    }
}

package import BrokerStore
import Foundation
import ProviderKit

/// Exchanges a device code for a session of the client, once the user has approved the device (RFC 8628 §3.4).
package struct RedeemDeviceCode: Sendable {
    let store: Store
    let rules: SessionRules
    let now: @Sendable () -> Date

    /// The answer to a poll (RFC 8628 §3.5).
    package enum Outcome: Sendable {
        /// The session that begins.
        case redeemed(SessionFacts)
        /// The user has not decided yet.
        case pending
        /// The user has not decided yet, and the device polls too often: its interval grows by five seconds.
        case slowDown
        case denied
        case expired
        /// The code is unknown, another client's, or was used before.
        case unknown
    }

    /// Records the poll and, once the user has agreed, consumes the code: of any number of concurrent polls one gets the
    /// session.
    ///
    /// - Throws: A store's error.
    package func callAsFunction(_ deviceCode: String, by client: Client, origin: Origin) async throws -> Outcome {
        let (now, hash, sessionID) = (Timestamp(now()), RandomText.hash(of: deviceCode), RandomText.alphanumeric(22))
        return try await store.write(at: now, by: origin) { transaction in
            guard let row = try transaction.pollDevice(deviceCodeHash: hash, ofClient: client.id, at: now) else {
                return .unknown
            }
            guard row.decision != .denied else { return .denied }
            guard row.expiresAt > now else { return .expired }
            guard row.decision == .approved else { return row.wasPolledEarly ? .slowDown : .pending }
            guard let used = try transaction.consumeDeviceAuthorization(deviceCodeHash: hash, at: now),
                let approval = used.approval
            else { return .unknown }
            guard try transaction.client(id: client.id) != nil,
                try transaction.isGrantValid(ofUser: approval.userKey, epoch: approval.epoch, in: approval.parentID)
            else { return .denied }
            var session = Session(used, approval, id: sessionID, in: transaction)
            // The device itself polls, unless its server does.
            if client.kind != .confidential {
                (session.userAgent, session.address) = (origin.device.userAgent, origin.device.address)
            }
            try transaction.begin(session, rules)
            guard let facts = try transaction.sessionFacts(id: sessionID) else { return .unknown }
            try transaction.audit(
                "session.started", of: facts.user.localID, provider: approval.provider,
                detail: ["session": .string(sessionID), "client": .string(client.id), "device": true])
            return .redeemed(try transaction.withNotices(facts))
        }
    }
}

extension Session {
    /// The session that begins with the exchange of a device code.
    fileprivate init(
        _ row: DeviceAuthorizationRow, _ approval: DeviceApproval, id: String, in transaction: borrowing Transaction
    ) {
        self.init(
            key: transaction.nextKey(), id: id, userKey: approval.userKey, signInProvider: approval.provider,
            authTime: approval.authTime, createdAt: transaction.now, epoch: approval.epoch, family: .oauth,
            clientID: row.party,
            scope: row.scope, authenticationMethods: approval.authenticationMethods, parentID: approval.parentID)
    }
}

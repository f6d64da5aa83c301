package import BrokerStore
import OAuth
import ProviderKit

/// The answer to a poll (RFC 8628 §3.5).
package enum DevicePollOutcome: Sendable {
    /// The session that begins.
    case redeemed(SessionFacts)
    /// The user has not decided yet.
    case pending
    /// The user has not decided yet, and the device polls too often: its interval grows by five seconds, and no poll
    /// is in time before `until`. Of the polls until then only the first is written.
    case slowDown(until: Timestamp, isFirst: Bool)
    case denied
    case expired
    /// The code is unknown, another client's, or was used before.
    case unknown
}

extension OpenIDContext {
    /// Exchanges a device code for a session of the client, once the user has approved the device (RFC 8628 §3.4).
    ///
    /// Records the poll and, once the user has agreed, consumes the code: of any number of concurrent polls one gets the
    /// session. What changes nothing is answered without a write, and within an early poll's interval without a read.
    ///
    /// - Throws: A store's error.
    package func redeemDeviceCode(
        _ deviceCode: String, by client: Client, origin: Origin
    ) async throws -> DevicePollOutcome {
        let (now, hash) = (now, RandomText.hash(of: deviceCode))
        if let until = earlyPolls.end(of: hash, by: client.id, at: now) {
            return .slowDown(until: until, isFirst: false)
        }
        let found = try await store.pointRead { try $0.polledDevice(deviceCodeHash: hash, ofClient: client.id) }
        guard let found else { return .unknown }
        guard found.decision != .denied else { return .denied }
        guard found.expiresAt > now else { return .expired }
        let outcome: DevicePollOutcome
        if found.decision == nil, let until = found.earlyUntil, until > now {
            outcome = .slowDown(until: until, isFirst: false)
        } else {
            outcome = try await poll(hash, client, origin, now)
        }
        if case .slowDown(let until, _) = outcome { earlyPolls.insert(hash, by: client.id, until: until) }
        return outcome
    }

    private func poll(
        _ hash: [UInt8], _ client: Client, _ origin: Origin, _ now: Timestamp
    ) async throws -> DevicePollOutcome {
        let sessionID = Session.newID()
        return try await store.write(at: now, by: origin) { [self] transaction in
            guard let row = try transaction.pollDevice(deviceCodeHash: hash, ofClient: client.id, at: now) else {
                // A concurrent poll was the first early one, or has consumed the code.
                let row = try transaction.polledDevice(deviceCodeHash: hash, ofClient: client.id)
                return row.map { .slowDown(until: $0.earlyUntil ?? now, isFirst: false) } ?? .unknown
            }
            guard row.decision != .denied else { return .denied }
            guard row.expiresAt > now else { return .expired }
            guard row.decision == .approved else {
                return row.earlyUntil.map { .slowDown(until: $0, isFirst: true) } ?? .pending
            }
            guard let used = try transaction.consumeDeviceAuthorization(deviceCodeHash: hash, at: now),
                let approval = used.approval
            else { return .unknown }
            guard try transaction.client(id: client.id) != nil,
                try transaction.isGrantValid(ofUser: approval.userKey, epoch: approval.epoch, in: approval.parentID)
            else { return .denied }
            var session = Session(used, approval, id: sessionID, in: transaction)
            session.identityKey = try transaction.identityKey(ofSession: approval.parentID)
            // The device itself polls, unless its server does.
            if client.kind != .confidential {
                (session.userAgent, session.address) = (origin.device.userAgent, origin.device.address)
            }
            try transaction.begin(session, sessions.rules)
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

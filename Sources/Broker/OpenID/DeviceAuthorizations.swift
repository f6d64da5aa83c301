package import BrokerStore
import Crypto
import Foundation
import ProviderKit

/// The device authorizations of the broker (RFC 8628), for devices and terminals: begins, finds and decides them. Each is
/// decided once.
package struct DeviceAuthorizations: Sendable {
    let store: Store
    let now: @Sendable () -> Date
    private let limiter: OpenRowLimiter
    private let userCodeKey: SymmetricKey

    /// How long a code is good.
    package static let lifetime = Duration.seconds(600)
    /// Seconds a device waits between polls, to begin with.
    package static let interval: Int64 = 5

    init(
        store: Store, masterKey: MasterKey, limiter: OpenRowLimiter, now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.limiter = limiter
        self.now = now
        userCodeKey = masterKey.derive(.userCodes)
    }

    /// A device that waits from now on.
    package struct Begun: Sendable {
        /// The secret it polls with.
        package let deviceCode: String
        /// What it shows.
        package let userCode: UserCode
        package let expiresAt: Timestamp
    }

    /// Lets a client's device wait.
    ///
    /// - Parameters:
    ///   - client: The app.
    ///   - scope: What it asks for.
    /// - Returns: Its codes.
    /// - Throws: ``OAuthError``, or a store's error.
    package func begin(for client: Client, scope: String?) async throws -> Begun {
        // Nothing but its redirect URI says that a code is a browser app's own, and here there is none.
        guard client.kind != .public else {
            throw OAuthError(.unauthorizedClient, "Apps in browsers use the authorization endpoint.")
        }
        let scopes = Scopes(scope ?? "")
        guard !scopes.text.isEmpty else {
            throw OAuthError(.invalidScope, "scope must name openid, profile, email or offline_access.")
        }
        return try await begin(.client, party: client.id, of: Requester(client), scope: scopes.text) { _ in nil }
    }

    /// Begins an authorization, with unique codes.
    func begin(
        _ purpose: DeviceAuthorizationRow.Purpose, party: String, of requester: Requester,
        scope: String = "", request: (_ deviceCodeHash: [UInt8]) throws -> [UInt8]?
    ) async throws -> Begun {
        let requester = try await limiter.admit(requester, to: .deviceAuthorizations)
        while true {
            let now = Timestamp(now())
            let begun = Begun(
                deviceCode: RandomText.secret(), userCode: .draw(),
                expiresAt: now.advanced(by: Self.lifetime))
            let hash = RandomText.hash(of: begun.deviceCode)
            let (userCodeHash, sealedRequest) = (self.hash(begun.userCode), try request(hash))
            let isInserted = try await store.write(at: now) { transaction in
                try transaction.insert(
                    DeviceAuthorizationRow(
                        key: transaction.nextKey(), deviceCodeHash: hash, userCodeHash: userCodeHash,
                        purpose: purpose, party: party, scope: scope, sealedRequest: sealedRequest, createdAt: now,
                        expiresAt: begun.expiresAt, pollInterval: Self.interval, requester: requester))
            }
            if isInserted { return begun }
        }
    }

    /// What a user code stands for.
    package enum Found: Sendable {
        case waiting(DeviceAuthorizationRow)
        /// It was decided before, or has expired.
        case over
    }

    /// - Returns: `nil` for an unknown code.
    package func find(_ code: UserCode) async throws -> Found? {
        let hash = hash(code)
        guard let row = try await store.read({ try $0.deviceAuthorization(userCodeHash: hash) }) else { return nil }
        return row.decision == nil && row.expiresAt > Timestamp(now()) ? .waiting(row) : .over
    }

    /// Allows a client's device to act for the user of a session.
    ///
    /// - Returns: Whether it was still to be decided.
    /// - Throws: ``BrokerError`` when the session is not valid, or a store's error.
    func approve(_ code: UserCode, in session: SessionFacts, origin: Origin) async throws -> Bool {
        let (now, hash, id) = (Timestamp(now()), hash(code), session.session.id)
        return try await store.write(at: now, by: origin) { transaction in
            let facts = try transaction.liveSession(id: id, .web, at: now)
            let approval = DeviceApproval(
                userKey: facts.user.key, epoch: facts.user.epoch, provider: facts.session.signInProvider,
                authTime: facts.session.authTime, authenticationMethods: facts.session.authenticationMethods ?? "",
                parentID: id)
            guard let row = try transaction.approveDevice(userCodeHash: hash, approval, at: now) else { return false }
            try transaction.audit("device.approved", of: facts.user.localID, detail: ["client": .string(row.party)])
            return true
        }
    }

    /// Refuses a device or terminal for good.
    ///
    /// - Returns: Whether it was still to be decided.
    @discardableResult
    package func deny(_ code: UserCode) async throws -> Bool {
        let (hash, now) = (hash(code), Timestamp(now()))
        return try await store.write(at: now) { try $0.denyDevice(userCodeHash: hash, at: now) }
    }

    /// Keyed, since all codes could be tried against a copy of the store otherwise.
    func hash(_ code: UserCode) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data(code.text.utf8), using: userCodeKey))
    }
}

package import BrokerStore
import Crypto
import Foundation
import ProviderKit

/// Device authorizations (RFC 8628): devices and terminals that wait until a user has entered their code in a browser. Each is
/// decided once.
package struct DeviceAuthorizations: Sendable {
    let store: Store
    let now: @Sendable () -> Date
    private let limiter: OpenRowLimiter
    private let userCodeKey: SymmetricKey

    /// How long a code is valid.
    package static let lifetime = Duration.seconds(600)
    /// Seconds between two polls at first (RFC 8628 §3.2).
    package static let interval: Int64 = 5

    init(
        store: Store, masterKey: MasterKey, limiter: OpenRowLimiter, now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.limiter = limiter
        self.now = now
        userCodeKey = masterKey.derive(.userCodes)
    }

    /// A new device authorization.
    package struct Begun: Sendable {
        /// The secret that the device polls with.
        package let deviceCode: String
        /// The code that the device shows.
        package let userCode: UserCode
        package let expiresAt: Timestamp
    }

    /// Begins the authorization of a client's device.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - scope: The requested scope.
    /// - Returns: Its codes.
    /// - Throws: ``OAuthError``, or a store's error.
    package func begin(for client: Client, scope: String?) async throws -> Begun {
        // Only its redirect URI authenticates a public client, and here there is none.
        guard client.kind != .public else {
            throw OAuthError(.unauthorizedClient, "Apps in browsers use the authorization endpoint.")
        }
        let scopes = Scopes(scope ?? "")
        guard !scopes.text.isEmpty else {
            throw OAuthError(.invalidScope, "scope must name openid, profile, email or offline_access.")
        }
        return try await begin(.client, party: client.id, of: Requester(client), scope: scopes.text) { _ in nil }
    }

    /// Begins an authorization under codes that are not in use.
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

    /// The authorization of a user code.
    package enum Found: Sendable {
        case waiting(DeviceAuthorizationRow)
        /// It was decided before or has expired.
        case over
    }

    /// - Returns: `nil` for an unknown code.
    package func find(_ code: UserCode) async throws -> Found? {
        let hash = hash(code)
        guard let row = try await store.read({ try $0.deviceAuthorization(userCodeHash: hash) }) else { return nil }
        return row.decision == nil && row.expiresAt > Timestamp(now()) ? .waiting(row) : .over
    }

    /// Approves a client's device for the user of a session.
    ///
    /// - Returns: Whether it was still to be decided.
    /// - Throws: ``BrokerError`` when the session is not valid any more, or a store's error.
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

    /// Denies a device or terminal.
    ///
    /// - Returns: Whether it was still to be decided.
    @discardableResult
    package func deny(_ code: UserCode) async throws -> Bool {
        let (hash, now) = (hash(code), Timestamp(now()))
        return try await store.write(at: now) { try $0.denyDevice(userCodeHash: hash, at: now) }
    }

    /// Keyed, since a copy of the store would let all codes be tried otherwise.
    func hash(_ code: UserCode) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data(code.text.utf8), using: userCodeKey))
    }
}

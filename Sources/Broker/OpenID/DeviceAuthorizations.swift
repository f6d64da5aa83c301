package import BrokerStore
import Crypto
import Foundation
import OAuth
import ProviderKit

/// Device authorizations (RFC 8628): devices of clients, and commands on the broker's host, that wait until a user has entered
/// their code in a browser. Each is decided once.
package struct DeviceAuthorizations: StoreLayer {
    package let stored: StoreContext
    private let limiter: OpenRowLimiter

    /// How long a code is valid.
    package static let lifetime = Duration.seconds(600)
    /// Seconds between two polls at first (RFC 8628 §3.2).
    package static let interval: Int64 = 5

    init(_ stored: StoreContext, limiter: OpenRowLimiter) {
        self.stored = stored
        self.limiter = limiter
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
        let scopes = try Scopes(requested: scope)
        return try await begin(.client, party: client.id, of: Requester(client), scope: scopes.text) { _ in nil }
    }

    /// Begins an authorization under codes that are not in use.
    func begin(
        _ purpose: DeviceAuthorizationRow.Purpose, party: String, of requester: Requester,
        scope: String = "", request: (_ deviceCodeHash: [UInt8]) throws -> [UInt8]?
    ) async throws -> Begun {
        let requester = try await limiter.admit(requester, to: .deviceAuthorizations)
        while true {
            let now = now
            let begun = Begun(
                deviceCode: RandomText.secret(), userCode: .draw(),
                expiresAt: now.advanced(by: Self.lifetime))
            let hash = RandomText.hash(of: begun.deviceCode)
            let key = masterKey.signingSecret(for: .userCodes).key
            let (userCodeHash, sealedRequest) = (Self.hash(begun.userCode, key), try request(hash))
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
        let hashes = hashes(code)
        let found = try await store.read { transaction -> DeviceAuthorizationRow? in
            for hash in hashes {
                if let row = try transaction.deviceAuthorization(userCodeHash: hash) { return row }
            }
            return nil
        }
        guard let row = found else { return nil }
        return row.decision == nil && row.expiresAt > now ? .waiting(row) : .over
    }

    /// Approves a client's device for the user of a session.
    ///
    /// - Returns: Whether it was still to be decided.
    /// - Throws: ``BrokerError`` when the session is not valid any more, or a store's error.
    func approve(_ code: UserCode, in session: SessionFacts, origin: Origin) async throws -> Bool {
        let (now, hashes, id) = (now, hashes(code), session.session.id)
        return try await store.write(at: now, by: origin) { transaction in
            let facts = try transaction.liveSession(id: id, .web, at: now)
            let approval = DeviceApproval(
                userKey: facts.user.key, epoch: facts.user.epoch, provider: facts.session.signInProvider,
                authTime: facts.session.authTime, authenticationMethods: facts.session.authenticationMethods ?? "",
                parentID: id)
            for hash in hashes {
                guard let row = try transaction.approveDevice(userCodeHash: hash, approval, at: now) else { continue }
                try transaction.audit("device.approved", of: facts.user.localID, detail: ["client": .string(row.party)])
                return true
            }
            return false
        }
    }

    /// Denies a device or a command.
    ///
    /// - Returns: Whether it was still to be decided.
    @discardableResult
    package func deny(_ code: UserCode) async throws -> Bool {
        let (hashes, now) = (hashes(code), now)
        return try await store.write(at: now) { transaction in
            for hash in hashes where try transaction.denyDevice(userCodeHash: hash, at: now) { return true }
            return false
        }
    }

    /// The hashes that a code may have in the store: a rotation of the master key changes the key of new codes.
    private func hashes(_ code: UserCode) -> [[UInt8]] {
        masterKey.verificationSecrets(for: .userCodes).map { Self.hash(code, $0.key) }
    }

    /// Keyed, since a copy of the store would let all codes be tried otherwise.
    private static func hash(_ code: UserCode, _ key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data(code.text.utf8), using: key))
    }
}

extension DeviceAuthorization {
    /// The answer to the request of a device authorization (RFC 8628 §3.2).
    ///
    /// - Parameters:
    ///   - begun: The device authorization.
    ///   - issuer: The broker's public URL.
    ///   - interval: Seconds between two polls at first.
    init(
        _ begun: DeviceAuthorizations.Begun, at issuer: String, interval: Int64 = DeviceAuthorizations.interval
    ) {
        self.init(
            deviceCode: begun.deviceCode, userCode: begun.userCode.text,
            verificationURI: issuer + OAuthPaths.devicePage,
            verificationURIComplete: issuer + OAuthPaths.devicePage(showing: begun.userCode.text),
            expiresIn: Int(DeviceAuthorizations.lifetime.components.seconds), interval: Int(interval))
    }
}

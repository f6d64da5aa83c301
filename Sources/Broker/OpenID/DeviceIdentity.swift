import BrokerStore
import Foundation
import JOSE
import OAuth
package import ProviderKit

/// The identity that a user proved to a command on the broker's host, by a device authorization of the broker (RFC 8628).
///
/// It takes the place of an access token: an administrator who links or compares an identity gets no session of its user,
/// and nothing is written about the user before the administrator has seen who that is.
package struct DeviceIdentity: Codable, Sendable {
    package let pendingToken: String
    /// When they proved it, where the provider says so; whole seconds since 1970.
    package let authTime: Int64?
    /// How (RFC 8176), as far as the provider says it.
    package let methods: [String]
    /// Whether the provider authenticated the user after the command had asked.
    package let isFresh: Bool
    /// Earlier commands, which may wait on this store during an upgrade, require it.
    fileprivate var returnsToTerminal = false
}

/// What a command asks of the user beyond the identity.
struct DeviceIdentityRequest: Codable, Sendable {
    /// Whether the provider is to authenticate the user again, if it can.
    let requiresLogin: Bool
}

extension OpenIDContext {
    /// Requests a device authorization for an identity of a provider.
    ///
    /// Only what has the store and the master key can request it. So there is no client that a stranger could name to
    /// make users prove an identity to them.
    ///
    /// - Parameters:
    ///   - id: The provider's id.
    ///   - requiresLogin: Whether the provider is to authenticate the user again, if it can.
    /// - Returns: The codes, and the address at which the user finishes.
    /// - Throws: ``BrokerError/unknownProvider(_:)``, ``BrokerError/operationNotAllowed(_:)`` for a provider without a page,
    ///   or a store's error.
    package func requestDeviceIdentity(of id: String, requiresLogin: Bool = false) async throws -> DeviceAuthorization {
        guard let provider = providers.current.provider(id) else { throw BrokerError.unknownProvider(id) }
        guard provider.provider is any RedirectSignIn, provider.provider.accepts.contains(.authorizationCode) else {
            throw BrokerError.operationNotAllowed("\(id) has no page to sign in at.")
        }
        let text = Array(try JSONEncoder().encode(DeviceIdentityRequest(requiresLogin: requiresLogin)))
        let begun = try await devices.begin(.terminal, party: id, of: .administrator) { hash in
            try deviceIdentitySealer.seal(text, row: Self.row(hash, "request"))
        }
        // A look into the store asks no provider: the command may poll each second.
        return DeviceAuthorization(begun, at: issuer, interval: 1)
    }

    /// Polls until the user has proved the identity, and consumes it.
    ///
    /// - Parameters:
    ///   - authorization: What ``requestDeviceIdentity(of:requiresLogin:)`` returned.
    ///   - progress: Called before each wait with the seconds that are left.
    ///   - sleep: Waits; tests let time pass by themselves.
    /// - Returns: The identity.
    /// - Throws: ``BrokerError/cancelledAtProvider`` when the user declined, ``BrokerError/deviceCodeExpired`` when the code
    ///   expired or was used; a store's error, or what `sleep` throws.
    package func deviceIdentity(
        of authorization: DeviceAuthorization, progress: @Sendable (Int) -> Void = { _ in },
        sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) async throws -> DeviceIdentity {
        let polling = DevicePolling(authorization, from: clock(), clock: clock)
        return try await polling.value(progress: progress, sleep: sleep) {
            try await pollDeviceIdentity(RandomText.hash(of: authorization.deviceCode))
        }
    }

    private func pollDeviceIdentity(_ hash: [UInt8]) async throws -> DevicePoll<DeviceIdentity> {
        let row = try await store.read { try $0.deviceAuthorization(deviceCodeHash: hash) }
        switch row?.decision {
        case .denied: throw BrokerError.cancelledAtProvider
        case .approved: return .granted(try await consumeDeviceIdentity(hash))
        case nil:
            guard row != nil else { throw BrokerError.deviceCodeExpired }
            return .pending
        }
    }

    private func consumeDeviceIdentity(_ hash: [UInt8]) async throws -> DeviceIdentity {
        let now = now
        let row = try await store.write(at: now) { try $0.consumeDeviceAuthorization(deviceCodeHash: hash, at: now) }
        guard let sealed = row?.sealedOutcome else { throw BrokerError.deviceCodeExpired }
        guard let bytes = try? deviceIdentitySealer.open(sealed, row: Self.row(hash, "outcome")),
            let identity = try? JSONValue.decode(DeviceIdentity.self, parsing: bytes)
        else { throw BrokerError.invalidPendingToken }
        return identity
    }

    /// Ends a device authorization at the command: the pages tell a later browser that it has ended.
    package func cancel(_ authorization: DeviceAuthorization) async throws {
        guard let code = UserCode(typed: authorization.userCode) else { return }
        try await devices.deny(code)
    }

    /// The request of a row; `nil` for a row of another purpose or version.
    func deviceIdentityRequest(of row: DeviceAuthorizationRow) -> DeviceIdentityRequest? {
        guard row.purpose == .terminal, let sealed = row.sealedRequest,
            let bytes = try? deviceIdentitySealer.open(sealed, row: Self.row(row.deviceCodeHash, "request"))
        else { return nil }
        return try? JSONValue.decode(DeviceIdentityRequest.self, parsing: bytes)
    }

    /// Approves a device authorization with the identity that the user has proved, unless the code is expired or was
    /// decided already.
    ///
    /// - Parameters:
    ///   - code: The code that the user compared.
    ///   - pending: The identity that the provider verified.
    /// - Returns: Whether the command gets it.
    /// - Throws: A store's error.
    func approveDevice(_ code: UserCode, with pending: PendingIdentity) async throws -> Bool {
        guard case .waiting(let row) = try await devices.find(code), row.party == pending.provider,
            deviceIdentityRequest(of: row) != nil
        else { return false }
        let time = pending.authentication?.time
        let identity = DeviceIdentity(
            pendingToken: pending.token, authTime: time, methods: pending.authentication?.methods ?? [],
            isFresh: time.map { $0 >= row.createdAt.seconds - TokenRules.clockSkew } ?? false)
        let sealed = try deviceIdentitySealer.seal(
            Array(try JSONEncoder().encode(identity)), row: Self.row(row.deviceCodeHash, "outcome"))
        let (hash, now) = (row.userCodeHash, now)
        return try await store.write(at: now) {
            try $0.answerTerminal(userCodeHash: hash, sealedOutcome: sealed, at: now)
        }
    }

    private var deviceIdentitySealer: Sealer { Sealer(masterKey, for: .deviceAuthorizations) }

    private static func row(_ hash: [UInt8], _ column: String) -> [String] {
        ["device_authorizations", column, Base64URL.encode(hash)]
    }
}

package import BrokerStore
import Foundation
import JOSE
import OAuth
import ProviderKit

/// Verifies an identity in a browser for a command line. The command line waits for a row of the store, which it can read
/// anyway, and the hosted pages write the verified evidence into it. No code and no token reaches the terminal or an
/// address of a browser.
///
/// Waiting occupies no transaction and no connection of the store.
package struct TerminalSignIn: StoreLayer {
    let devices: DeviceAuthorizations
    let providers: ProvidersContext
    private let sealer: Sealer

    init(_ devices: DeviceAuthorizations, _ providers: ProvidersContext) {
        self.devices = devices
        self.providers = providers
        sealer = Sealer(devices.masterKey, for: .deviceAuthorizations)
    }

    package var stored: StoreContext { devices.stored }

    /// A terminal's request.
    package struct Request: Codable, Sendable {
        /// The redirect target of the browser afterwards if it runs on the terminal's machine; without the outcome.
        package var loopback: String?
        /// Whether the provider is to authenticate the user again, if it can.
        package var requiresLogin: Bool

        package init(loopback: String? = nil, requiresLogin: Bool = false) {
            self.loopback = loopback
            self.requiresLogin = requiresLogin
        }
    }

    /// A code that is shown at a terminal.
    package struct Attempt: Sendable {
        package let provider: String
        package let userCode: UserCode
        package let expiresAt: Timestamp
        /// The URL to open with a browser.
        package let url: String
        /// The same for a browser on this machine, which is redirected to the terminal afterwards.
        package let localURL: String
        let deviceCode: String
    }

    /// The identity a provider verified, with the time and method of the authentication if known.
    package struct Outcome: Codable, Sendable {
        package let pendingToken: String
        /// When they proved it, where the provider says so; whole seconds since 1970.
        package let authTime: Int64?
        /// How (RFC 8176), as far as the provider says it.
        package let methods: [String]
        /// Whether the provider authenticated the user after the terminal had asked.
        package let isFresh: Bool
        /// Whether the browser is redirected to the terminal's own machine.
        package let returnsToTerminal: Bool
    }

    /// Begins to wait.
    ///
    /// - Throws: ``BrokerError/unknownProvider(_:)``, ``BrokerError/operationNotAllowed(_:)`` for a provider without a page,
    ///   or a store's error.
    package func begin(at id: String, _ request: Request) async throws -> Attempt {
        guard let provider = providers.current.provider(id) else { throw BrokerError.unknownProvider(id) }
        guard provider.provider is any RedirectSignIn, provider.provider.accepts.contains(.authorizationCode) else {
            throw BrokerError.operationNotAllowed("\(id) has no page to sign in at.")
        }
        let text = Array(try JSONEncoder().encode(request))
        let begun = try await devices.begin(.terminal, party: id, of: .administrator) { hash in
            try sealer.seal(text, row: Self.row(hash, "request"))
        }
        let url = providers.publicURL + OAuthPaths.devicePage(showing: begun.userCode.text)
        return Attempt(
            provider: id, userCode: begun.userCode, expiresAt: begun.expiresAt, url: url,
            localURL: url + "&" + FormEncoding.encode([(Self.localParameter, "1")]), deviceCode: begun.deviceCode)
    }

    /// Says that a browser runs on the terminal's own machine.
    static let localParameter = "here"

    /// Waits for the verified identity and consumes it.
    ///
    /// - Parameters:
    ///   - attempt: The code that is shown.
    ///   - pause: Waits for the next look into the store, or until something tells it that there is something.
    ///   - progress: Called before each wait with the seconds left.
    /// - Returns: The verified identity.
    /// - Throws: ``BrokerError/cancelledAtProvider`` when the user declined, ``BrokerError/deviceCodeExpired`` when the code
    ///   expired; what `pause` throws.
    package func outcome(
        of attempt: Attempt, pause: () async throws -> Void, progress: (Int) -> Void = { _ in }
    ) async throws -> Outcome {
        let hash = RandomText.hash(of: attempt.deviceCode)
        while true {
            let now = now
            let row = try await store.read { try $0.deviceAuthorization(deviceCodeHash: hash) }
            switch row?.decision {
            case .approved: return try await take(hash, at: now)
            case .denied: throw BrokerError.cancelledAtProvider
            case nil:
                guard row != nil, attempt.expiresAt > now else { throw BrokerError.deviceCodeExpired }
                progress(Int((attempt.expiresAt.seconds - now.seconds)))
                try await pause()
            }
        }
    }

    private func take(_ hash: [UInt8], at now: Timestamp) async throws -> Outcome {
        let row = try await store.write(at: now) {
            try $0.consumeDeviceAuthorization(deviceCodeHash: hash, at: now)
        }
        guard let sealed = row?.sealedOutcome else { throw BrokerError.deviceCodeExpired }
        guard let bytes = try? sealer.open(sealed, row: Self.row(hash, "outcome")),
            let outcome = try? JSONValue.decode(Outcome.self, parsing: bytes)
        else { throw BrokerError.invalidPendingToken }
        return outcome
    }

    /// Cancels an attempt at the terminal: the pages answer a later browser that it has ended.
    package func abandon(_ attempt: Attempt) async throws {
        try await devices.deny(attempt.userCode)
    }

    /// The request of a row; `nil` for a row of another purpose or version.
    func request(of row: DeviceAuthorizationRow) -> Request? {
        guard row.purpose == .terminal, let sealed = row.sealedRequest,
            let bytes = try? sealer.open(sealed, row: Self.row(row.deviceCodeHash, "request"))
        else { return nil }
        return try? JSONValue.decode(Request.self, parsing: bytes)
    }

    /// Stores the identity for the terminal, unless the code is expired or answered already.
    ///
    /// - Parameters:
    ///   - code: The code the user entered.
    ///   - pending: The identity the provider verified.
    ///   - isAtTerminal: Whether the browser runs on the terminal's own machine.
    /// - Returns: Whether the terminal gets it, and where the browser goes on then, if anywhere.
    /// - Throws: A store's error.
    func answer(
        _ code: UserCode, with pending: PendingIdentity, isAtTerminal: Bool
    ) async throws -> (isTaken: Bool, loopback: String?) {
        guard case .waiting(let row) = try await devices.find(code), row.party == pending.provider,
            let request = request(of: row)
        else { return (false, nil) }
        let loopback = isAtTerminal ? request.loopback : nil
        let time = pending.authentication?.time
        let outcome = Outcome(
            pendingToken: pending.token, authTime: time, methods: pending.authentication?.methods ?? [],
            isFresh: time.map { $0 >= row.createdAt.seconds - TokenRules.clockSkew } ?? false,
            returnsToTerminal: loopback != nil)
        let sealed = try sealer.seal(
            Array(try JSONEncoder().encode(outcome)), row: Self.row(row.deviceCodeHash, "outcome"))
        let (hash, now) = (row.userCodeHash, now)
        let isFirst = try await store.write(at: now) {
            try $0.answerTerminal(userCodeHash: hash, sealedOutcome: sealed, at: now)
        }
        return (isFirst, loopback)
    }

    private static func row(_ hash: [UInt8], _ column: String) -> [String] {
        ["device_authorizations", column, Base64URL.encode(hash)]
    }
}

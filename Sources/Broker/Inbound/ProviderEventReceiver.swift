import BrokerStore
import Logging
import OAuth
import ProviderKit

/// The key that signed a message of a provider was reported as compromised.
struct NotificationKeyRefused: Error {}

extension AccountContext {
    /// How long an event is remembered after its message cannot be verified any more, or after it was received.
    private static let eventRetention = Duration.seconds(30 * 86_400)

    /// Applies the events of providers, each once: those of a message and those of a feed take the same way.
    ///
    /// Records an event and applies it in one transaction, which is committed on return.
    ///
    /// - Parameters:
    ///   - event: The verified event.
    ///   - keyID: The name of the key that signed it, if it was signed with a shared key.
    ///   - provider: The sender.
    ///   - requestID: The request that brought it; nil for a feed.
    /// - Returns: The result, which is logged already.
    /// - Throws: ``NotificationKeyRefused``, ``BrokerError`` or a store's error; then nothing was written, and the
    ///   event is to be received again.
    @discardableResult
    func receive(
        _ event: ProviderEvent, signedWith keyID: String? = nil, from provider: ConfiguredProvider,
        requestID: String? = nil
    ) async throws -> ProviderEventEffects.Outcome {
        let origin = Origin(.system, actor: provider.id, requestID: requestID ?? RequestID.make())
        let effects = ProviderEventEffects(accounts: self, provider: provider, origin: origin)
        let hash = Self.hash(of: event, from: provider)
        let outcome = try await write(by: origin) { transaction in
            if let keyID, try transaction.isSignatureKeyRefused(keyID, of: provider.id) {
                throw NotificationKeyRefused()
            }
            let expiry = max(transaction.now, event.expiresAt.map { Timestamp($0) } ?? transaction.now)
            let isNew = try transaction.record(
                ReceivedEvent(
                    key: transaction.nextKey(), provider: provider.id, eventHash: hash, receivedAt: transaction.now,
                    expiresAt: expiry.advanced(by: Self.eventRetention)))
            return isNew ? try effects.apply(event, in: transaction) : .duplicate
        }
        log(event, outcome, provider)
        return outcome
    }

    /// Entries are renamed and instances replaced: the id is the sender's.
    private static func hash(of event: ProviderEvent, from provider: ConfiguredProvider) -> [UInt8] {
        RandomText.hash(of: "\(provider.instance.utf8.count) \(provider.instance)\(event.id)")
    }

    private func log(_ event: ProviderEvent, _ outcome: ProviderEventEffects.Outcome, _ provider: ConfiguredProvider) {
        var metadata: Logger.Metadata = [
            "provider": "\(provider.id)", "event": "\(event.kind.name)", "outcome": "\(outcome.rawValue)",
        ]
        switch event.kind {
        case .signingKeyCompromised(let keyID):
            metadata["key"] = "\(Self.shown(keyID))"
            Logger.current.error(
                "signature key compromised; its messages are refused, replace it in plugins.json", metadata: metadata)
        case .unknown(let type):
            metadata["type"] = "\(Self.shown(type))"
            Logger.current.warning("provider event of an unknown type ignored", metadata: metadata)
        default: Logger.current.info("provider event received", metadata: metadata)
        }
    }

    /// A provider's text for the log: printable ASCII of bounded length.
    private static func shown(_ text: String) -> String {
        let bytes = text.utf8.prefix(64).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ProviderEvent.Kind {
    /// The kind without its values.
    fileprivate var name: String {
        switch self {
        case .mailForwarding: "mail forwarding"
        case .consentRevoked: "consent revoked"
        case .grantsRevoked: "grants revoked"
        case .accessTokenRevoked: "access token revoked"
        case .accountDeleted: "account deleted"
        case .accountsMerged: "accounts merged"
        case .loggedOut: "logged out"
        case .signingKeyCompromised: "signature key compromised"
        case .unknown: "unknown"
        }
    }
}

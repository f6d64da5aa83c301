package import BrokerStore
import Foundation
import JOSE
import ProviderKit

/// What a form of the hosted pages is about, sealed into one hidden field (AES-256-GCM) for one browser and one purpose.
///
/// Nothing else in the form decides anything, so a page of another site has nothing to send: it can neither read such a
/// field nor make one, and one made for its own browser opens in no other (security §5.11).
package struct HostedForms: Sendable {
    private let sealer: Sealer

    /// How long a page may stay open.
    static let lifetime = Duration.seconds(3600)

    init(_ masterKey: MasterKey) {
        sealer = Sealer(masterKey, for: .forms)
    }

    /// What a form may be for; a field made for one is none for another.
    package enum Purpose: String, Sendable {
        case depart, goOn = "continue", link, unlink, endSession, signOut, signOutEverywhere, delete, device
        case logout, interaction
    }

    private struct Envelope: Codable {
        let expiresAt: Int64
        let payload: String
    }

    /// Seals `payload` for the browser that has this cookie.
    package func seal(
        _ payload: some Encodable, for purpose: Purpose, browser: String, at now: Timestamp
    ) throws -> String {
        let encoder = JSONEncoder()
        // Each would be three bytes in the end.
        encoder.outputFormatting = .withoutEscapingSlashes
        let text = String(decoding: try encoder.encode(payload), as: UTF8.self)
        let envelope = Envelope(expiresAt: now.advanced(by: Self.lifetime).milliseconds, payload: text)
        let bytes = Array(try encoder.encode(envelope))
        return Base64URL.encode(try sealer.seal(bytes, row: Self.row(purpose, browser)))
    }

    /// - Returns: `nil` for everything this broker did not seal for this purpose and browser, or too long ago.
    package func open<Payload: Decodable>(
        _ text: String?, as _: Payload.Type = Payload.self, for purpose: Purpose, browser: String, at now: Timestamp
    ) -> Payload? {
        guard let sealed = text.flatMap({ Base64URL.decode($0) }),
            let bytes = try? sealer.open(sealed, row: Self.row(purpose, browser)),
            let envelope = try? JSONValue.decode(Envelope.self, parsing: bytes),
            now.milliseconds < envelope.expiresAt
        else { return nil }
        return try? JSONValue.decode(Payload.self, parsing: envelope.payload.utf8)
    }

    private static func row(_ purpose: Purpose, _ browser: String) -> [String] { ["form", purpose.rawValue, browser] }
}

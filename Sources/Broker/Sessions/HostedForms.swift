package import BrokerStore
import Foundation
import JOSE
import ProviderKit

/// The contents of the hosted pages' forms and links, each sealed into one text (AES-256-GCM) for one browser and one
/// purpose.
///
/// Nothing else in the form decides anything, so a page of another site has nothing to send: it can neither read such a
/// text nor make one, and one that was made for its own browser opens in no other (security §5.11).
package struct HostedForms: Sendable {
    private let sealer: Sealer

    /// How long a page may stay open.
    static let lifetime = Duration.seconds(3600)

    init(_ masterKey: MasterKey) {
        sealer = Sealer(masterKey, for: .forms)
    }

    /// The purpose of a form; a text sealed for one purpose opens for no other.
    package enum Purpose: String, Sendable {
        case redirect, resume, link, unlink, merge, endSession, signOut, signOutEverywhere, delete, device, logout,
            page, receipt, profile, export, console, keptConsoleForm
    }

    fileprivate struct Envelope<Payload> {
        let expiresAt: Int64
        let payload: Payload
    }

    /// Seals `payload` for the browser that has this cookie.
    package func seal(
        _ payload: some Encodable, for purpose: Purpose, browser: String, at now: Timestamp
    ) throws -> String {
        let encoder = JSONEncoder()
        // Each would be three bytes in the end.
        encoder.outputFormatting = .withoutEscapingSlashes
        let envelope = Envelope(expiresAt: now.advanced(by: Self.lifetime).milliseconds, payload: payload)
        let bytes = Array(try encoder.encode(envelope))
        return Base64URL.encode(try sealer.seal(bytes, row: Self.row(purpose, browser)))
    }

    /// - Returns: `nil` for everything this broker did not seal for this purpose and browser, or too long ago.
    package func open<Payload: Decodable>(
        _ text: String?, as _: Payload.Type = Payload.self, for purpose: Purpose, browser: String, at now: Timestamp
    ) -> Payload? {
        let envelope: Envelope<Payload>? = envelope(text, for: purpose, browser: browser)
        return envelope.flatMap { now.milliseconds < $0.expiresAt ? $0.payload : nil }
    }

    /// The content of a form that was sealed for this purpose and browser, but too long ago. It decides nothing: it says
    /// where a user can begin again.
    package func openExpired<Payload: Decodable>(
        _ text: String?, as _: Payload.Type = Payload.self, for purpose: Purpose, browser: String, at now: Timestamp
    ) -> Payload? {
        let envelope: Envelope<Payload>? = envelope(text, for: purpose, browser: browser)
        return envelope.flatMap { now.milliseconds < $0.expiresAt ? nil : $0.payload }
    }

    private func envelope<Payload: Decodable>(
        _ text: String?, for purpose: Purpose, browser: String
    ) -> Envelope<Payload>? {
        guard let sealed = text.flatMap({ Base64URL.decode($0) }),
            let bytes = try? sealer.open(sealed, row: Self.row(purpose, browser))
        else { return nil }
        return try? JSONValue.decode(Envelope<Payload>.self, parsing: bytes)
    }

    /// The number is the version of ``Envelope``: a broker of another version opens no form of this one.
    private static func row(_ purpose: Purpose, _ browser: String) -> [String] {
        ["form/2", purpose.rawValue, browser]
    }
}

extension HostedForms.Envelope: Encodable where Payload: Encodable {}
extension HostedForms.Envelope: Decodable where Payload: Decodable {}

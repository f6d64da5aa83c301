import Foundation
import ProviderKit

/// A provider's authorization response (RFC 6749 §4.1.2, RFC 9207), with the `user` field that Apple posts beside it.
package struct AuthorizationResponse: Sendable {
    package let state: String
    let code: String?
    let error: String?
    /// RFC 9207.
    let issuer: String?
    let firstTimeProfile: Credential.FirstTimeProfile?
    /// The parameters that are not the protocol's, which some providers add: at most sixteen, of ASCII letters, digits and
    /// `._~-` alone, and short.
    let further: [String: String]

    /// - Parameter pairs: A query or a form, in order.
    /// - Throws: ``BrokerError/signInAttemptUnknown`` when a parameter comes twice, or there is no `state`;
    ///   ``BrokerError/providerAnswerUnusable(_:)`` when `user` is malformed.
    package init(_ pairs: [(name: String, value: String)]) throws(BrokerError) {
        var values: [String: String] = [:]
        for (name, value) in pairs {
            guard values.updateValue(value, forKey: name) == nil else { throw .signInAttemptUnknown }
        }
        guard let state = values["state"], (1...256).contains(state.utf8.count) else { throw .signInAttemptUnknown }
        self.state = state
        code = values["code"].flatMap { $0.isEmpty ? nil : $0 }
        error = values["error"].flatMap { $0.isEmpty ? nil : $0 }
        issuer = values["iss"]
        further = Self.further(values)
        firstTimeProfile = try values["user"].flatMap { text throws(BrokerError) in try Self.firstTimeProfile(text) }
    }

    private static func further(_ values: [String: String]) -> [String: String] {
        let protocolNames: Set<String> = [
            "access_token", "code", "error", "error_description", "error_uri", "id_token", "iss", "state", "user",
        ]
        let plain = values.filter { name, value in
            !protocolNames.contains(name) && isPlain(name, limit: 64) && isPlain(value, limit: 128)
        }
        return plain.count <= 16 ? plain : [:]
    }

    /// Whether a text can be part of a URL as it is.
    private static func isPlain(_ text: String, limit: Int) -> Bool {
        text.utf8.count <= limit && text.wholeMatch(of: /[A-Za-z0-9._~-]+/) != nil
    }

    /// Apple's `user` field: a JSON object, sent at a user's first sign-in only. Ignoring a malformed one would lose the
    /// name for ever, so it is refused.
    static func firstTimeProfile(_ text: String) throws(BrokerError) -> Credential.FirstTimeProfile? {
        guard !text.isEmpty else { return nil }
        guard let user = try? JSONValue(parsing: text.utf8), user.object != nil else {
            throw .providerAnswerUnusable("The field user is not a JSON object.")
        }
        let profile = Credential.FirstTimeProfile(
            givenName: user["name"]?["firstName"]?.string, familyName: user["name"]?["lastName"]?.string,
            email: user["email"]?.string)
        return profile == .init() ? nil : profile
    }
}

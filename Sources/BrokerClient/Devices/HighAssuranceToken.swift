import Foundation

/// An access token for sensitive calls, as it is stored.
struct HighAssuranceToken: Codable, Sendable {
    let userID: String
    let accessToken: String
    let expiresAt: Date

    init(userID: String, accessToken: String, expiresAt: Date) {
        self.userID = userID
        self.accessToken = accessToken
        self.expiresAt = expiresAt
    }

    /// Reads the stored form; nil for content of another form.
    init?(content: Data) {
        guard let token = try? JSONDecoder().decode(HighAssuranceToken.self, from: content) else { return nil }
        self = token
    }

    /// The stored form.
    func content() throws(BrokerAuthError) -> Data {
        do {
            return try JSONEncoder().encode(self)
        } catch {
            throw .storageFailed("the token cannot be encoded")
        }
    }
}

extension HighAssuranceToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of the token.
    var description: String { "HighAssuranceToken(<redacted>)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}

import Foundation
import JOSE
import StrictJSON

/// The session as it is stored: tokens and user, in one item.
struct StoredSession: Codable, Sendable, Equatable {
    /// The user of the tokens; `nil` when only a refresh token is known.
    var userID: String?
    var refreshToken: String?
    var accessToken: String?
    var idToken: String?
    /// When the access token expires.
    var expiresAt: Date?
    var email: String?
    var isEmailVerified = false
    var name: String?
    var picture: String?
    var authTime: Int64?
    var sessionID: String?
    var scopes: [String] = []
    var provider: String?
    var isAnonymous = false
    /// The broker's session of the token for sensitive calls, which ends with this one.
    var highAssuranceSessionID: String?

    /// The session for the app, if the user is known.
    var session: AuthSession? {
        userID.map {
            AuthSession(
                userID: $0, email: email, isEmailVerified: isEmailVerified, name: name,
                pictureURL: picture.flatMap(URL.init(string:)),
                authTime: authTime.map { Date(timeIntervalSince1970: TimeInterval($0)) }, sessionID: sessionID,
                signInProvider: provider.map(ProviderID.init(rawValue:)), isAnonymous: isAnonymous, claims: claims)
        }
    }

    /// The claims of the ID token, which was verified before it came here.
    private var claims: JSONObject {
        guard let idToken, let token = try? CompactJWS(parsing: idToken) else { return [:] }
        return (try? JSONValue(parsing: token.unverifiedPayload).object) ?? [:]
    }

    /// Whether the tokens are valid for `leeway` seconds more.
    func isValid(at now: Date, leeway: TimeInterval = 0) -> Bool {
        guard userID != nil, accessToken != nil, idToken != nil, let expiresAt else { return false }
        return now.addingTimeInterval(leeway) < expiresAt
    }

    /// The stored form.
    func content() throws(BrokerAuthError) -> Data {
        do {
            return try JSONEncoder().encode(self)
        } catch {
            throw .storageFailed("the session cannot be encoded")
        }
    }

    /// Reads the stored form; `nil` for content of another form.
    init?(content: Data) {
        guard let session = try? JSONDecoder().decode(StoredSession.self, from: content),
            session.refreshToken != nil || session.userID != nil
        else { return nil }
        self = session
    }

    init() {}
}

extension StoredSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of the tokens.
    var description: String { "StoredSession(<redacted>)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}

import BrokerClient
public import Foundation
import JOSE
import StrictJSON

/// An ID token with its claims.
public final class AuthTokenResult: Sendable {
    /// The token: a secret.
    public let token: String
    /// When it expires.
    public let expirationDate: Date
    /// When the user authenticated.
    public let authDate: Date
    /// When it was issued.
    public let issuedAtDate: Date
    /// The id of the provider of the sign-in, or `anonymous`; empty where the app does not know it.
    public let signInProvider: String
    /// All claims. One without a value is left out.
    public let claims: [String: any Sendable]

    /// - Throws: ``AuthErrorCode/malformedJWT``.
    init(_ token: String, of user: User) throws {
        guard let claims = try? CompactJWS(parsing: token).unverifiedClaims(),
            let expiry = claims["exp"]?.integer, let issue = claims["iat"]?.integer
        else { throw AuthErrors.error(.malformedJWT, "The broker's ID token cannot be read.") }
        self.token = token
        self.claims = claims.values
        expirationDate = Date(timeIntervalSince1970: TimeInterval(expiry))
        issuedAtDate = Date(timeIntervalSince1970: TimeInterval(issue))
        authDate = claims["auth_time"]?.integer.map { Date(timeIntervalSince1970: TimeInterval($0)) } ?? issuedAtDate
        signInProvider = user.signInProvider
    }
}

extension AuthTokenResult: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of the token.
    public var description: String { "AuthTokenResult(<redacted>)" }
    /// Nothing of the token.
    public var debugDescription: String { description }
    /// Nothing of the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension User {
    /// A valid ID token of the broker, refreshed when it is due.
    ///
    /// - Parameter forceRefresh: Whether to refresh in any case.
    /// - Returns: The token: a secret.
    /// - Throws: An error of ``AuthErrors/domain``.
    public func getIDToken(forcingRefresh forceRefresh: Bool = false) async throws -> String {
        let broker = try await current()
        return try await auth.translating { () async throws(BrokerAuthError) in
            try await broker.idToken(forcingRefresh: forceRefresh)
        }
    }

    /// As ``getIDToken(forcingRefresh:)``.
    ///
    /// - Parameter forceRefresh: Whether to refresh in any case.
    /// - Returns: The token: a secret.
    /// - Throws: An error of ``AuthErrors/domain``.
    public func idTokenForcingRefresh(_ forceRefresh: Bool) async throws -> String {
        try await getIDToken(forcingRefresh: forceRefresh)
    }

    /// A valid ID token of the broker with its claims.
    ///
    /// - Parameter forceRefresh: Whether to refresh in any case.
    /// - Returns: The token and its claims.
    /// - Throws: An error of ``AuthErrors/domain``.
    public func getIDTokenResult(forcingRefresh forceRefresh: Bool = false) async throws -> AuthTokenResult {
        try AuthTokenResult(try await getIDToken(forcingRefresh: forceRefresh), of: self)
    }
}

import Foundation
import JOSE
import ProviderKit

/// The claims of a verified ID token that the library uses.
struct IDTokenClaims: Sendable {
    let subject: String
    let email: String?
    let isEmailVerified: Bool
    let name: String?
    let picture: String?
    let authTime: Int64?
    let sessionID: String?
    let expiresAt: Date
    /// The provider of the session's login; nil where the broker does not say.
    let signInProvider: SignInProvider?
    /// Whether the user has no identity at a provider; nil where the broker does not say.
    let isAnonymous: Bool?

    init(_ token: VerifiedIDToken) {
        let claims = token.claims
        (subject, expiresAt) = (token.subject, token.expiresAt)
        email = claims["email"]?.string
        isEmailVerified = claims["email_verified"]?.bool ?? false
        name = claims["name"]?.string
        picture = claims["picture"]?.string
        authTime = claims["auth_time"]?.integer
        sessionID = claims["sid"]?.string
        signInProvider = claims["idp"]?.string.map(SignInProvider.init)
        // Of other users the broker says nothing, beside the provider.
        isAnonymous = claims["broker"]?["anonymous"]?.bool ?? (claims["idp"] == nil ? nil : false)
    }
}

/// The provider of a login as the broker names it.
struct SignInProvider: Sendable {
    /// The provider; nil for an anonymous user and for a custom token, whose names stand for none.
    let known: ProviderID?

    init(_ name: String) {
        known = ["anonymous", "custom"].contains(name) ? nil : ProviderID(rawValue: name)
    }
}

/// Verifies the broker's ID tokens with its published keys.
struct IDTokenVerifier: Sendable {
    let issuer: String
    let clientID: String
    /// The broker's keys, fetched again for a token that names an unknown one.
    let keys: @Sendable (_ keyID: String?) async throws(BrokerAuthError) -> KeySet
    let now: @Sendable () -> Date

    /// - Parameters:
    ///   - text: The ID token.
    ///   - nonce: The expected nonce.
    ///   - accessToken: The access token of the same answer.
    /// - Returns: Its claims.
    /// - Throws: ``BrokerAuthError/missingOrInvalidNonce``, ``BrokerAuthError/invalidToken(_:)``, or
    ///   ``BrokerAuthError/network(_:)`` when the keys cannot be fetched.
    func callAsFunction(
        _ text: String, nonce: NonceExpectation, accessToken: String
    ) async throws(BrokerAuthError) -> IDTokenClaims {
        let token: CompactJWS
        do throws(JOSEError) {
            token = try CompactJWS(parsing: text)
        } catch {
            throw .invalidToken("\(error)")
        }
        let keys = try await keys(token.header.keyID)
        let policy = IDTokenPolicy(
            issuers: [issuer], audiences: [clientID], keySetURL: "", algorithms: [.es256, .rs256])
        do throws(JOSEError) {
            let check = IDTokenCheck(policy, nonce: nonce, accessToken: accessToken, now: now())
            return IDTokenClaims(try check(token, keys: keys))
        } catch {
            throw error.kind == .wrongNonce ? .missingOrInvalidNonce : .invalidToken("\(error)")
        }
    }
}

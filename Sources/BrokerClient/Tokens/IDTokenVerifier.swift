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

    init(_ token: VerifiedIDToken) {
        let claims = token.claims
        (subject, expiresAt) = (token.subject, token.expiresAt)
        email = claims["email"]?.string
        isEmailVerified = claims["email_verified"]?.bool ?? false
        name = claims["name"]?.string
        picture = claims["picture"]?.string
        authTime = claims["auth_time"]?.integer
        sessionID = claims["sid"]?.string
    }
}

/// Verifies the broker's ID tokens with its published keys.
struct IDTokenVerifier: Sendable {
    let issuer: String
    let clientID: String
    let keys: SharedFetch<KeySet>
    let now: @Sendable () -> Date

    /// Seconds a key set is used before the next token makes the client look again.
    private static let lifetime: TimeInterval = 3600
    /// Seconds between two fetches because of unknown keys.
    private static let interval: TimeInterval = 60

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
        var outcome = result(of: text, nonce, accessToken, try await keys.document(at: Self.lifetime))
        if case .failure(let error) = outcome, error.kind == .unknownKey {
            // The broker may have rotated its keys.
            outcome = result(of: text, nonce, accessToken, try await keys.document(at: Self.interval))
        }
        switch outcome {
        case .success(let token): return IDTokenClaims(token)
        case .failure(let error): throw error.kind == .wrongNonce ? .missingOrInvalidNonce : .invalidToken("\(error)")
        }
    }

    private func result(
        of text: String, _ nonce: NonceExpectation, _ accessToken: String, _ keys: KeySet
    ) -> Result<VerifiedIDToken, JOSEError> {
        let policy = IDTokenPolicy(
            issuers: [issuer], audiences: [clientID], keySetURL: "", algorithms: [.es256, .rs256])
        do throws(JOSEError) {
            let check = IDTokenCheck(policy, nonce: nonce, accessToken: accessToken, now: now())
            return .success(try check(CompactJWS(parsing: text), keys: keys))
        } catch {
            return .failure(error)
        }
    }
}

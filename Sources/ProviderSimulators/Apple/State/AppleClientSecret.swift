import Foundation
import JOSE
import ProviderKit

/// Checks a `client_secret`: a token signed with a registered key of the client's team.
struct AppleClientSecret {
    /// Half a year, in seconds: how far ahead `exp` may be.
    static let longestLifetime: Int64 = 15_777_000
    /// Seconds a client's clock may be ahead.
    static let clockSkew: Int64 = 60

    let apple: AppleState
    let now: Date

    /// Whether `application` is the one that made `secret`.
    ///
    /// - Parameters:
    ///   - secret: The token as it came.
    ///   - application: The client it claims to be of.
    ///   - teams: Whose keys speak for the client.
    /// - Throws: What is wrong with it.
    func check(
        _ secret: String, of application: AppleSimulator.Application, speakingFor teams: [String]
    ) throws(AppleSimulator.ClientRefusal) {
        guard let token = try? CompactJWS(parsing: secret) else { throw .notAToken }
        guard token.header.algorithm == "ES256" else { throw .wrongAlgorithm }
        guard let keyID = token.header.keyID, let key = apple.keys[keyID] else { throw .unknownKey }
        guard !key.isRevoked else { throw .revokedKey }
        guard let payload = try? token.verified(with: key.key), let claims = try? RegisteredClaims(payload) else {
            throw .wrongSignature
        }
        try checkNames(claims, key, application)
        try checkTimes(claims)
        guard teams.contains(key.teamID) else { throw .otherTeamsClient }
        guard key.primaryAppID == nil || key.primaryAppID == application.primaryAppID ?? application.clientID else {
            throw .otherGroupsClient
        }
    }

    /// The team that says it signed, once ``check(_:of:speakingFor:)`` has believed it.
    static func issuer(of secret: String) -> String? {
        guard let token = try? CompactJWS(parsing: secret) else { return nil }
        return (try? token.unverifiedClaims())?["iss"]?.string
    }

    private func checkNames(
        _ claims: RegisteredClaims, _ key: AppleClientKey, _ application: AppleSimulator.Application
    ) throws(AppleSimulator.ClientRefusal) {
        guard let issuer = try? claims.issuer, issuer.hasSameBytes(as: key.teamID) else { throw .wrongIssuer }
        // One string, and no slash at its end.
        let audiences = [apple.url, AppleSimulator.Issuer.appleID.rawValue]
        guard let audience = claims.payload["aud"]?.string,
            audiences.contains(where: { $0.hasSameBytes(as: audience) })
        else { throw .wrongAudience }
        guard let subject = try? claims.subject, subject.hasSameBytes(as: application.clientID) else {
            throw .wrongSubject
        }
    }

    private func checkTimes(_ claims: RegisteredClaims) throws(AppleSimulator.ClientRefusal) {
        let now = now.epochSeconds
        guard let expires = (try? claims.expiration)?.secondsSince1970, expires > now else { throw .expired }
        guard let issued = (try? claims.issuedAt)?.secondsSince1970, issued <= now + Self.clockSkew else {
            throw .notYetValid
        }
        guard expires <= now + Self.longestLifetime, expires - issued <= Self.longestLifetime else {
            throw .livesTooLong
        }
    }
}

extension AppleState {
    /// The authenticated client of a request.
    ///
    /// - Parameters:
    ///   - form: The request.
    ///   - includesFormerTeam: Whether the team the client came from may still speak for it.
    /// - Returns: The registration.
    /// - Throws: `invalid_client` for every defect; the reason is stored for tests.
    mutating func authenticate(
        _ form: FormFields, includesFormerTeam: Bool = false
    ) throws(OAuthFailure) -> AppleSimulator.Application {
        do throws(AppleSimulator.ClientRefusal) {
            guard let clientID = form["client_id"] else { throw .noClient }
            guard let secret = form["client_secret"] else { throw .noSecret }
            guard let application = application(clientID) else { throw .unknownClient }
            let former = includesFormerTeam ? transfer(of: clientID)?.from : nil
            try AppleClientSecret(apple: self, now: now).check(
                secret, of: application, speakingFor: [application.teamID] + [former].compactMap(\.self))
            return application
        } catch {
            clientRefusals = clientRefusals.suffix(999) + [error]
            throw .invalidClient
        }
    }
}

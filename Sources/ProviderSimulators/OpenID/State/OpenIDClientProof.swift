import Foundation
import JOSE
import ProviderKit

extension OpenIDState {
    /// The authenticated client of a token request, by its registered method.
    mutating func client(
        _ form: FormFields, _ request: SimulatorRequest
    ) throws(OAuthFailure) -> OpenIDSimulator.Application {
        let presented = PresentedClient(form, request)
        guard !presented.usesTwoMechanisms else {
            throw OAuthFailure("invalid_request", "The client authenticates in two ways.")
        }
        guard let application = application(presented.basic?.id ?? form["client_id"]) else {
            throw Self.refused("The client is unknown.")
        }
        switch application.authentication {
        case .secretBasic(let secret):
            guard secret.hasSameBytes(as: presented.basic?.secret) else {
                throw Self.refused("client_secret_basic is due.")
            }
        case .secretPost(let secret):
            guard presented.basic == nil, secret.hasSameBytes(as: presented.bodySecret) else {
                throw Self.refused("client_secret_post is due.")
            }
        case .privateKey(let keys):
            try check(form, signedBy: keys, of: application)
        case .none:
            guard presented.basic == nil, presented.bodySecret == nil, form["client_assertion"] == nil else {
                throw Self.refused("The client is a public one.")
            }
        }
        return application
    }

    private static func refused(_ reason: String) -> OAuthFailure {
        OAuthFailure("invalid_client", reason, status: 401, challenge: #"Basic realm="simulator""#)
    }

    /// RFC 7523 §3: issuer, subject, audience, expiry and single use.
    private mutating func check(
        _ form: FormFields, signedBy keys: JSONValue, of application: Application
    ) throws(OAuthFailure) {
        guard form["client_assertion_type"].hasSameBytes(as: Self.assertionType), let text = form["client_assertion"]
        else {
            throw Self.refused("private_key_jwt is due.")
        }
        do throws(JOSEError) {
            let token = try CompactJWS(parsing: text)
            let claims = try RegisteredClaims(
                token.verified(with: KeySet(importing: keys), algorithms: Set(SignatureAlgorithm.allCases)))
            let (expires, issued) = (try claims.expiration.secondsSince1970, try claims.issuedAt.secondsSince1970)
            let audience = try claims.audience
            guard try claims.issuer.hasSameBytes(as: application.clientID),
                try claims.subject.hasSameBytes(as: application.clientID),
                audience.contains(url) || audience.contains(url + OpenIDSimulator.Endpoint.token.path),
                expires > now.epochSeconds, expires - issued <= 600, issued <= now.epochSeconds + 60,
                let id = try claims.tokenID, usedAssertions.insert(id).inserted
            else { throw JOSEError(.invalidClaim, "the assertion's claims are not those of this client, here and now") }
        } catch {
            throw Self.refused("The assertion is refused: \(error)")
        }
    }

    private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
}

extension Optional where Wrapped == String {
    fileprivate func hasSameBytes(as other: String) -> Bool { other.hasSameBytes(as: self) }
}

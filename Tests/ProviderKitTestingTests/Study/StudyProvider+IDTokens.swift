import Foundation
import ProviderKit

extension StudyProvider {
    /// What the provider's ID tokens look like.
    var policy: IDTokenPolicy {
        var policy = IDTokenPolicy(
            issuers: [instanceURL], audiences: [clientID], keySetURL: instanceURL + "/keys", nativeNonce: .plain)
        if breaks("refuses-id-token-wrong-audience") { policy.audiences.append("client-of-somebody-else") }
        if breaks("refuses-id-token-wrong-issuer") { policy.issuers.append(instanceURL + ".example") }
        if breaks("refuses-id-token-another-type") { policy.types.insert("logout+jwt") }
        if breaks("refuses-id-token-expired") { policy.clockSkew = 86_400 }
        return policy
    }

    /// The claims of a token that keeps the policy.
    func verified(
        _ token: String, _ nonce: NonceExpectation, _ accessToken: String?
    ) async throws(ProviderError) -> VerifiedIDToken {
        do {
            let isLax = breaks("refuses-id-token-wrong-nonce") || breaks("refuses-id-token-missing-nonce")
            let isDeaf = breaks("refuses-id-token-wrong-access-token-hash")
            return try await context.tokens.verify(
                token, by: policy, nonce: isLax ? .unchecked : nonce, accessToken: isDeaf ? nil : accessToken)
        } catch {
            guard StudyFixture.brokenByBelief.contains(where: breaks) else { throw error }
            return unverified(token)
        }
    }

    /// The unverified claims of a token.
    private func unverified(_ token: String) -> VerifiedIDToken {
        let claims: JSONObject = ["sub": .string(StudyFixture.subject), "email": "ada@study.example"]
        return VerifiedIDToken(
            claims: claims, issuer: instanceURL, subject: StudyFixture.subject, audience: clientID,
            issuedAt: context.now(), expiresAt: context.now(), bindsAccessToken: false)
    }
}

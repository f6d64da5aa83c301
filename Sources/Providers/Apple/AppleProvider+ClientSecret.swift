public import ProviderKit

extension AppleProvider: SignedClientSecret {
    /// Half a year, which Apple counts as 15 777 000 s.
    public var maximumSecretLifetime: Int64 { 15_777_000 }

    /// Valid for five minutes: every request has a new one.
    public func clientSecret(of clientID: String) -> ClientAssertion {
        ClientAssertion(key: key, issuer: teamID, subject: clientID, audience: url, lifetime: 300)
    }

    /// Redeems an invalid code: Apple answers `invalid_grant` to an accepted client and `invalid_client` to any other.
    public func accepts(_ secret: Secret, of clientID: String) async throws(ProviderError) -> Bool {
        let code = Credential.AuthorizationCode(code: "client-secret-check", redirectURI: nil)
        do throws(ProviderError) {
            _ = try await client(clientID, authentication: .requestBody(secret))
                // Only invalid_client and unauthorized_client concern the client.
                .expectingErrors(["invalid_request": .upstream])
                .redeem(code, over: context.upstream, now: context.now())
            throw ProviderError(.upstream, at: .redeem, "the token endpoint gave tokens for an invented code")
        } catch {
            switch error.fault {
            case .credential: return true
            case .configuration where error.obstacle == nil: return false
            default: throw error
            }
        }
    }
}

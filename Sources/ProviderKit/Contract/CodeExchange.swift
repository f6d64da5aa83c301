/// A provider whose authorization codes can be redeemed without a sign-in: to delete an account at the provider, or for
/// an administrator.
public protocol CodeExchange: IdentityProvider {
    /// Redeems a code and verifies the ID token of the response. The nonce is not checked: the result signs no user in.
    ///
    /// - Parameters:
    ///   - code: The code; without a redirect URI when a device obtained it.
    ///   - clientID: The client that the code was issued to; when absent, every client of ours that could have got a
    ///     code of this kind is tried.
    /// - Returns: The user of the code, with the grant.
    /// - Throws: ``ProviderError``, with fault ``ProviderError/Fault/credential`` for a used, expired or foreign code.
    func exchange(
        _ code: Credential.AuthorizationCode, of clientID: String?
    ) async throws(ProviderError) -> ExternalIdentity
}

/// A provider whose client secret is a token that our own key signs, as Apple's is. For the commands that inspect keys
/// and client secrets.
public protocol SignedClientSecret: IdentityProvider {
    /// Our clients at the provider; each has a client secret of its own.
    var clientIDs: [String] { get }
    /// The longest lifetime of a client secret that the provider accepts, in seconds.
    var maximumSecretLifetime: Int64 { get }

    /// The assertion that becomes the client secret of `clientID` when it is signed.
    func clientSecret(of clientID: String) -> ClientAssertion

    /// Asks the provider whether it accepts a client secret, by redeeming an invalid code with it.
    ///
    /// - Throws: ``ProviderError`` when the provider gives no answer.
    func accepts(_ secret: Secret, of clientID: String) async throws(ProviderError) -> Bool
}

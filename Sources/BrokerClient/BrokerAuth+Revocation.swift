import StrictJSON

extension BrokerAuth {
    /// Revokes what the user has granted to the app at a provider. Identity and session stay: an app deletes the account
    /// afterwards. ``deleteAccount(appleAuthorizationCode:)`` does both at once.
    ///
    /// - Parameters:
    ///   - provider: The provider, such as Apple.
    ///   - authorizationCode: A new authorization code of the provider's for this app.
    /// - Returns: What becomes of the grants.
    /// - Throws: ``BrokerAuthError``; nothing was revoked then.
    @discardableResult
    public func revokeGrant(
        of provider: ProviderID, authorizationCode: String
    ) async throws(BrokerAuthError) -> [Withdrawal] {
        Withdrawal.receipts(
            in: try await accountEndpoint.post(
                AccountEndpoint.provider(provider, "revoke"), ["authorizationCode": .string(authorizationCode)]))
    }
}

public import ProviderKit

extension OpenIDProvider: UnverifiedEmailTrust {
    /// The value of `options.trustUnverifiedEmails`.
    public var trustsUnverifiedEmails: Bool { settings.claims.trustsUnverified }

    /// Whether `options.requiredClaims` fix an organisation by a text or a number; of Microsoft's tenants, by `tid`.
    public var isOfOneTenant: Bool {
        settings.requiredClaims.contains { name, value in
            value.bool == nil && (settings.tenants == nil || name.hasSameBytes(as: Tenants.claim))
        }
    }
}

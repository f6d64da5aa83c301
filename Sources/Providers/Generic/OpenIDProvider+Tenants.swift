import ProviderKit

extension OpenIDProvider {
    /// The tenants of an issuer with the placeholder `{tid}`: each is an issuer of its own, as at Microsoft.
    ///
    /// A subject is the tenant (`tid`) with the user's object in it (`oid`): a tenant assigns its objects, so neither alone
    /// is unique, and `sub` differs for each client. A tenant can write any address, so one is verified only by `xms_edov`,
    /// which says that the tenant owns its domain.
    struct Tenants: Sendable {
        /// `options.tenants`: the users who may sign in.
        enum Audience: String, CaseIterable, DeclaredValue {
            case common, organizations

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                guard let value = Audience(rawValue: try container.decode(String.self)) else {
                    throw DecodingError.dataCorruptedError(
                        in: container, debugDescription: "must be common or organizations")
                }
                self = value
            }
        }

        private static let placeholder = "{tid}"
        /// The tenant of personal accounts.
        private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

        let audience: Audience
        /// The base URL of the discovery document and the endpoints.
        let authority: String
        /// The issuer in the discovery document, which is a template.
        let publishedIssuer: String

        /// The tenants of an issuer; `nil` for the issuer of a single one.
        ///
        /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` for a placeholder at another place
        ///   than as a segment of the path.
        init?(_ issuer: String, _ audience: Audience?) throws(ProviderError) {
            let parts = issuer.split(separator: Self.placeholder, omittingEmptySubsequences: false)
            guard issuer.utf8.contains(UInt8(ascii: "{")) || issuer.utf8.contains(UInt8(ascii: "}")) else {
                guard audience == nil else {
                    throw ProviderError(
                        .configuration, at: .configure, "options.tenants needs {tid} in options.issuer")
                }
                return nil
            }
            guard parts.count == 2, parts[0].hasSuffix("/"), !parts[0].hasSuffix("//"),
                parts[1].isEmpty || parts[1].hasPrefix("/"),
                !parts.contains(where: { $0.contains("{") || $0.contains("}") })
            else {
                throw ProviderError(
                    .configuration, at: .configure, "options.issuer may have {tid} once, as a segment of its path")
            }
            self.audience = audience ?? .common
            authority = "\(parts[0])\(self.audience.rawValue)\(parts[1])"
            publishedIssuer = "\(parts[0]){tenantid}\(parts[1])"
        }

        /// The claim that names the tenant.
        static let claim = "tid"
        /// The place of an address's verification.
        static let emailVerified = ClaimPointers(member: "xms_edov")

        /// The subject of a verified ID token, whose issuer is that of its tenant.
        ///
        /// - Throws: ``ProviderError``: the token has no object, or its tenant is not allowed.
        func subject(of token: VerifiedIDToken) throws(ProviderError) -> String {
            guard let tenant = token.claims[Self.claim]?.string, let object = token.claims["oid"]?.string,
                !object.isEmpty
            else {
                throw ProviderError(
                    .configuration, at: .verifyIDToken, "the ID token has no tid and oid; the scope profile brings them"
                )
            }
            guard audience == .common || !tenant.utf8.elementsEqual(Self.personal.utf8) else {
                throw ProviderError(.credential, at: .verifyIDToken, "a personal account, and options.tenants has none")
            }
            return "\(tenant).\(object)"
        }
    }
}

import ProviderKit

extension OpenIDProvider {
    /// `options.endpoints`: the URLs that the discovery document lacks.
    struct Endpoints: DeclaredOptions {
        var authorization: String?
        var token: String?
        var userinfo: String?
        var jwks: String?
        var revocation: String?
        var deviceAuthorization: String?

        static let declaration = DeclaredObject<Endpoints>(
            "URLs that the discovery document lacks. One that it names must be the same.",
            [
                key("authorization", \.authorization, "the authorization endpoint"),
                key("token", \.token, "the token endpoint"),
                key("userinfo", \.userinfo, "the userinfo endpoint"),
                key("jwks", \.jwks, "the key set, to verify ID tokens with"),
                key("revocation", \.revocation, "the revocation endpoint (RFC 7009)"),
                key("deviceAuthorization", \.deviceAuthorization, "the device authorization endpoint (RFC 8628)"),
            ])

        private static func key(
            _ name: String, _ member: any WritableKeyPath<Endpoints, String?> & Sendable, _ text: String
        ) -> DeclaredKey<Endpoints> {
            .key(name, member, text).narrowed(by: ProviderContext.baseURLs)
        }

        /// The URLs by their members of the metadata (RFC 8414 §2), in the order of the options.
        var members: [(option: String, member: String, url: String)] {
            let all: [(String, String, String?)] = [
                ("authorization", "authorization_endpoint", authorization), ("token", "token_endpoint", token),
                ("userinfo", "userinfo_endpoint", userinfo), ("jwks", "jwks_uri", jwks),
                ("revocation", "revocation_endpoint", revocation),
                ("deviceAuthorization", "device_authorization_endpoint", deviceAuthorization),
            ]
            return all.compactMap { option, member, url in url.map { (option, member, $0) } }
        }

        /// Checks and declares the URLs.
        ///
        /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration``.
        func check(in context: ProviderContext) throws(ProviderError) {
            for (option, _, url) in members {
                do {
                    try context.checkEndpoint(url)
                } catch {
                    throw ProviderError(.configuration, at: .configure, "options.endpoints.\(option) is no https URL")
                }
            }
        }
    }

    /// The source of the provider's metadata.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` when an endpoint is not allowed, or one
    ///   is missing without discovery.
    static func source(
        of options: Options, _ settings: Settings, in context: ProviderContext
    ) throws(ProviderError) -> OpenIDMetadataSource {
        try options.endpoints.check(in: context)
        let named = options.endpoints.members
        let endpoints = Dictionary(named.map { ($0.member, $0.url) }) { first, _ in first }
        let requiresKeySet = settings.sharedSecret == nil
        guard options.discovery else {
            let needed = ["authorization", "token"] + (requiresKeySet ? ["jwks"] : [])
            let missing = needed.filter { name in !named.contains { $0.option == name } }
            guard missing.isEmpty else {
                throw ProviderError(
                    .configuration, at: .configure,
                    "options.endpoints needs \(missing.joined(separator: ", ")) without discovery")
            }
            return OpenIDMetadataSource(
                withoutDiscovery: options.issuer, endpoints: endpoints, requiresKeySet: requiresKeySet)
        }
        return OpenIDMetadataSource(
            url: settings.tenants?.authority ?? options.issuer, issuer: settings.tenants?.publishedIssuer,
            endpoints: endpoints, requiresKeySet: requiresKeySet)
    }
}

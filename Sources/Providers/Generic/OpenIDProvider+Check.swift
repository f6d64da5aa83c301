public import ProviderKit

extension OpenIDProvider: ConfigurationCheck {
    /// The discovery document, else the key set.
    public var probeURL: String? { source.probeURL }

    /// Loads the metadata and the keys, redeems an invalid code as our client, and asks for the profile of an invalid token.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        let probe = ConfigurationProbe(context)
        let document: OpenIDConfiguration
        do throws(ConfigurationFinding) {
            document = try await probe.metadata(of: source)
        } catch {
            return [error]
        }
        let client = await probe.client(client(at: document), fix: OAuth2Provider.clientFix)
        let keys = settings.sharedSecret == nil ? await probe.keySet(at: document.keySetURL) : nil
        return .distinct(
            keys, client, await userinfoFinding(document, probe), authenticationFinding(document),
            algorithmFinding(document), bindingHint(document))
    }

    private func userinfoFinding(
        _ metadata: OpenIDConfiguration, _ probe: ConfigurationProbe
    ) async -> ConfigurationFinding? {
        guard settings.usesUserinfo ?? true, let url = metadata.userinfoEndpoint else { return nil }
        return await probe.userinfo(UpstreamRequest(.get, url, at: .fetchProfile).bearer("configuration-check"))
    }

    /// A client authentication that the provider does not list. Without a list it is `client_secret_basic` (RFC 8414 §2,
    /// OpenID Connect Discovery §3), but many providers that list none take others, so this is a hint.
    private func authenticationFinding(_ metadata: OpenIDConfiguration) -> ConfigurationFinding? {
        let method = settings.proof.method
        guard let listed = metadata.tokenEndpointAuthMethods else {
            guard method != .none, method != .basic else { return nil }
            return .init(
                code: "auth-method-unlisted",
                text: "the provider lists no client authentication; \(method.rawValue) is used",
                fix:
                    "If the client is refused, set options.tokenEndpointAuthMethod to client_secret_basic, the default.",
                isHint: true)
        }
        guard method != .none, !listed.contains(method.rawValue) else { return nil }
        return .init(
            code: "auth-method-unsupported",
            text: "the provider does not list \(method.rawValue), but \(Self.shown(listed))",
            fix: "Set options.tokenEndpointAuthMethod to a method it lists in its discovery document.")
    }

    private func algorithmFinding(_ metadata: OpenIDConfiguration) -> ConfigurationFinding? {
        let accepted = settings.algorithms.map(\.rawValue)
        guard let listed = metadata.idTokenSigningAlgorithms, !accepted.contains(where: listed.contains) else {
            return nil
        }
        let usable = OpenIDProvider.IDTokenAlgorithm.allCases.map(\.rawValue).filter(listed.contains)
        return .init(
            code: "algorithm-unsupported",
            text: "the provider signs ID tokens with \(Self.shown(listed)), and options.algorithms has "
                + accepted.sorted().joined(separator: ", "),
            fix: usable.first.map {
                #"Set options.algorithms to ["\#($0)"], or have the provider sign with another one."#
            }
                ?? "Have the provider sign with RS256.")
    }

    /// Without PKCE and without a nonce nothing binds a code to the browser that asked for it (RFC 9700 §4.5.3).
    private func bindingHint(_ metadata: OpenIDConfiguration) -> ConfigurationFinding? {
        guard !settings.repeatsNonce, metadata.codeChallengeMethods?.contains("S256") != true else { return nil }
        return .init(
            code: "code-not-bound", text: "options.nonce is false, and the provider lists no PKCE method S256",
            fix: "Set options.nonce to true if its ID tokens repeat the nonce.", isHint: true)
    }

    /// Names of the provider's metadata, bounded and without control characters.
    private static func shown(_ names: [String]) -> String {
        names.prefix(12).map {
            String(decoding: $0.utf8.prefix(40).filter { (0x21...0x7E).contains($0) }, as: UTF8.self)
        }
        .joined(separator: ", ")
    }
}

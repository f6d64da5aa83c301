/// The questions of `broker providers check` that are the same for every provider, for ``ConfigurationCheck``.
///
/// Each question has one finding or none, with a code of its own; a plugin adds what only it knows. The provider's
/// clock needs no question: the broker watches it in every answer.
///
/// ```swift
/// let probe = ConfigurationProbe(context)
/// let document: OpenIDConfiguration
/// do { document = try await probe.discovery(at: instance) } catch { return [error] }
/// return [await probe.keySet(at: document.keySetURL), await probe.client(client(of: document))].compactMap(\.self)
/// ```
public struct ConfigurationProbe: Sendable {
    private let context: ProviderContext

    /// Asks on behalf of one instance.
    public init(_ context: ProviderContext) {
        self.context = context
    }

    /// Whether `url` is answered at all, whatever the status below 500.
    public func reach(_ url: String) async -> ConfigurationFinding? {
        do throws(ProviderError) {
            let response = try await context.upstream.send(UpstreamRequest(.get, url, at: .discover))
            return response.status < 500 ? nil : .providerUnavailable("answered with status \(response.status)", url)
        } catch {
            return .unanswered(error, asking: url)
        }
    }

    /// The discovery document of an OpenID provider (OpenID Connect Discovery §4), loaded now.
    ///
    /// - Parameters:
    ///   - base: The URL below which `/.well-known/openid-configuration` stands.
    ///   - issuer: What the document's `issuer` has to be; `base` when absent.
    /// - Returns: The document: its issuer is the configured one, its endpoints may be asked.
    /// - Throws: ``ConfigurationFinding`` with what is wrong.
    public func discovery(
        at base: String, issuer: String? = nil
    ) async throws(ConfigurationFinding) -> OpenIDConfiguration {
        let url = (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/.well-known/openid-configuration"
        let response: UpstreamResponse
        do {
            response = try await context.upstream.send(UpstreamRequest(.get, url, at: .discover))
        } catch {
            throw .unanswered(error, asking: url)
        }
        guard response.status < 500, response.status != 429 else {
            throw .providerUnavailable("answered with status \(response.status)", url)
        }
        guard response.status == 200,
            let document = try? response.decode(OpenIDConfiguration.self, at: .discover)
        else { throw .discoveryMissing(url, status: response.status) }
        let expected = issuer ?? base
        guard document.issuer.utf8.elementsEqual(expected.utf8) else {
            throw .discoveryIssuerMismatch(expected: expected, named: document.issuer)
        }
        for (name, endpoint) in document.endpoints {
            do {
                try context.checkEndpoint(endpoint)
            } catch {
                throw .discoveryEndpointInsecure(name)
            }
        }
        return document
    }

    /// Whether the key set at `url` is there and can verify a signature.
    public func keySet(at url: String) async -> ConfigurationFinding? {
        do {
            return try await context.tokens.usableKeys(at: url) > 0 ? nil : .keysUnusable(url)
        } catch {
            return error.obstacle == nil ? .keysUnavailable(url, error) : .unanswered(error, asking: url)
        }
    }

    /// Whether the token endpoint knows `client`, asked by redeeming a code that cannot exist.
    ///
    /// - Parameters:
    ///   - client: Our client, as sign-ins use it.
    ///   - redirectURI: A redirect URI registered for it, for providers that look at it before the code.
    ///   - fix: Where the operator finds the client's id and secret.
    /// - Returns: What is wrong; `nil` when the token endpoint speaks of something else than the client.
    public func client(
        _ client: OAuth2Client, redirectURI: String? = nil, fix: String? = nil
    ) async -> ConfigurationFinding? {
        do {
            guard let error = try await client.verdict(redirectURI: redirectURI, over: context.upstream) else {
                return nil
            }
            return .clientRefused("the token endpoint answered: \(error)", fix: fix)
        } catch {
            guard error.fault == .configuration else { return .unanswered(error, asking: client.tokenURL) }
            return .clientRefused(error.reason, fix: fix)
        }
    }
}

extension OAuth2Client {
    /// What the token endpoint says about our client: the error code of a refusal, `nil` when it knows the client.
    ///
    /// An answer that is about the code or the request leaves the client in peace: RFC 6749 §5.2 keeps `invalid_client`
    /// and `unauthorized_client` for the client itself.
    fileprivate func verdict(
        redirectURI: String?, over upstream: any Upstream
    ) async throws(ProviderError) -> String? {
        var form = [(name: "grant_type", value: "authorization_code"), (name: "code", value: "configuration-check")]
        if let redirectURI { form.append(("redirect_uri", redirectURI)) }
        form.append(("code_verifier", String(repeating: "a", count: 43)))
        let response = try await upstream.send(try tokenRequest(form, at: .redeem))
        guard response.status < 500, response.status != 429 else { throw response.refusal(at: .redeem) }
        guard let error = try? response.decode(TokenAnswer.self, at: .redeem).error else {
            return response.status == 401 ? "status 401" : nil
        }
        return ["invalid_client", "unauthorized_client", "incorrect_client_credentials"].contains(error) ? error : nil
    }
}

extension OpenIDConfiguration {
    /// Every URL the document names, with the member it stands in.
    fileprivate var endpoints: [(name: String, url: String)] {
        [
            ("authorization_endpoint", authorizationEndpoint), ("token_endpoint", tokenEndpoint),
            ("jwks_uri", keySetURL), ("userinfo_endpoint", userinfoEndpoint),
            ("revocation_endpoint", revocationEndpoint),
            ("device_authorization_endpoint", deviceAuthorizationEndpoint),
        ].compactMap { name, url in url.map { (name, $0) } }
    }
}

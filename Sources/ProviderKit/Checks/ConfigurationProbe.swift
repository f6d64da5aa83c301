/// The questions of `broker providers check` that are the same for every provider, for ``ConfigurationCheck``.
///
/// Each question has one finding or none, with a code of its own; a plugin adds what only it knows. The provider's
/// clock needs no question: the broker watches it in every answer.
///
/// ```swift
/// let probe = ConfigurationProbe(context)
/// let document: OpenIDConfiguration
/// do { document = try await probe.discovery(at: instance) } catch { return [error] }
/// return .distinct(await probe.keySet(at: document.keySetURL), await probe.client(client(of: document)))
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
        let url = OpenIDDiscovery.documentURL(below: base)
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

    /// Whether the token endpoint knows `client`, asked by redeeming a code that cannot exist. The request carries the
    /// broker's own redirect URI (``ProviderContext/redirectURI``): some providers look at it before the code, and blame
    /// the client for one that is not registered.
    ///
    /// - Parameters:
    ///   - client: Our client, as sign-ins use it.
    ///   - fix: Where the operator finds the client's id and secret.
    /// - Returns: What is wrong; `nil` when the token endpoint speaks of something else than the client.
    public func client(
        _ client: OAuth2Client, fix: String? = nil
    ) async -> ConfigurationFinding? {
        let fix = ConfigurationFinding.clientFix(fix, redirectURI: context.redirectURI)
        do {
            let response = try await context.upstream.send(try client.inventedCode(redirectURI: context.redirectURI))
            guard response.status < 500, response.status != 429 else {
                return .providerUnavailable("answered with status \(response.status)", client.tokenURL)
            }
            let answer = try? response.decode(TokenAnswer.self, at: .redeem)
            if answer?.grant(clientID: client.clientID, now: context.now()) != nil { return .providerAcceptsAnything }
            guard let error = answer?.error else {
                return response.status == 401 ? .clientRefused("the token endpoint answered with 401", fix: fix) : nil
            }
            return client.isRefusal(error) ? .clientRefused("the token endpoint answered: \(error)", fix: fix) : nil
        } catch {
            // Our own half of it: a key that cannot sign, an address that may not be asked.
            guard error.fault == .configuration else { return .unanswered(error, asking: client.tokenURL) }
            return .clientRefused(error.reason, fix: fix)
        }
    }
}

extension OAuth2Client {
    /// A request everybody has to refuse, and only somebody who does not know us on our account.
    fileprivate func inventedCode(redirectURI: String?) throws(ProviderError) -> UpstreamRequest {
        var form = [(name: "grant_type", value: "authorization_code"), (name: "code", value: "configuration-check")]
        if let redirectURI { form.append(("redirect_uri", redirectURI)) }
        form.append(("code_verifier", String(repeating: "configuration-check", count: 3)))
        return try tokenRequest(form, at: .redeem)
    }

    /// Whether an error code is about the client. RFC 6749 §5.2 has two for that, some providers their own.
    fileprivate func isRefusal(_ error: String) -> Bool {
        [
            "invalid_client", "unauthorized_client", "incorrect_client_credentials", "invalid_client_id",
            "invalid_client_secret", "bad_client_secret", "application_suspended",
        ].contains(error)
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

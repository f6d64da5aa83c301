/// The checks of `broker providers check` that are common to all providers, for ``ConfigurationCheck``.
///
/// Each check returns at most one finding, with its own code; a plugin adds its own checks. The provider's clock needs
/// no check here: the broker compares it in every response.
///
/// ```swift
/// let probe = ConfigurationProbe(context)
/// let document: OpenIDConfiguration
/// do { document = try await probe.discovery(at: instance) } catch { return [error] }
/// return .distinct(await probe.keySet(at: document.keySetURL), await probe.client(client(of: document)))
/// ```
public struct ConfigurationProbe: Sendable {
    let context: ProviderContext

    /// Makes the checks of one instance.
    public init(_ context: ProviderContext) {
        self.context = context
    }

    /// Checks that `url` responds with any status below 500.
    public func reach(_ url: String) async -> ConfigurationFinding? {
        do throws(ProviderError) {
            let response = try await context.upstream.send(UpstreamRequest(.get, url, at: .discover))
            return response.status < 500 ? nil : .providerUnavailable("answered with status \(response.status)", url)
        } catch {
            return .unanswered(error, asking: url)
        }
    }

    /// Loads the discovery document of an OpenID provider (OpenID Connect Discovery §4), without a cache.
    ///
    /// - Parameters:
    ///   - base: The base URL of `/.well-known/openid-configuration`.
    ///   - issuer: The expected `issuer` of the document; `base` when absent.
    /// - Returns: The document, with the configured issuer and allowed endpoints.
    /// - Throws: ``ConfigurationFinding``.
    public func discovery(
        at base: String, issuer: String? = nil
    ) async throws(ConfigurationFinding) -> OpenIDConfiguration {
        try await metadata(of: OpenIDMetadataSource(url: base, issuer: issuer))
    }

    /// Loads a provider's metadata, without a cache.
    ///
    /// - Returns: The metadata, with the configured issuer and allowed endpoints.
    /// - Throws: ``ConfigurationFinding``.
    public func metadata(of source: OpenIDMetadataSource) async throws(ConfigurationFinding) -> OpenIDConfiguration {
        var document: JSONValue?
        if let url = source.documentURL { document = try await self.document(at: url) }
        do {
            return try source.metadata(of: document, in: context)
        } catch {
            throw ConfigurationFinding(error, of: source)
        }
    }

    private func document(at url: String) async throws(ConfigurationFinding) -> JSONValue {
        let response: UpstreamResponse
        do {
            response = try await context.upstream.send(UpstreamRequest(.get, url, at: .discover))
        } catch {
            throw .unanswered(error, asking: url)
        }
        guard response.status < 500, response.status != 429 else {
            throw .providerUnavailable("answered with status \(response.status)", url)
        }
        guard response.status == 200, let document = try? response.jsonValue(at: .discover) else {
            throw .discoveryMissing(url, status: response.status)
        }
        return document
    }

    /// Checks that the key set at `url` has a key that can verify a signature.
    public func keySet(at url: String) async -> ConfigurationFinding? {
        do {
            return try await context.tokens.usableKeys(at: url) > 0 ? nil : .keysUnusable(url)
        } catch {
            return error.obstacle == nil ? .keysUnavailable(url, error) : .unanswered(error, asking: url)
        }
    }

    /// Checks that the token endpoint accepts `client`, by redeeming an invalid code. The request contains the broker's
    /// redirect URI (``ProviderContext/redirectURI``): some providers check it before the code, and report an
    /// unregistered one as an error of the client.
    ///
    /// - Parameters:
    ///   - client: Our client, with the settings of sign-ins.
    ///   - fix: Where the operator finds the client's id and secret.
    /// - Returns: The finding; `nil` when the token endpoint's error does not concern the client.
    public func client(
        _ client: OAuth2Client, fix: String? = nil
    ) async -> ConfigurationFinding? {
        let fix = ConfigurationFinding.clientFix(fix, redirectURI: context.redirectURI)
        do {
            let response = try await context.upstream.send(try client.inventedCode(redirectURI: context.redirectURI))
            guard response.status < 500, response.status != 429 else {
                return .providerUnavailable("answered with status \(response.status)", client.tokenURL)
            }
            let answer = try? TokenAnswer(response, in: client.dialect.tokenResponse, at: .redeem)
            if answer?.grant(clientID: client.clientID, now: context.now()) != nil { return .providerAcceptsAnything }
            guard let error = answer?.error else {
                return response.status == 401 ? .clientRefused("the token endpoint answered with 401", fix: fix) : nil
            }
            return client.isRefusal(error) ? .clientRefused("the token endpoint answered: \(error)", fix: fix) : nil
        } catch {
            // A fault on our side: an unusable key, or an address that is not allowed.
            guard error.fault == .configuration else { return .unanswered(error, asking: client.tokenURL) }
            return .clientRefused(error.reason, fix: fix)
        }
    }
}

extension OAuth2Client {
    /// A request that every provider refuses, with a client error only if it refuses our client.
    fileprivate func inventedCode(redirectURI: String?) throws(ProviderError) -> UpstreamRequest {
        var form = [(name: "grant_type", value: "authorization_code"), (name: "code", value: "configuration-check")]
        if let redirectURI { form.append(("redirect_uri", redirectURI)) }
        form.append(("code_verifier", String(repeating: "configuration-check", count: 3)))
        return try tokenRequest(form, at: .redeem)
    }

    /// Whether an error code concerns the client: two codes of RFC 6749 §5.2, and codes of single providers.
    fileprivate func isRefusal(_ error: String) -> Bool {
        [
            "invalid_client", "unauthorized_client", "incorrect_client_credentials", "invalid_client_id",
            "invalid_client_secret", "bad_client_secret", "application_suspended",
        ].contains(error)
    }
}

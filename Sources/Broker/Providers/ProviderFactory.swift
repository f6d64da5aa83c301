package import Foundation
package import ProviderKit

/// Reads `plugins.json` and brings its entries to life with the plugins of this build.
package struct ProviderFactory: Sendable {
    /// The file.
    let path: String
    let plugins: [ProviderPlugin]
    let clients: EgressClients
    /// The files its entries' secrets are in.
    let secretFiles: SecretFiles
    var secrets: SecretSource { secretFiles.source }
    /// The broker's public URL, below which the redirect URIs are.
    let publicURL: String
    let now: @Sendable () -> Date

    /// - Parameters:
    ///   - path: The file; what its entries' secrets name starts from its folder.
    ///   - plugins: The providers of this build.
    ///   - clients: The way out.
    ///   - environment: Where `{"env": …}` secrets are looked up.
    ///   - publicURL: The broker's public URL.
    ///   - now: The clock.
    package init(
        path: String, plugins: [ProviderPlugin], clients: EgressClients, environment: [String: String],
        publicURL: String, now: @escaping @Sendable () -> Date
    ) {
        self.path = path
        self.plugins = plugins
        self.clients = clients
        secretFiles = SecretFiles(configuration: path, environment: environment)
        self.publicURL = publicURL
        self.now = now
    }

    /// Reads the file and the secrets it names.
    ///
    /// - Parameter file: The file as it was read before, and then as it is now.
    /// - Returns: Its entries with their secrets.
    /// - Throws: ``ConfigurationError``.
    func read(_ file: inout PluginsFile?) throws(ConfigurationError) -> [ProviderSource] {
        try FileExposure.requirePrivateWriting(path, named: "the providers' configuration")
        let current = try PluginsFile.load(path: path, plugins: plugins, unlessStill: file)
        file = current
        return current.entries.map { ProviderSource($0, secrets: secrets) }
    }

    /// Makes an instance of an entry that is on.
    func provider(from source: ProviderSource) throws(ConfigurationError) -> ConfiguredProvider {
        let entry = source.entry
        guard let plugin = plugins.first(where: { $0.kind == entry.use }) else {
            throw entry.place.error(at: "/use", "\(entry.use) is no plugin of this build.")
        }
        let gate = UpstreamGate()
        let upstream = HTTPUpstream(
            egress: clients.egress(
                allowsLoopback: entry.allowsInsecureLoopback, privateNetworks: entry.privateNetworks),
            allowsInsecureLoopback: entry.allowsInsecureLoopback, gate: gate,
            metrics: UpstreamMetrics(provider: entry.id), now: now)
        let tokens = ProviderTokens(keySets: ProviderKeySets(now: now), upstream: upstream, now: now)
        let declarations = EntryDeclarations()
        let context = ProviderContext(
            id: entry.id, upstream: upstream, tokens: tokens, now: now,
            allowsInsecureLoopback: entry.allowsInsecureLoopback,
            redirectURI: ConfiguredProvider.callbackURL(of: entry.id, at: publicURL),
            onEndpoint: declarations.add(endpoint:), onReadings: UpstreamObservation.read)
        let provider = try make(entry, plugin, context, declarations)
        try checkEmailTrust(of: entry, provider)
        try check(entry.appRedirects, of: entry, provider)
        gate.setProbeURL(provider.probeURL)
        return ConfiguredProvider(
            id: entry.id, kind: entry.use, trustsEmail: entry.trustEmail ?? Self.trustsEmail(provider),
            mergesAutomatically: entry.autoMerge, provider: provider,
            secretBinding: declarations.binding(of: provider, options: entry.options), allowance: entry.allowance,
            source: source, attempts: CredentialAttempts(now: now), calls: PluginCalls(provider: entry.id))
    }

    /// Unverified addresses count for one organisation only, and only by the decision of the host's operator.
    private func checkEmailTrust(
        of entry: ProviderEntry, _ provider: any IdentityProvider
    ) throws(ConfigurationError) {
        guard let trusting = provider as? any UnverifiedEmailTrust, trusting.trustsUnverifiedEmails else { return }
        func refuse(_ problem: String, fix: String) -> ConfigurationError {
            entry.place.error(at: "/options/trustUnverifiedEmails", problem, fix: fix)
        }
        guard !entry.isStored else {
            throw refuse("is for entries of plugins.json only.", fix: "Write the entry into plugins.json on the host.")
        }
        guard entry.trustEmail == true else {
            throw refuse(#"has no effect without "trustEmail": true."#, fix: "Set trustEmail as well, or remove it.")
        }
        guard trusting.isOfOneTenant else {
            throw refuse(
                "needs an entry for one organisation: other accounts could have any address.",
                fix: "Name its installation, or its id in options.requiredClaims.")
        }
    }

    /// Apps receive answers in the query of a redirect URI of their own, for a client that the plugin knows.
    private func check(
        _ redirects: [AppRedirect], of entry: ProviderEntry, _ provider: any IdentityProvider
    ) throws(ConfigurationError) {
        guard !redirects.isEmpty else { return }
        guard let redirecting = provider as? any RedirectSignIn, provider.accepts.contains(.authorizationCode),
            !redirecting.answersByPost
        else {
            throw entry.place.error(
                at: "/appRedirects", "\(entry.id) sends no authorization response that an app could receive.",
                fix: "Remove the member.")
        }
        for (index, redirect) in redirects.enumerated() {
            guard !BrokerCallback(publicURL).hasSameOrigin(as: redirect.redirectURI) else {
                throw entry.place.error(
                    at: "/appRedirects/\(index)/redirectUri", "is at this broker, and no app's.",
                    fix: "The broker's own redirect URI needs no entry.")
            }
            guard let clientID = redirect.clientID,
                !redirecting.authorizationClientIDs.contains(where: { $0.hasSameBytes(as: clientID) })
            else { continue }
            throw entry.place.error(
                at: "/appRedirects/\(index)/clientId", "is no client of the entry.",
                fix: "It has: \(redirecting.authorizationClientIDs.joined(separator: ", ")).")
        }
    }

    private func make(
        _ entry: ProviderEntry, _ plugin: ProviderPlugin, _ context: ProviderContext, _ declarations: EntryDeclarations
    ) throws(ConfigurationError) -> any IdentityProvider {
        let secrets = (entry.isStored ? .textOnly : secrets).reportingPaths(to: declarations.add(secretAt:))
        do {
            return try plugin.provider(
                options: entry.options, decoder: StrictFile.decoder(secrets: secrets),
                path: entry.place.pointer + "/options", in: context)
        } catch let error as JSONDecodingError {
            throw ConfigurationError(entry.place.source, error)
        } catch let error as ProviderError {
            throw entry.place.error(at: "", error.reason + ".")
        } catch {
            throw entry.place.error(at: "", "the plugin refused its options.")
        }
    }

    /// Only the four public services are known to prove addresses; every other instance needs the operator's word.
    private static func trustsEmail(_ provider: any IdentityProvider) -> Bool {
        ["github", "gitlab", "apple", "1pass"].contains(type(of: provider).kind.rawValue) && provider.isPublicInstance
    }
}

import ProviderKit

/// One call of the broker to a plugin.
enum PluginCall: Sendable, Hashable {
    /// The sign-in at a position of the script.
    case signIn(Int)
    /// The provider's message at a position of the script.
    case receive(Int)
    case authorize, refresh, revoke, revokeTokens, startDevice, pollDevice, checkConfiguration
    /// One side's requests of a migration about the script's user.
    case migrate(MigrationSide)

    /// A scope that the caller adds to those of the plugin.
    static let scopeOfAnApp = "scope-of-an-app"

    /// The plugin calls that an instance and its fixture support.
    static func all(of provider: any IdentityProvider, _ script: ProviderScript) -> [PluginCall] {
        var pluginCalls = script.signIns.indices.map(PluginCall.signIn)
        if provider is any RedirectSignIn { pluginCalls.append(.authorize) }
        if script.grant != nil {
            if provider is any GrantRefresh { pluginCalls.append(.refresh) }
            // Without a response to an unknown grant the fixture's options offer no revocation.
            let isRevocable = !script.unknownGrant.isEmpty
            if isRevocable, provider is any GrantRevocation { pluginCalls.append(.revoke) }
            if isRevocable, provider is any TokenRevocation { pluginCalls.append(.revokeTokens) }
        }
        if script.deviceIdentity != nil, provider is any DeviceSignIn { pluginCalls += [.startDevice, .pollDevice] }
        if let provider = provider as? any ProviderNotifications, provider.acceptsNotifications {
            pluginCalls += script.notifications.indices.map(PluginCall.receive)
        }
        return pluginCalls
    }

    func title(in script: ProviderScript) -> String {
        switch self {
        case .signIn(let position):
            "the sign-in by \(script.signIns.indices.contains(position) ? script.signIns[position].title : "variation")"
        case .receive(let position): "receiving message \(position)"
        case .authorize: "making the authorization URL"
        case .refresh: "refreshing a grant"
        case .revoke: "revoking a grant"
        case .revokeTokens: "revoking the tokens of one sign-in"
        case .startDevice: "starting the device flow"
        case .pollDevice: "polling the device flow"
        case .checkConfiguration: "the configuration check"
        case .migrate(let side): "the migration by the \(side.rawValue)"
        }
    }

    func perform(
        on provider: any IdentityProvider, _ script: ProviderScript
    ) async throws(ProviderError) -> Outcome {
        switch (self, provider, script.grant) {
        case (.signIn(let position), _, _):
            return .identity(try await provider.verify(script.signIns[position].credential))
        case (.receive(let position), let provider as any ProviderNotifications, _):
            return .events(try await provider.verify(script.notifications[position].message).events)
        case (.authorize, let provider as any RedirectSignIn, _):
            return .url(try await provider.authorizationURL(for: .rehearsed))
        case (.refresh, let provider as any GrantRefresh, let grant?):
            return .grant(try await provider.refresh(grant))
        case (.revoke, let provider as any GrantRevocation, let grant?):
            try await provider.revoke(grant)
            return .done
        case (.revokeTokens, let provider as any TokenRevocation, let grant?):
            try await provider.revokeTokens(of: grant)
            return .done
        case (.startDevice, let provider as any DeviceSignIn, _):
            return .device(try await provider.startDeviceAuthorization(scopes: [Self.scopeOfAnApp]))
        case (.pollDevice, let provider as any DeviceSignIn, _):
            let authorization = try await provider.startDeviceAuthorization(scopes: [Self.scopeOfAnApp])
            return .poll(try await provider.pollDeviceAuthorization(authorization.deviceCode))
        case (.checkConfiguration, let provider as any ConfigurationCheck, _):
            return .findings(await provider.checkConfiguration())
        case (.migrate(let side), let provider as any SubjectMigration, _):
            guard let migration = script.migration else { return .done }
            return .migration(try await migration.answer(of: provider, on: side))
        default: return .done
        }
    }
}

/// The result of a successful plugin call.
enum Outcome: Sendable {
    case identity(ExternalIdentity)
    case grant(UpstreamGrant)
    case url(String)
    case device(DeviceAuthorization)
    case poll(DeviceAuthorizationAnswer)
    case findings([ConfigurationFinding])
    case migration(MigrationAnswer<String>)
    case events([ProviderEvent])
    case done

    /// The events of the result, if any.
    var events: [ProviderEvent]? { if case .events(let events) = self { events } else { nil } }

    /// The identity of the result, if any.
    var identity: ExternalIdentity? {
        switch self {
        case .identity(let identity), .poll(.granted(let identity)): identity
        default: nil
        }
    }

    /// The grant of the result, or of its identity, if any.
    var grant: UpstreamGrant? { if case .grant(let grant) = self { grant } else { identity?.grant } }
}

extension SignInAttempt {
    /// The broker's values for an authorization request, the same for every run.
    static let rehearsed = SignInAttempt(
        state: "state-of-this-attempt", redirectURI: "https://broker.example/oauth/callback/provider",
        codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", nonce: "nonce-of-this-attempt")
}

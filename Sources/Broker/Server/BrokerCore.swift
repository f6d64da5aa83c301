package import BrokerStore
package import Foundation
import JOSE
import Logging
package import ProviderKit

/// The table of contents of the service: everything it is made of, made once, here.
package struct BrokerCore: Sendable {
    package let configuration: Configuration
    package let store: Store
    package let providerConfiguration: ProviderConfiguration
    package let settings: LiveProjectSettings
    package let storedConfiguration: StoredConfiguration
    package let manageProviders: ManageProviders
    package let manageSettings: ManageSettings
    package let clients: EgressClients
    package let signingKeys: SigningKeys
    package let tokenRules: TokenRules
    package let sessionRules: SessionRules
    package let tokens: TokenIssuer
    package let openID: OpenIDProvider
    package let masterKey: MasterKey
    package let now: @Sendable () -> Date

    package let verify: VerifyCredential
    package let signIn: SignIn
    let signInAnswer: SignInAnswer
    let signInDevice: SignInDevice
    package let signUpAnonymously: SignUpAnonymously
    package let link: Link
    package let refresh: Refresh
    package let lookup: Lookup
    package let signOut: SignOut
    package let updateAccount: UpdateAccount
    package let unlink: Unlink
    package let deleteAccount: DeleteAccount
    package let withdrawals: Withdrawals
    package let events: Events
    package let revokeGrants: RevokeGrants
    package let refreshGrant: GrantRefresher
    let refreshIdentity: RefreshIdentity
    package let readProviderToken: ReadProviderToken
    package let providerEvents: ProviderEventReceiver
    let revokeProviderToken: RevokeProviderToken
    /// Nil when the configuration turns probes off.
    package let grantProbes: GrantProbes?
    package let signInMethods: SignInMethods
    package let signInWithCustomToken: SignInWithCustomToken
    package let startRedirect: StartRedirect
    package let finishRedirect: FinishRedirect
    package let startAppSignIn: StartAppSignIn
    package let finishAppSignIn: FinishAppSignIn
    package let exchangeCredential: ExchangeCredential
    // What browsers do at the hosted pages.
    package let webSessions: WebSessions
    package let hostedForms: HostedForms
    package let authorizationRequests: AuthorizationRequests
    package let issueAuthorizationCode: IssueAuthorizationCode
    package let pushAuthorizationRequest: PushAuthorizationRequest
    package let linkForClient: LinkForClient
    package let startBrowserSignIn: StartBrowserSignIn
    package let finishBrowserSignIn: FinishBrowserSignIn
    package let endSession: EndSession
    package let signInAttempts: SignInAttempts
    package let devices: DeviceAuthorizations
    package let redeemDeviceCode: RedeemDeviceCode
    package let terminalSignIn: TerminalSignIn

    // What administrators do.
    package let adminCredentials: AdminCredentials
    package let serviceAccounts: ServiceAccounts
    package let disableUser: DisableUser
    package let revokeSessions: RevokeSessions
    package let listSessions: ListSessions
    package let reauthenticate: Reauthenticate
    package let checkProvider: CheckProvider
    package let deviceFlow: DeviceFlowClient
    package let rotateSigningKeys: RotateSigningKeys
    package let rotateMasterKey: RotateMasterKey
    package let inspectToken: InspectToken
    package let inspectClientSecret: InspectClientSecret
    package let explain: Explain
    package let resumeProbes: ResumeProbes
    let recordRefusal: RecordRefusal
    package let mergeAccounts: MergeAccounts
    package let undoMerge: UndoMerge
    package let subjectMigrations: SubjectMigrations
    package let importUsers: ImportUsers
    package let userBatches: UserBatches
    package let verifyAudit: VerifyAudit

    /// Opens the store and creates every part.
    ///
    /// - Parameters:
    ///   - configuration: What the operator decided.
    ///   - plugins: The providers of this build.
    ///   - environment: Where `{"env": …}` secrets are looked up.
    ///   - asksProviders: `false` for work that asks none, which then needs none of their secrets.
    ///   - now: The clock.
    /// - Returns: The core, to be closed by the caller.
    /// - Throws: ``ConfigurationError`` or a store's error; nothing is left open.
    package static func open(
        _ configuration: Configuration, plugins: [ProviderPlugin], environment: [String: String],
        asksProviders: Bool = true, now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> BrokerCore {
        let masterKey = try MasterKey.load(configuration, environment: environment, now: now)
        let clients = EgressClients(privateNetworks: configuration.privateNetworks)
        do {
            let factory = ProviderFactory(
                path: configuration.pluginsPath, plugins: plugins, clients: clients, environment: environment,
                publicURL: configuration.publicURL, now: now)
            let providers =
                asksProviders ? try ProviderConfiguration(factory) : ProviderConfiguration(describing: factory)
            try configuration.makeDataFolder()
            let store = try await Store.open(configuration.database)
            do {
                return try await BrokerCore(configuration, masterKey, store, providers, clients, now)
            } catch {
                await store.close()
                throw error
            }
        } catch {
            await clients.shutdown()
            throw error
        }
    }

    private init(
        _ configuration: Configuration, _ masterKey: MasterKey, _ store: Store, _ providers: ProviderConfiguration,
        _ clients: EgressClients, _ now: @escaping @Sendable () -> Date
    ) async throws {
        try await MasterKeyCheck(store: store)(masterKey)
        try await AuditChain(masterKey).begin(in: store, at: Timestamp(now()))
        try await ProjectCheck(store: store)(configuration.project.id)
        self.configuration = configuration
        self.store = store
        self.masterKey = masterKey
        providerConfiguration = providers
        self.clients = clients
        self.now = now
        let settings = LiveProjectSettings(configuration)
        self.settings = settings
        let codec = StoredProviderCodec(masterKey, plugins: providers.plugins)
        storedConfiguration = StoredConfiguration(
            store: store, codec: codec, providers: providers, settings: settings, now: now)
        manageProviders = ManageProviders(
            store: store, codec: codec, providers: providers, follow: storedConfiguration, now: now)
        manageSettings = ManageSettings(store: store, settings: settings, follow: storedConfiguration, now: now)
        try await storedConfiguration.reload()
        tokenRules = TokenRules(configuration)
        let rules = SessionRules(configuration)
        sessionRules = rules
        signingKeys = try await SigningKeys.open(
            .identityToolkit, in: store, masterKey: masterKey, commonName: configuration.project.id, now: now)
        openID = OpenIDProvider(
            issuer: configuration.publicURL, store: store, masterKey: masterKey,
            signingKeys: try await SigningKeys.open(
                .oidc, in: store, masterKey: masterKey, commonName: configuration.project.id, now: now),
            rules: rules, now: now)
        try await openID.clients.origins.reload()
        tokens = TokenIssuer(
            rules: tokenRules, keys: signingKeys, refreshTokens: RefreshTokenCodec(masterKey))

        let policy = configuration.policy
        try policy.checkStepUp()
        let pendingTokens = PendingTokens(store: store, masterKey: masterKey)
        verify = VerifyCredential(
            providers: providers, profiles: FirstTimeProfiles(store: store, now: now),
            pendingTokens: pendingTokens, publicURL: configuration.publicURL, now: now)
        let writer = IdentityWriter(
            vault: GrantVault(masterKey), rules: rules, autoLinkProfile: policy.autoLinkProfile)
        let mergeUsers = MergeUsers(
            snapshots: MergeSnapshots(vault: writer.vault, masterKey: masterKey), rules: rules)
        let verifier = IDTokenVerifier(rules: tokenRules, keys: signingKeys, store: store)
        signIn = SignIn(
            store: store, writer: writer, mergeUsers: mergeUsers, policy: policy, settings: settings, now: now)
        signInAnswer = SignInAnswer(
            tokens: tokens, providerTokens: policy.providerTokens, pendingTokens: pendingTokens, now: now)
        signInDevice = SignInDevice(verify: verify, signIn: signIn, store: store, masterKey: masterKey, now: now)
        signUpAnonymously = SignUpAnonymously(
            settings: settings, store: store, tokens: tokens, now: now)
        link = Link(
            verify: verify, verifier: verifier, recentLogin: RecentLogin(policy: policy), store: store, writer: writer,
            policy: policy, now: now)
        refresh = Refresh(
            tokens: tokens,
            rotation: SessionRotation(store: store, refreshTokens: rules.refreshTokens), store: store, now: now)
        lookup = Lookup(verifier: verifier, policy: policy, now: now)
        signOut = SignOut(verifier: verifier, store: store, now: now)
        providerEvents = ProviderEventReceiver(store: store, policy: policy, mergeUsers: mergeUsers, now: now)
        grantProbes = configuration.grantProbes.map { rules in
            GrantProbes(store: store, vault: GrantVault(masterKey), providers: providers, rules: rules, now: now)
        }
        withdrawals = Withdrawals(store: store, masterKey: masterKey, providers: providers, now: now)
        let sender = EventSender(
            clients: clients, allowsInsecureLoopback: configuration.allowsInsecureLoopbackDeliveries)
        events = Events(
            store: store,
            webhooks: Webhooks(
                store: store, masterKey: masterKey, sender: sender,
                allowsInsecureLoopback: configuration.allowsInsecureLoopbackDeliveries, now: now),
            logoutTokens: LogoutTokens(issuer: configuration.publicURL, keys: openID.signingKeys), sender: sender,
            now: now)
        refreshGrant = GrantRefresher(
            store: store, vault: GrantVault(masterKey), withdrawals: withdrawals, now: now)
        refreshIdentity = RefreshIdentity(
            store: store, refresher: refreshGrant, providers: providers, writer: writer, mergeUsers: mergeUsers,
            now: now)
        readProviderToken = ReadProviderToken(
            store: store, providers: providers, refresher: refreshGrant, now: now)
        updateAccount = UpdateAccount(
            verifier: verifier, policy: policy, store: store, tokens: tokens, withdrawals: withdrawals,
            providers: providers, now: now)
        revokeGrants = RevokeGrants(store: store, withdrawals: withdrawals, now: now)
        unlink = Unlink(policy: policy, store: store, withdrawals: withdrawals, now: now)
        let exchangeCode = ExchangeProviderCode(providers: providers)
        deleteAccount = DeleteAccount(
            verifier: verifier, policy: policy, settings: settings, store: store, withdrawals: withdrawals,
            exchange: exchangeCode, now: now)
        revokeProviderToken = RevokeProviderToken(
            verifier: verifier, store: store, withdrawals: withdrawals, exchange: exchangeCode, now: now)
        signInMethods = SignInMethods(settings: settings, store: store)
        serviceAccounts = ServiceAccounts(
            store: store, accessTokens: ServiceAccountTokens(masterKey), configured: configuration.serviceAccounts,
            projectID: configuration.project.id, publicURL: configuration.publicURL, now: now)
        signInWithCustomToken = SignInWithCustomToken(
            verifier: CustomTokenVerifier(accounts: serviceAccounts), store: store, tokens: tokens, rules: rules,
            now: now)
        let limiter = OpenRowLimiter(store: store, masterKey: masterKey, limits: configuration.limits)
        let attempts = SignInAttempts(store: store, masterKey: masterKey, limiter: limiter)
        startRedirect = StartRedirect(attempts: attempts, providers: providers, now: now)
        finishRedirect = FinishRedirect(attempts: attempts, verify: verify, now: now)
        startAppSignIn = StartAppSignIn(start: startRedirect, verifier: verifier)
        finishAppSignIn = FinishAppSignIn(finish: finishRedirect, verifier: verifier)
        exchangeCredential = ExchangeCredential(
            finish: finishAppSignIn, pendingTokens: pendingTokens, now: now)
        signInAttempts = attempts
        webSessions = WebSessions(masterKey, store: store)
        hostedForms = HostedForms(masterKey)
        startBrowserSignIn = StartBrowserSignIn(start: startRedirect, publicURL: configuration.publicURL)
        finishBrowserSignIn = FinishBrowserSignIn(finish: finishRedirect, signIn: signIn, pendingTokens: pendingTokens)
        let requests = AuthorizationRequests(
            openID: openID, attempts: attempts, stepUp: policy.stepUp, now: now)
        authorizationRequests = requests
        issueAuthorizationCode = IssueAuthorizationCode(requests: requests, store: store)
        pushAuthorizationRequest = PushAuthorizationRequest(
            requests: requests, attempts: attempts, recentLogin: RecentLogin(policy: policy))
        linkForClient = LinkForClient(requests: requests, attempts: attempts, link: link)
        endSession = EndSession(openID: openID, store: store, now: now)
        devices = DeviceAuthorizations(store: store, masterKey: masterKey, limiter: limiter, now: now)
        redeemDeviceCode = RedeemDeviceCode(store: store, rules: rules, now: now)
        terminalSignIn = TerminalSignIn(
            devices: devices, providers: providers, publicURL: configuration.publicURL, masterKey: masterKey)
        adminCredentials = AdminCredentials(store: store, now: now)
        disableUser = DisableUser(store: store, now: now)
        revokeSessions = RevokeSessions(store: store, now: now)
        listSessions = ListSessions(store: store, rules: rules, now: now)
        reauthenticate = Reauthenticate(store: store, now: now)
        checkProvider = CheckProvider()
        deviceFlow = DeviceFlowClient(verify: verify, now: now, sleep: { try await Task.sleep(for: $0) })
        rotateSigningKeys = RotateSigningKeys(
            families: [signingKeys, openID.signingKeys], store: store, now: now)
        rotateMasterKey = RotateMasterKey(
            store: store, masterKey: masterKey, rotateSigningKeys: rotateSigningKeys, now: now)
        inspectToken = InspectToken(verifier: verifier, openID: openID.verifier, rules: rules, now: now)
        inspectClientSecret = InspectClientSecret(now: now)
        explain = Explain(store: store)
        resumeProbes = ResumeProbes(store: store, now: now)
        recordRefusal = RecordRefusal(store: store, now: now)
        mergeAccounts = MergeAccounts(store: store, mergeUsers: mergeUsers, now: now)
        undoMerge = UndoMerge(store: store, snapshots: mergeUsers.snapshots, now: now)
        subjectMigrations = SubjectMigrations(store: store, now: now)
        importUsers = ImportUsers(store: store, providers: providers, withdrawals: withdrawals, now: now)
        userBatches = UserBatches(
            store: store, withdrawals: withdrawals, find: FindUsers(store: store, providers: providers), now: now)
        verifyAudit = VerifyAudit(store: store, masterKey: masterKey)
    }

    /// The watch that follows rotations of the master key in a running broker.
    package var masterKeyWatch: MasterKeyWatch { MasterKeyWatch(store: store, masterKey: masterKey, now: now) }

    var authorizedDomains: AuthorizedDomains { AuthorizedDomains(settings, publicURL: configuration.publicURL) }

    /// The check of callers at the HTTP API.
    var callers: CallerCheck {
        CallerCheck(
            apiKeys: configuration.apiKeys, adminCredentials: adminCredentials, serviceAccounts: serviceAccounts,
            projectID: configuration.project.id)
    }

    /// The providers as they are this moment.
    package var providers: ProviderDirectory { providerConfiguration.current }

    /// Closes everything that was opened. The core must not be used afterwards.
    package func close() async {
        await clients.shutdown()
        await store.close()
    }

    /// The creation of users, for administrators.
    package var createUser: CreateUser { CreateUser(store: store, now: now) }

    /// The search for users, for administrators.
    package var findUsers: FindUsers { FindUsers(store: store, providers: providerConfiguration) }

    /// The methods of Identity Toolkit that read and change users: an app's own one, and any for backends.
    func addUserRoutes(to routes: Routes) {
        UserRoutes(
            callers: callers, signUpAnonymously: signUpAnonymously, create: createUser, lookup: lookup, find: findUsers
        ).add(to: routes)
        UpdateRoutes(callers: callers, lookup: lookup, update: updateAccount, delete: deleteAccount).add(to: routes)
        BatchRoutes(
            callers: callers, batches: userBatches, importUsers: importUsers, now: now
        ).add(to: routes)
        SessionCookieRoutes(callers: callers, cookies: sessionCookies).add(to: routes)
    }

    /// The creation of session cookies, for backends.
    package var sessionCookies: SessionCookies {
        SessionCookies(verifier: lookup.verifier, tokens: tokens, store: store, now: now)
    }

    /// Tokens of OAuth clients for what native apps have.
    var tokenExchange: TokenExchangeGrant {
        TokenExchangeGrant(
            verifier: openID.verifier, verify: verify, signIn: signIn, link: link,
            signUpAnonymously: signUpAnonymously, policy: configuration.policy, tokens: openID.tokens, now: now)
    }

    /// The user's own account, for OAuth clients.
    func addAccountRoutes(to routes: Routes) {
        let callers = AccountCallers(
            verifier: openID.verifier, clients: openID.clients, policy: configuration.policy, now: now)
        OwnAccountRoutes(callers: callers, update: updateAccount, delete: deleteAccount).add(to: routes)
        OwnProviderRoutes(callers: callers, update: updateAccount, read: readProviderToken).add(to: routes)
        OwnSessionRoutes(callers: callers, list: listSessions, signOut: signOut).add(to: routes)
    }

    /// The introspection endpoint. To be called before the discovery document is made.
    func addIntrospection(to routes: Routes) {
        let verifier = lookup.verifier
        IntrospectionRoutes(
            requests: OAuthRequests(authenticate: openID.authenticate), introspectOwn: openID.introspect,
            introspectSent: IntrospectUserToken(
                accessTokens: openID.introspect, idTokens: verifier, sessionCookies: verifier.forSessionCookies,
                now: now),
            callers: callers
        ).add(to: routes)
    }

    /// The flows of administrative operations.
    package var administration: AdminFlows {
        AdminFlows(
            configuration: configuration, store: store, now: now, explain: explain, createUser: createUser,
            findUsers: findUsers, updateAccount: updateAccount, disableUser: disableUser,
            deleteAccount: deleteAccount, unlink: unlink, listSessions: listSessions, revokeSessions: revokeSessions,
            withdrawals: withdrawals, revokeGrants: revokeGrants, mergeAccounts: mergeAccounts, undoMerge: undoMerge,
            clients: openID.clients, adminCredentials: adminCredentials, serviceAccounts: serviceAccounts,
            signingKeys: [signingKeys, openID.signingKeys], rotateSigningKeys: rotateSigningKeys,
            inspectToken: inspectToken, providers: providerConfiguration, manageProviders: manageProviders,
            checkProvider: checkProvider,
            resumeProbes: resumeProbes, events: events, importUsers: importUsers, userBatches: userBatches,
            verifyAudit: verifyAudit)
    }
}

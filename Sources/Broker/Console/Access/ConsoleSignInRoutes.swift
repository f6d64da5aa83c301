import BrokerStore
import HTTPTypes
import Hummingbird
import OAuth
import ProviderKit

/// The sign-in to the console: at a provider, by the redirect that the hosted pages have. It begins a session of the
/// console and none of a user.
struct ConsoleSignInRoutes: Sendable {
    let access: ConsoleAccess

    func add(to routes: ConsoleRoutes) {
        routes.open(.get, ConsolePaths.signIn, signIn)
        routes.open(.get, ConsolePaths.redirect, redirect)
        routes.open(.get, ConsolePaths.invitation("{secret}"), invitation)
        routes.open(.get, ConsolePaths.callback(of: "{provider}"), callback)
        routes.get(ConsolePaths.resume, resume)
        routes.post(ConsolePaths.signOut, requiresRecentLogin: false, signOut)
    }

    /// The parameters of ``ConsolePaths/redirect``.
    private enum Parameter {
        static let provider = "provider"
        static let next = "next"
        static let invitation = "invitation"
        /// Asks for a new login of the session's administrator.
        static let again = "again"
        /// A form that waits for it.
        static let form = "form"
    }

    /// The address of the sign-in that a request without a session is led to.
    static func signIn(before request: Request) -> String {
        let target = request.head.path ?? ConsolePaths.home
        // A form's path has no page.
        guard request.method == .get, ConsolePaths.next(target) != ConsolePaths.home else { return ConsolePaths.signIn }
        return ConsolePaths.signIn + "?" + FormEncoding.encode([(Parameter.next, target)])
    }

    @Sendable
    private func signIn(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let next = ConsolePaths.next(try QueryParameters(queryOf: request)[Parameter.next])
        guard try await access.session(of: request, at: access.now) == nil else { return access.redirect(to: next) }
        try RequestAdmission.current?.countUnproven()
        let ids = try await access.administrators.providers()
        guard !ids.isEmpty else { throw ConsoleRefusal.notFound }
        let page = ChooserPage(
            providers: buttons(access.pages.providers.current.withPage.filter { ids.contains(ExactName($0.id)) }) {
                [(Parameter.provider, $0), (Parameter.next, next)]
            },
            words: .init(
                title: "Sign in to the console",
                explanation: "Use the account with which you are an administrator of \(access.pages.siteName)."))
        return access.plainPage(page)
    }

    @Sendable
    private func invitation(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        try RequestAdmission.current?.countUnproven()
        let secret = context.parameters["secret"] ?? ""
        let role = try await invitation(secret).content.role
        let page = ChooserPage(
            providers: buttons(access.pages.providers.current.withPage) {
                [(Parameter.provider, $0), (Parameter.invitation, secret)]
            },
            words: .init(
                title: "You are invited to the console",
                explanation: "The account with which you sign in becomes \(role.article) of \(access.pages.siteName)."))
        return access.plainPage(page)
    }

    private func invitation(_ secret: String) async throws -> Invitation {
        try await usable { try await access.redirects.consoleInvitation(secret) }
    }

    /// An invitation with the hash of its secret.
    private typealias Invitation = (hash: [UInt8], content: ConsoleInvitation)

    private func usable(_ find: () async throws -> Invitation) async throws -> Invitation {
        do {
            return try await find()
        } catch BrokerError.signInAttemptUnknown {
            throw ConsoleRefusal.invitationUsed
        }
    }

    private func buttons(
        _ providers: [ConfiguredProvider], _ parameters: (String) -> [(name: String, value: String)]
    ) -> [ProviderButton] {
        providers.map { provider in
            ProviderButton(
                provider, href: ConsolePaths.redirect + "?" + FormEncoding.encode(parameters(provider.id)))
        }
    }

    /// Redirects the browser to a provider.
    @Sendable
    private func redirect(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let query = try QueryParameters(queryOf: request)
        let identity = try await access.session(of: request, at: access.now)
        if identity == nil { try RequestAdmission.current?.countUnproven() }
        var redirect = ConsoleRedirect(next: ConsolePaths.next(query[Parameter.next]))
        var provider = query[Parameter.provider]
        if query[Parameter.again] != nil {
            guard let identity else { return access.redirect(to: ConsolePaths.signIn) }
            provider = identity.row.provider
            redirect.administrator = identity.row.id
            redirect.form = access.keptForm(query[Parameter.form], identity)
        } else if let secret = query[Parameter.invitation] {
            redirect.invitation = try await invitation(secret).hash
        } else if let provider, try await !access.administrators.providers().contains(ExactName(provider)) {
            throw ConsoleRefusal.notFound
        }
        guard let provider else { throw ConsoleRefusal.notFound }
        let started = try await access.redirects.startConsoleSignIn(redirect, at: provider)
        // Longer than the attempt, so that a late answer is known to be of this browser.
        let cookie = SetCookie(
            access.cookieName(Self.flowCookie(started.cookieName)), to: started.cookieValue,
            maxAge: Int(HostedForms.lifetime.components.seconds))
        return access.redirect(to: started.authorizationURL, setting: [cookie])
    }

    private static func flowCookie(_ name: String) -> String { "console-" + name }

    /// Takes a provider's answer, which the broker's callback has handed over.
    @Sendable
    private func callback(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        try RequestAdmission.current?.countUnproven()
        do {
            return try await finish(request, context)
        } catch let error where Self.isOfNoAttempt(error) {
            // The first administrator's sign-in is an attempt that is known.
            guard try await !access.administrators.providers().isEmpty else { throw ConsoleRefusal.notFound }
            throw error
        }
    }

    private static func isOfNoAttempt(_ error: any Error) -> Bool {
        if case BrokerError.signInAttemptUnknown = error { return true }
        return error is ParameterError
    }

    private func finish(_ request: Request, _ context: BrokerRequestContext) async throws -> Response {
        let provider = context.parameters[PathParameter.provider.name] ?? ""
        let (response, cookies) = (try await response(to: request, from: provider), try RequestCookies(request))
        let flow = access.cookieName(
            Self.flowCookie(StartedBrowserSignIn.cookieName(stateHash: RandomText.hash(of: response.state))))
        let finished = try await access.redirects.finishConsoleSignIn(response, by: provider) { _ in
            (try? cookies.value(of: flow)) ?? nil
        }
        // The session stays that asks for a new login.
        if finished.redirect.administrator != nil, !RecentLogin.isRecent(finished.subject.authTime, at: access.now) {
            throw ConsoleRefusal.loginNotRecent
        }
        let cookie = access.sessions.newCookie()
        let identity = try await begin(
            finished, cookie, replacing: access.sessions.hash(of: try cookies.value(of: access.sessionCookie)), context)
        return access.redirect(
            to: try next(finished.redirect, identity),
            setting: [SetCookie(access.sessionCookie, to: cookie, maxAge: nil), .removing(flow)])
    }

    /// A provider that posts its answer has posted it to the broker, which keeps it for the browser.
    private func response(to request: Request, from provider: String) async throws -> AuthorizationResponse {
        let query = try QueryParameters(queryOf: request)
        let entry = access.pages.providers.current.provider(provider)?.provider as? any RedirectSignIn
        guard let entry else { throw BrokerError.signInAttemptUnknown }
        RequestAdmission.note(provider: provider)
        guard entry.answersByPost else { return try AuthorizationResponse(query.all) }
        guard let handle = query["h"] else { throw BrokerError.signInAttemptUnknown }
        let form = try await access.redirects.attempts.response(under: handle, from: provider, at: access.now)
        return try AuthorizationResponse(try QueryParameters(encoded: form).all)
    }

    /// Begins the session of a verified subject.
    private func begin(
        _ finished: FinishedConsoleRedirect, _ cookie: String, replacing previous: [UInt8]?,
        _ context: BrokerRequestContext
    ) async throws -> ConsoleIdentity {
        let redirect = finished.redirect
        let origin = Origin(.admin, actor: "console", requestID: context.requestID, device: context.device)
        let outcome = try await access.administrators.signIn(
            finished.subject, only: redirect.administrator, invitation: try await invitation(of: redirect),
            tokenHash: RandomText.hash(of: cookie), replacing: previous, origin: origin)
        switch outcome {
        case .refused: throw ConsoleRefusal.notAdministrator
        case .invitationUsed: throw ConsoleRefusal.invitationUsed
        case .other: throw ConsoleRefusal.otherAdministrator
        case .hasRole: throw ConsoleRefusal.hasRole
        case .signedIn(let session, let administrator, let role):
            return ConsoleIdentity(session: session, row: administrator, role: role)
        }
    }

    private func invitation(of redirect: ConsoleRedirect) async throws -> Invitation? {
        guard let hash = redirect.invitation else { return nil }
        return try await usable { try await access.redirects.consoleInvitation(hash: hash) }
    }

    /// The address that follows a sign-in.
    private func next(_ redirect: ConsoleRedirect, _ identity: ConsoleIdentity) throws -> String {
        guard redirect.administrator != nil else { return redirect.next }
        guard RecentLogin.isRecent(identity.session.authTime, at: access.now) else {
            throw ConsoleRefusal.loginNotRecent
        }
        guard let form = redirect.form else { return redirect.next }
        let kept = try access.sealed(form, identity)
        return ConsolePaths.resume + "?" + FormEncoding.encode([(Parameter.form, kept)])
    }

    /// Shows the form that waited for a login, to be sent.
    @Sendable
    private func resume(_ visit: ConsoleVisit) async throws -> Response {
        guard
            let kept = access.keptForm(visit.query[Parameter.form], visit.identity)
        else { throw ConsoleRefusal.formInvalid }
        let fields = kept.fields.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        let page = ConsoleResumePage(
            form: try visit.form(kept.path, fields), operation: OperationRoutes.heading(at: kept.path),
            reason: kept.fields[ConsoleVisit.reasonField])
        return access.plainPage(page)
    }

    @Sendable
    private func signOut(_ visit: ConsoleVisit) async throws -> Response {
        try await access.sessions.end(visit.identity.session, origin: visit.origin)
        return access.redirect(to: ConsolePaths.signIn, setting: [.removing(access.sessionCookie)])
    }
}

extension ConsoleAccess {
    /// The page that asks for a new login, for a change.
    ///
    /// - Parameter kept: The form that waits, sealed; nil for one that is too long to be kept.
    /// - Returns: The page.
    func loginAgain(kept: String?) -> Response {
        plainPage(ConsoleLoginPage(kept: kept, href: ConsoleSignInRoutes.again(kept: kept)), status: .forbidden)
    }
}

extension ConsoleSignInRoutes {
    fileprivate static func again(kept: String?) -> String {
        let form = kept.map { [(name: Parameter.form, value: $0)] } ?? []
        return ConsolePaths.redirect + "?" + FormEncoding.encode([(name: Parameter.again, value: "1")] + form)
    }
}

extension ConsoleRole {
    /// With its article.
    fileprivate var article: String {
        switch self {
        case .viewer: "a viewer"
        case .operator: "an operator"
        case .owner: "an owner"
        }
    }
}

/// Asks for a new login before a change.
private struct ConsoleLoginPage: HostedPage {
    let kept: String?
    let href: String

    func content(in language: PageLanguage) -> PageContent {
        StatementView(
            symbol: .question, heading: "Sign in again first",
            paragraphs: [
                "Changes need a login of the last five minutes. Nothing was done yet.",
                kept == nil
                    ? "The form is too long to be kept: fill it in again afterwards."
                    : "What you filled in is kept until you are back.",
            ],
            links: [
                LinkView(href, "Sign in again", style: "primary"),
                LinkView(ConsolePaths.home, "Back to the console", style: "quiet"),
            ]
        ).page()
    }
}

/// Shows that a form can be sent now.
private struct ConsoleResumePage: HostedPage {
    let form: HiddenForm
    /// What the form does; nil where it is no operation's.
    let operation: String?
    let reason: String?

    func content(in language: PageLanguage) -> PageContent {
        let facts = [("You had begun", operation), ("Reason", reason)]
        return StatementView(
            symbol: .done, heading: "You signed in again",
            paragraphs: ["Continue with what you had begun. Nothing was done yet."],
            facts: facts.compactMap { label, value in value.map { .init(label: label, value: $0) } },
            form: FormView(
                form, [.init("Continue", .primary)], leave: LinkView(ConsolePaths.home, "Back to the console"))
        ).page()
    }
}

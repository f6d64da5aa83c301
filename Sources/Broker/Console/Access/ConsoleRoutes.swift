import BrokerStore
import HTTPTypes
import Hummingbird
import ProviderKit

/// Routes of the console for administrators who are signed in: the only way to add one.
///
/// A request without a session leads to the sign-in. A form is taken from the console's own pages only, with the token of
/// the session and the path; without a recent login it waits for one.
struct ConsoleRoutes {
    typealias Handler = @Sendable (ConsoleVisit) async throws -> Response

    let routes: Routes
    let access: ConsoleAccess

    /// A page.
    func get(_ path: String, _ handler: @escaping Handler) {
        on(.get, path) { visit, _ in try await handler(visit) }
    }

    /// A form.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - requiresRecentLogin: Whether the administrator must have logged in a short time ago, as for every change.
    ///   - handler: Answers it.
    func post(_ path: String, requiresRecentLogin: Bool = true, _ handler: @escaping Handler) {
        on(.post, path) { visit, request in
            let visit = try await visit.sending(request)
            guard visit.isLoginRecent || !requiresRecentLogin else { return try visit.loginAgain() }
            return try await handler(visit)
        }
    }

    private func on(
        _ method: HTTPRequest.Method, _ path: String,
        _ handler: @escaping @Sendable (ConsoleVisit, Request) async throws -> Response
    ) {
        open(method, path) { [access] request, context in
            let now = access.now
            guard let identity = try await access.session(of: request, at: now) else {
                try RequestAdmission.current?.countUnproven()
                guard try await !access.administrators.providers().isEmpty else { throw ConsoleRefusal.notFound }
                return access.redirect(to: ConsoleSignInRoutes.signIn(before: request))
            }
            let target = request.head.path ?? ConsolePaths.home
            let visit = ConsoleVisit(
                access: access, identity: identity, context: context, path: ConsolePaths.path(of: target),
                target: target, query: try QueryParameters(queryOf: request), form: nil,
                isLoginRecent: RecentLogin.isRecent(identity.session.authTime, at: now))
            return try await handler(visit, request)
        }
    }

    /// A route for those who are not signed in too.
    func open(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Routes.Handler) {
        routes.on(method, path, pages: .none, counting: .byProof, takesLong: true) { [access] request, context in
            // A prefetch would consume what the click needs.
            guard !request.isPrefetch else {
                return Response(status: .serviceUnavailable, headers: [.cacheControl: "no-store"])
            }
            RequestAdmission.noteConsole()
            do {
                return try await handler(request, context)
            } catch {
                let error = RequestAdmission.judge(error)
                guard let problem = ConsoleProblem(error) else { throw error }
                if let error = error as? BrokerError { RequestAdmission.note(error) }
                return access.page(telling: problem, requestID: context.requestID)
            }
        }
    }
}

extension ConsoleVisit {
    /// The same visit with the form that it sent.
    ///
    /// - Throws: ``ForeignRequest``, ``ParameterError``, ``ConsoleRefusal/formInvalid``.
    fileprivate func sending(_ request: Request) async throws -> ConsoleVisit {
        try access.requireOwnOrigin(request)
        let form = try await FormBody(of: request, withLines: true).parameters
        let token = access.token(form[Self.tokenField], identity)
        guard token?.path.hasSameBytes(as: path) == true else { throw ConsoleRefusal.formInvalid }
        return ConsoleVisit(
            access: access, identity: identity, context: context, path: path, target: target, query: query, form: form,
            isLoginRecent: isLoginRecent)
    }

    /// Asks for a login before the form is taken, which is kept meanwhile unless it is too long for an address.
    fileprivate func loginAgain() throws -> Response {
        var fields = form?.byName ?? [:]
        fields[Self.tokenField] = nil
        let kept = try access.sealed(ConsoleRedirect.KeptForm(path: path, fields: fields), identity)
        return access.loginAgain(kept: kept.utf8.count <= ConsolePaths.longestForm ? kept : nil)
    }
}

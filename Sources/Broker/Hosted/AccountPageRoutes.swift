import BrokerStore
import Hummingbird
import ProviderKit

/// The account page, and the addresses of its forms.
struct AccountPageRoutes: Sendable {
    let pages: HostedPages

    func add(to routes: HostedRoutes) {
        routes.on(.get, "/account", show)
        routes.on(.post, "/account/link", link)
        routes.on(.post, "/account/unlink", unlink)
        routes.on(.post, "/account/session", endSession)
        routes.on(.post, "/account/sign-out", signOut)
        routes.on(.post, "/account/sign-out-everywhere", signOutEverywhere)
        routes.on(.post, "/account/delete", delete)
    }

    // The contents of the forms.
    struct ProviderForm: Codable {
        let provider: String
        let sessionID: String
        var isConfirmed = false
    }
    struct SessionForm: Codable {
        let sessionID: String
        /// Other sessions of the same user.
        var others: [String]?
        var isConfirmed = false
    }

    @Sendable
    func show(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let visit = try await pages.visit(request, context)
        guard let session = visit.session else { return pages.redirect(visit, to: "/sign-in") }
        let query = try QueryParameters(queryOf: request)
        let page = try await pages.account.page(of: session, visit, notice: notice(query, visit))
        return pages.page(page, to: visit)
    }

    @Sendable
    func link(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let (visit, session, interaction, _) = try await pages.posted(
            request, context, Interaction.self, for: .link, \.sessionID)
        let result: StepResult
        do {
            guard let token = interaction.pendingToken else { throw BrokerError.signInAttemptUnknown }
            result = .linked(try await pages.account.link(pendingToken: token, in: session, visit.origin))
        } catch BrokerError.recentLoginRequired, BrokerError.stepUpRequired {
            result = .loginTooOld(session)
        } catch let error as BrokerError {
            result = .linkRefused(error)
        }
        return try await pages.dispatcher.proceed(result, of: interaction, visit)
    }

    @Sendable
    func unlink(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let (visit, session, form, _) = try await pages.posted(
            request, context, ProviderForm.self, for: .unlink, \.sessionID)
        guard isRecent(session, for: .unlink) else { return try await pages.loginAgain(session, visit) }
        guard form.isConfirmed else {
            return try ask(.unlink(provider: form.provider), session, visit)
        }
        let receipts: [WithdrawalReceipt]
        do {
            receipts = try await pages.account.unlink(form.provider, in: session, visit.origin)
        } catch BrokerError.recentLoginRequired, BrokerError.stepUpRequired {
            return try await pages.loginAgain(session, visit)
        } catch BrokerError.lastSignInMethod {
            return pages.problem(.lastWayIn, to: visit, exit: .account(href: "/account"))
        }
        var query: [(name: String, value: String)] = [("done", "unlinked"), ("provider", form.provider)]
        if let receipt = receipts.first {
            query.append(("receipt", try pages.sealed(.receipt, pages.part(receipt), visit)))
        }
        return pages.redirect(visit, to: "/account?\(FormEncoding.encode(query))")
    }

    @Sendable
    func endSession(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let (visit, session, form, _) = try await pages.posted(
            request, context, SessionForm.self, for: .endSession, \.sessionID)
        guard let others = form.others else { throw BrokerError.signInAttemptUnknown }
        try await pages.account.signOut(session, .others(ids: others), visit.origin)
        return pages.redirect(visit, to: "/account?done=session-ended")
    }

    @Sendable
    func signOut(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let (visit, session, _, _) = try await pages.posted(
            request, context, SessionForm.self, for: .signOut, \.sessionID)
        try await pages.account.signOut(session, .session, visit.origin)
        return try pages.signedOut(visit)
    }

    @Sendable
    func signOutEverywhere(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let (visit, session, form, _) = try await pages.posted(
            request, context, SessionForm.self, for: .signOutEverywhere, \.sessionID)
        guard form.isConfirmed else {
            return try ask(.signOutEverywhere, session, visit)
        }
        try await pages.account.signOut(session, .all, visit.origin)
        return try pages.signedOut(visit)
    }

    @Sendable
    func delete(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let (visit, session, form, fields) = try await pages.posted(
            request, context, SessionForm.self, for: .delete, \.sessionID)
        guard isRecent(session, for: .delete) else { return try await pages.loginAgain(session, visit) }
        guard form.isConfirmed else { return try ask(.delete, session, visit) }
        guard fields[ConfirmPage.consentField] == "yes" else { throw BrokerError.signInAttemptUnknown }
        let withdrawals: [WithdrawalPart]
        do {
            withdrawals = try await pages.account.delete(session, visit.origin).map(pages.part)
        } catch BrokerError.providerCodeRequired(let provider) {
            return try await login(with: provider, session, visit)
        }
        return try pages.signedOut(visit, to: .deleted(withdrawals, account: session.user.accountLabel))
    }

    /// Has the user log in with a provider, whose code then brings the grant that the deletion revokes.
    private func login(with provider: String, _ session: SessionFacts, _ visit: Visit) async throws -> Response {
        var interaction = Interaction(.reauthenticate, then: .account)
        (interaction.provider, interaction.expectedUser) = (provider, session.user.localID)
        interaction.sessionID = session.session.id
        return try await pages.dispatcher.proceed(.providerChosen, of: interaction, visit)
    }

    private func isRecent(_ session: SessionFacts, for operation: Policy.SensitiveOperation) -> Bool {
        (try? pages.sessions.recentLogin.require(for: operation, session, at: pages.now)) != nil
    }

    private func ask(
        _ operation: PageRequest.AccountQuestion.Operation, _ session: SessionFacts, _ visit: Visit
    ) throws -> Response {
        try pages.redirect(visit, to: .account(.init(operation: operation, sessionID: session.session.id)))
    }

    private func notice(_ query: QueryParameters, _ visit: Visit) -> AccountPage.Notice? {
        let name = query["provider"].flatMap { pages.providers.current.provider($0)?.displayName }
        return switch (query["done"], name) {
        case ("linked", let name?): .linked(name)
        case ("unlinked", let name?):
            .unlinked(name, pages.payload(query["receipt"], for: .receipt, visit))
        case ("session-ended", _): .sessionEnded
        case ("profile", _): .profileSaved
        case ("exported-recently", _): .exportedRecently
        case ("merged", _): .merged
        default: nil
        }
    }
}

extension HostedPages {
    /// The content of a form that was made for this browser and its current session, with the fields beside it.
    ///
    /// - Throws: ``BrokerError/signInAttemptUnknown``, or as ``posted(_:_:)``.
    func posted<Form: Decodable>(
        _ request: Request, _ context: BrokerRequestContext, _: Form.Type, for purpose: HostedForms.Purpose,
        _ sessionID: (Form) -> String?
    ) async throws -> (Visit, SessionFacts, Form, QueryParameters) {
        let (visit, fields) = try await posted(request, context)
        guard let form: Form = payload(fields["form"], for: purpose, visit), let session = visit.session,
            session.session.id == sessionID(form)
        else { throw BrokerError.signInAttemptUnknown }
        return (visit, session, form, fields)
    }

    /// Has the user log in again, for what requires a recent login.
    func loginAgain(_ session: SessionFacts, _ visit: Visit) async throws -> Response {
        try await dispatcher.proceed(.loginTooOld(session), of: Interaction(.reauthenticate, then: .account), visit)
    }

    /// The page after the end of the browser's session.
    func signedOut(_ visit: Visit, to page: PageRequest = .signedOut) throws -> Response {
        var response = try redirect(visit, to: page)
        response.headers.append(.init(name: .setCookie, value: forgetSession.header))
        if case .deleted = page { response.headers.append(.init(name: .setCookie, value: forgetProvider.header)) }
        return response
    }
}

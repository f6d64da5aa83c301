import BrokerStore
import Hummingbird
import ProviderKit

/// `/account/merge`: joins another account of the browser's user, or takes the two apart again. In between the user goes to a
/// provider, which verifies the other account, and answers a question.
struct MergePageRoutes: Sendable {
    let pages: HostedPages

    func add(to routes: HostedRoutes) {
        routes.on(.post, "/account/merge", proceed)
    }

    @Sendable
    func proceed(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let (visit, fields) = try await pages.posted(request, context)
        guard let interaction: Interaction = pages.payload(fields["form"], for: .merge, visit),
            let session = visit.session, session.session.id == interaction.sessionID
        else { throw BrokerError.signInAttemptUnknown }
        return try await pages.merges.explainingRefusals(in: session, visit) {
            guard let login = interaction.otherLogin else { return try await begin(interaction, session, visit) }
            if let id = interaction.mergeID { return try await undo(id, login, session, visit) }
            guard let survivor = fields[ConfirmPage.survivorField] else { throw BrokerError.signInAttemptUnknown }
            return try await merge(login, survivor: survivor, session, visit)
        }
    }

    /// Asks for the provider that verifies the other account.
    private func begin(
        _ interaction: Interaction, _ session: SessionFacts, _ visit: Visit
    ) async throws -> Response {
        try pages.sessions.recentLogin.requireForMerge(session.session, at: pages.now)
        var providers: [String]?
        if let id = interaction.mergeID {
            providers = try await pages.merges.own(id, session).provingProviders
            guard providers?.isEmpty == false else { throw BrokerError.undoNeedsAdministrator }
        }
        return try await pages.dispatcher.proceed(.otherLoginRequired(from: providers), of: interaction, visit)
    }

    private func merge(
        _ login: ProvenLogin, survivor: String, _ session: SessionFacts, _ visit: Visit
    ) async throws -> Response {
        let merged = try await pages.accounts.mergeAccounts(
            session.presented, with: .provider(login), survivor: survivor, origin: visit.origin)
        // The browser's session has ended with the user who went: the login to the other account takes its place.
        let cookies = merged.session.map { [pages.remember($0.session)] } ?? []
        return pages.redirect(visit, to: "/account?done=merged", setting: cookies)
    }

    private func undo(
        _ id: String, _ login: ProvenLogin, _ session: SessionFacts, _ visit: Visit
    ) async throws -> Response {
        _ = try await pages.accounts.undoOwnMerge(
            id, session.presented, with: .provider(login), origin: visit.origin)
        return try pages.signedOut(visit)
    }
}

/// The merges of the browser's user, as the pages show them.
struct MergesAtPages: Sendable {
    let pages: HostedPages

    /// Shows a merge or its undo before it happens, once a provider has verified the other account.
    func ask(_ interaction: Interaction, _ session: SessionFacts, _ visit: Visit) async throws -> Response {
        try await explainingRefusals(in: session, visit) {
            let question: ConfirmPage.Question
            if let id = interaction.mergeID {
                question = .undoMerge(account: name(of: try await own(id, session).merge.absorbed))
            } else {
                guard let login = interaction.otherLogin else { throw BrokerError.signInAttemptUnknown }
                question = .merge(
                    try details(of: try await pages.accounts.previewMerge(session.presented, with: .provider(login))))
            }
            let form = try pages.form("/account/merge", .merge, interaction, visit)
            return pages.page(ConfirmPage(question: question, form: form, cancelHref: "/account"), to: visit)
        }
    }

    /// The merges that the account page offers to undo.
    func entries(_ session: SessionFacts, _ visit: Visit) async throws -> [AccountPage.Merge] {
        try await pages.accounts.ownMerges(session.presented).map { own in
            AccountPage.Merge(
                name: name(of: own.merge.absorbed), mergedAt: own.merge.mergedAt.date,
                undo: own.provingProviders.isEmpty ? nil : try form(session, undoing: own.merge.id, visit))
        }
    }

    /// The form that begins a merge, or the undo of one.
    func form(_ session: SessionFacts, undoing id: String? = nil, _ visit: Visit) throws -> HiddenForm {
        var interaction = Interaction(.merge, then: .account)
        interaction.sessionID = session.session.id
        interaction.mergeID = id
        return try pages.form("/account/merge", .merge, interaction, visit)
    }

    /// - Throws: ``BrokerError/mergeNotFound``.
    func own(_ id: String, _ session: SessionFacts) async throws -> OwnMerge {
        guard
            let own = try await pages.accounts.ownMerges(session.presented).first(where: {
                $0.merge.id.hasSameBytes(as: id)
            })
        else { throw BrokerError.mergeNotFound }
        return own
    }

    /// Shows why a merge or an undo was refused; where the login is too old, the user proves it again.
    func explainingRefusals(
        in session: SessionFacts, _ visit: Visit, _ work: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await work()
        } catch BrokerError.recentLoginRequired, BrokerError.stepUpRequired {
            return try await pages.loginAgain(session, visit)
        } catch let error as BrokerError {
            return pages.problem(
                ErrorPage.Cause(mergeRefused: error, pages.providers.current), to: visit,
                exit: .account(href: "/account"))
        }
    }

    /// - Throws: The refusal of a merge that neither choice makes possible.
    private func details(of preview: MergePreview) throws(BrokerError) -> ConfirmPage.MergeDetails {
        let choices = preview.choices.compactMap { choice -> ConfirmPage.MergeDetails.Choice? in
            guard choice.refusal == nil || choice.refusal == .mergeNeedsAdministrator else { return nil }
            return .init(
                localID: choice.survivor, isOwn: choice.survivor == preview.own.record.user.localID,
                waits: choice.refusal != nil, claims: choice.differingClaims)
        }
        if choices.isEmpty, let refusal = preview.choices.compactMap(\.refusal).first { throw refusal }
        return .init(own: account(preview.own), other: account(preview.other), choices: choices)
    }

    private func account(_ account: MergePreview.Account) -> ConfirmPage.MergeDetails.Account {
        .init(
            name: name(of: account.record),
            providers: account.record.identities.map { pages.providers.current.displayName(of: $0.provider) },
            sessions: account.liveSessions)
    }

    private func name(of record: UserRecord) -> String {
        record.user.email ?? record.user.displayName ?? record.user.localID
    }
}

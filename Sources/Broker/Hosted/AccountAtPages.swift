import BrokerStore
import Foundation
import Hummingbird
import ProviderKit

/// What a person does with their account at the hosted pages: the flows every way of asking shares, by the browser's
/// session.
struct AccountAtPages: Sendable {
    let pages: HostedPages
    let policy: Policy
    /// What users call this broker.
    let siteName: String
    let store: Store
    let clients: Clients
    let listSessions: ListSessions
    let link: Link
    let updateAccount: UpdateAccount
    let signOut: SignOut
    let deleteAccount: DeleteAccount

    func link(
        _ source: FederatedSource, in session: SessionFacts, _ origin: Origin
    ) async throws -> SessionFacts {
        try await link(source, in: Self.presented(session), origin: origin)
    }

    func unlink(_ provider: String, in session: SessionFacts, _ origin: Origin) async throws {
        var changes = AccountChanges()
        changes.unlinkedProviders = [provider]
        _ = try await updateAccount(Self.presented(session), changes, origin: origin)
    }

    func signOut(_ session: SessionFacts, _ scope: SignOut.Scope, _ origin: Origin) async throws {
        try await signOut(Self.presented(session), scope, origin: origin)
    }

    func delete(_ session: SessionFacts, _ origin: Origin) async throws {
        try await deleteAccount(Self.presented(session), origin: origin)
    }

    /// Asks once more before something happens.
    func ask(
        _ question: Interaction.AccountQuestion, _ session: SessionFacts, _ visit: Visit
    ) async throws -> Response {
        let confirmed = AccountPageRoutes.SessionForm(sessionID: question.sessionID, isConfirmed: true)
        let asked: ConfirmPage.Question
        let form: HiddenForm
        switch question.operation {
        case .unlink(let provider):
            let identity = session.identities.first { $0.provider.hasSameBytes(as: provider) }
            let grants = try await store.read { try $0.grants(of: session.user.key) }
            asked = .unlink(
                provider: pages.providers.current.displayName(of: provider), isLast: session.identities.count == 1,
                deletesGrant: grants.contains { $0.identityKey == identity?.key })
            form = try pages.form(
                "/account/unlink", .unlink,
                AccountPageRoutes.ProviderForm(
                    provider: provider, sessionID: question.sessionID, isConfirmed: true), visit)
        case .signOutEverywhere:
            asked = .signOutEverywhere
            form = try pages.form("/account/sign-out-everywhere", .signOutEverywhere, confirmed, visit)
        case .delete:
            asked = .deleteAccount
            form = try pages.form("/account/delete", .delete, confirmed, visit)
        }
        return pages.page(ConfirmPage(question: asked, form: form, cancelHref: "/account"), to: visit)
    }

    private static func presented(_ session: SessionFacts) -> PresentedSession {
        .session(id: session.session.id, .web)
    }

    /// The page as it is this moment.
    func page(of session: SessionFacts, _ visit: Visit, notice: AccountPage.Notice?) async throws -> AccountPage {
        let id = session.session.id
        let directory = pages.providers.current
        let linked = Set(session.identities.map(\.provider))
        let canUnlink = session.identities.count > 1 || policy.lastSignInMethod == .firebase
        return AccountPage(
            person: .init(
                displayName: session.user.displayName, email: session.user.email,
                isEmailVerified: session.user.isEmailVerified),
            connections: try session.identities.map { identity in
                .init(
                    kind: directory.provider(identity.provider)?.kind.rawValue ?? "",
                    name: directory.displayName(of: identity.provider),
                    label: identity.screenName ?? identity.displayName ?? identity.email,
                    since: identity.linkedAt.date,
                    disconnect: canUnlink
                        ? try pages.form(
                            "/account/unlink", .unlink,
                            AccountPageRoutes.ProviderForm(provider: identity.provider, sessionID: id), visit) : nil)
            },
            offers: try directory.withPage.filter { !linked.contains($0.id) }.map { provider in
                var request = BrowserRequest(.link, then: .account)
                request.sessionID = id
                return .init(
                    kind: provider.kind.rawValue, name: provider.displayName,
                    href: try pages.link(
                        "/depart", .depart, Journey.Departure(provider: provider.id, request: request), visit))
            },
            devices: try await devices(of: session, visit),
            signOut: try pages.form(
                "/account/sign-out", .signOut, AccountPageRoutes.SessionForm(sessionID: id), visit),
            signOutEverywhere: try pages.form(
                "/account/sign-out-everywhere", .signOutEverywhere, AccountPageRoutes.SessionForm(sessionID: id),
                visit),
            delete: try pages.form("/account/delete", .delete, AccountPageRoutes.SessionForm(sessionID: id), visit),
            notice: notice)
    }
}

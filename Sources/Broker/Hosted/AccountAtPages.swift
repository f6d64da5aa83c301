import BrokerStore
import Foundation
import Hummingbird
import ProviderKit

/// The account page and its operations, for the user of the browser's session.
struct AccountAtPages: Sendable {
    let pages: HostedPages

    func link(
        pendingToken: String, in session: SessionFacts, _ origin: Origin
    ) async throws -> SessionFacts {
        try await pages.accounts.link(pendingToken: pendingToken, in: session.presented, origin: origin)
    }

    func unlink(_ provider: String, in session: SessionFacts, _ origin: Origin) async throws -> [WithdrawalReceipt] {
        var changes = AccountChanges()
        changes.unlinkedProviders = [provider]
        return try await pages.accounts.updateAccount(session.presented, changes, origin: origin).withdrawals
    }

    func signOut(_ session: SessionFacts, _ scope: SignOutScope, _ origin: Origin) async throws {
        try await pages.sessions.signOut(session.presented, scope, origin: origin)
    }

    func delete(_ session: SessionFacts, _ origin: Origin) async throws -> [WithdrawalReceipt] {
        try await pages.accounts.deleteAccount(session.presented, origin: origin)
    }

    /// Asks for a confirmation.
    func ask(
        _ question: PageRequest.AccountQuestion, _ session: SessionFacts, _ visit: Visit
    ) async throws -> Response {
        let confirmed = AccountPageRoutes.SessionForm(sessionID: question.sessionID, isConfirmed: true)
        let asked: ConfirmPage.Question
        let form: HiddenForm
        switch question.operation {
        case .unlink(let provider):
            let identity = session.identities.first { $0.provider.hasSameBytes(as: provider) }
            let grants = try await pages.store.read { try $0.grants(of: session.user.key) }
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
            asked = .deleteAccount(try await deletion(of: session))
            form = try pages.form("/account/delete", .delete, confirmed, visit)
        }
        return pages.page(ConfirmPage(question: asked, form: form, cancelHref: "/account"), to: visit)
    }

    /// The account page.
    func page(of session: SessionFacts, _ visit: Visit, notice: AccountPage.Notice?) async throws -> AccountPage {
        let id = session.session.id
        let directory = pages.providers.current
        let linked = Set(session.identities.map(\.provider))
        let connected = try await pages.accounts.connectedProviders(of: session)
        let (history, changes) = try await newest(of: session.user)
        let canUnlink = session.identities.count > 1 || pages.accounts.policy.lastSignInMethod == .firebase
        return AccountPage(
            person: .init(
                displayName: session.user.displayName, email: session.user.email,
                isEmailVerified: session.user.isEmailVerified),
            profileHref: ProfilePageRoutes.path,
            connections: try connected.map { connected in
                let identity = connected.identity
                return AccountPage.Connection(
                    kind: directory.provider(identity.provider)?.kind.rawValue ?? "",
                    name: directory.displayName(of: identity.provider),
                    label: identity.screenName ?? identity.displayName ?? identity.email,
                    lastUsedAt: identity.lastSignInAt.date,
                    permissions: connected.scopes.map(AccountPage.Permissions.init),
                    disconnect: canUnlink
                        ? try pages.form(
                            "/account/unlink", .unlink,
                            AccountPageRoutes.ProviderForm(provider: identity.provider, sessionID: id), visit) : nil)
            },
            offers: try directory.withPage.filter { !linked.contains($0.id) }.map { provider in
                var interaction = Interaction(.link, then: .account)
                interaction.provider = provider.id
                interaction.sessionID = id
                return .init(
                    kind: provider.kind.rawValue, name: provider.displayName,
                    href: try pages.link("/depart", .redirect, interaction, visit))
            },
            devices: try await devices(of: session, visit),
            signOut: try pages.form(
                "/account/sign-out", .signOut, AccountPageRoutes.SessionForm(sessionID: id), visit),
            signOutEverywhere: try pages.form(
                "/account/sign-out-everywhere", .signOutEverywhere, AccountPageRoutes.SessionForm(sessionID: id),
                visit),
            merge: try pages.merges.form(session, visit), merges: try await pages.merges.entries(session, visit),
            history: history, changes: changes, historyHref: AccountHistoryRoutes.path,
            export: try pages.form(
                AccountHistoryRoutes.exportPath, .export, AccountPageRoutes.SessionForm(sessionID: id), visit),
            label: session.user.accountLabel,
            asked: connected.filter { $0.withdrawal == .queued }.map {
                directory.displayName(of: $0.identity.provider)
            },
            delete: try pages.form("/account/delete", .delete, AccountPageRoutes.SessionForm(sessionID: id), visit),
            notice: notice)
    }
}

// The sessions of the user, as the account page shows them.
extension AccountAtPages {
    /// The newest sessions, one entry for each browser or app that signed in by itself.
    func devices(of session: SessionFacts, _ visit: Visit) async throws -> [AccountPage.Device] {
        let page = try await pages.sessions.listSessions(of: session.user).sessions.filter { $0.state == .live }.map(
            \.session)
        let browsers = try await browsers(of: page, session.user)
        let names = try await pages.openID.clients.names()
        return try SignedInDevices(page, browsers: browsers, current: session.session).entries
            .map { try device($0, current: session.session.id, names, visit) }
    }

    /// The sessions of browsers that apps of the page came from, and that are older than the page.
    private func browsers(of page: [Session], _ user: User) async throws -> [Session] {
        let known = Set(page.map(\.id))
        let missing = Set(page.compactMap(\.parentID)).subtracting(known)
        guard !missing.isEmpty else { return [] }
        let now = pages.now
        let found = try await pages.store.read { transaction in
            try missing.compactMap { id in try transaction.session(id: id) }
        }
        return found.filter {
            $0.userKey == user.key && SessionState($0, of: user, at: now, .rotating) == .live
        }
    }

    private func device(
        _ entry: SignedInDevices.Entry, current id: String, _ names: [String: String], _ visit: Visit
    ) throws -> AccountPage.Device {
        let session = entry.session
        let isCurrent = session.id == id
        let isSeen = session.latestUse > pages.now.advanced(by: .zero - SessionRules.addressLifetime)
        return AccountPage.Device(
            app: session.family == .web ? nil : appName(session.clientID, names),
            name: UserAgentName(session.userAgent)?.text, address: isSeen ? session.address : nil,
            provider: pages.providers.current.displayName(of: session.signInProvider),
            signedInAt: Date(timeIntervalSince1970: TimeInterval(session.authTime)),
            lastUsedAt: entry.latestUse.date, isCurrent: isCurrent,
            apps: try entry.apps.map { app in
                .init(
                    name: appName(app.clientID, names), lastUsedAt: app.latestUse.date,
                    signOut: try signOut(app.sessions.map(\.id), current: id, visit))
            }, signOut: isCurrent ? nil : try signOut([session.id], current: id, visit))
    }

    private func appName(_ clientID: String?, _ names: [String: String]) -> String {
        clientID.flatMap { names[$0] } ?? pages.siteName
    }

    private func signOut(_ others: [String], current id: String, _ visit: Visit) throws -> HiddenForm {
        try pages.form(
            "/account/session", .endSession, AccountPageRoutes.SessionForm(sessionID: id, others: others), visit)
    }
}

extension SessionFacts {
    /// The session of a browser, as flows take it.
    var presented: PresentedSession { .session(id: session.id, .web) }
}

import BrokerStore
import Foundation
import ProviderKit

/// Where a user is signed in, as the account page shows it.
extension AccountAtPages {
    /// The newest sessions, one entry for each browser or app that signed in by itself.
    func devices(of session: SessionFacts, _ visit: Visit) async throws -> [AccountPage.Device] {
        let page = try await listSessions(of: session.user).sessions.filter { $0.state == .live }.map(\.session)
        let browsers = try await browsers(of: page, session.user)
        let names = Dictionary(try await clients.all().map { ($0.id, $0.name) }) { first, _ in first }
        return try SignedInDevices(page, browsers: browsers, current: session.session).entries
            .map { try device($0, current: session.session.id, names, visit) }
    }

    /// The sessions of browsers that apps of the page came from, and that are older than the page.
    private func browsers(of page: [Session], _ user: User) async throws -> [Session] {
        let known = Set(page.map(\.id))
        let missing = Set(page.compactMap(\.parentID)).subtracting(known)
        guard !missing.isEmpty else { return [] }
        let now = Timestamp(pages.now())
        let found = try await store.read { transaction in
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
        let isSeen = session.latestUse > Timestamp(pages.now()).advanced(by: .zero - SessionRules.addressLifetime)
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
        clientID.flatMap { names[$0] } ?? siteName
    }

    private func signOut(_ others: [String], current id: String, _ visit: Visit) throws -> HiddenForm {
        try pages.form(
            "/account/session", .endSession, AccountPageRoutes.SessionForm(sessionID: id, others: others), visit)
    }
}

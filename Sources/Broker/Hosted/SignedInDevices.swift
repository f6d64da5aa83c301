import BrokerStore
import ProviderKit

/// A user's sessions as the user thinks of them: one entry for each browser, with the apps that were signed in to with it,
/// and one for each app that signed in by itself.
struct SignedInDevices: Sendable {
    struct Entry: Sendable {
        /// The browser's session, or the app's own.
        let session: Session
        fileprivate(set) var apps: [App] = []

        /// The latest use of the browser or of one of its apps.
        var latestUse: Timestamp { apps.map(\.latestUse).reduce(session.latestUse, max) }
    }

    /// The sessions of one app in one browser.
    struct App: Sendable {
        let clientID: String
        fileprivate(set) var sessions: [Session]

        var latestUse: Timestamp { sessions.map(\.latestUse).max() ?? Timestamp(milliseconds: 0) }
    }

    /// The browser that asks first, then by latest use.
    let entries: [Entry]

    /// - Parameters:
    ///   - sessions: A page of live sessions.
    ///   - browsers: Live sessions of browsers that are no part of the page, and came before one that is.
    ///   - current: The session that asks.
    init(_ sessions: [Session], browsers: [Session], current: Session) {
        var entries: [String: Entry] = [:]
        for session in sessions + browsers + [current] where !session.belongsToBrowser {
            entries[session.id] = Entry(session: session)
        }
        for session in sessions where session.belongsToBrowser {
            guard let parentID = session.parentID, entries[parentID] != nil else {
                entries[session.id] = Entry(session: session)
                continue
            }
            entries[parentID]?.add(session)
        }
        let isCurrent: (Entry) -> Bool = { $0.session.id == current.id }
        self.entries = entries.values.sorted { one, other in
            if isCurrent(one) != isCurrent(other) { return isCurrent(one) }
            return (one.latestUse, one.session.key) > (other.latestUse, other.session.key)
        }
    }
}

extension SignedInDevices.Entry {
    fileprivate mutating func add(_ session: Session) {
        let clientID = session.clientID ?? ""
        if let index = apps.firstIndex(where: { $0.clientID.hasSameBytes(as: clientID) }) {
            apps[index].sessions.append(session)
        } else {
            apps.append(.init(clientID: clientID, sessions: [session]))
        }
        apps.sort { $0.latestUse > $1.latestUse }
    }
}

extension Session {
    /// Whether it came from a browser's session, which is its entry then.
    var belongsToBrowser: Bool { family == .oauth && parentID != nil }
}

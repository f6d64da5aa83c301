/// A place of the console's side list.
enum ConsoleSection: String, Sendable, CaseIterable {
    case home, users, requests
    case clients, providers, webhooks, merges, withdrawals
    case keys, audit, access

    /// Begins the path of each page of the console.
    static let root = ConsolePaths.home

    var path: String { self == .home ? Self.root : "\(Self.root)/\(rawValue)" }

    var title: String {
        switch self {
        case .home: "Home"
        case .users: "Users"
        case .requests: "Requests"
        case .clients: "Clients"
        case .providers: "Providers"
        case .webhooks: "Webhooks"
        case .merges: "Merges"
        case .withdrawals: "Withdrawals"
        case .keys: "Signing keys"
        case .audit: "Audit"
        case .access: "Administrators"
        }
    }

    var icon: PageIcon {
        switch self {
        case .home: .home
        case .users: .people
        case .requests: .number
        case .clients: .apps
        case .providers: .plug
        case .webhooks: .webhook
        case .merges: .merge
        case .withdrawals: .outgoing
        case .keys: .key
        case .audit: .list
        case .access: .shield
        }
    }

    /// Whether a group of the list begins here: users, apps, and what protects both.
    var beginsGroup: Bool { self == .home || self == .clients || self == .keys }
}

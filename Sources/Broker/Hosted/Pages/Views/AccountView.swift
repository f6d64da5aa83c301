/// What the `account` template reads.
struct AccountView: Sendable {
    let heading: String
    let notice: NoticeView?
    let person: AccountPersonView
    let connectedHeading: String
    let noConnections: String?
    let connections: [ConnectionView]
    /// `nil` when nothing is left to connect.
    let offersHeading: String?
    let offers: [OfferView]
    let sessionsHeading: String
    let devices: [DeviceView]
    /// Those that are shown on demand.
    let furtherDevices: DeviceListView?
    let signOut, signOutEverywhere: FormView
    let deletionHeading, deletionText: String
    let deletion: FormView

    init(_ page: AccountPage, _ text: AccountText, _ language: PageLanguage) {
        heading = text.title
        notice = page.notice.map { Self.notice($0, text) }
        person = AccountPersonView(page.person, text)
        connectedHeading = text.connected
        noConnections = page.connections.isEmpty ? text.noConnections : nil
        connections = page.connections.map { ConnectionView($0, text, language) }
        offersHeading = page.offers.isEmpty ? nil : text.offers
        offers = page.offers.map { OfferView($0, text) }
        sessionsHeading = text.sessions
        let all = page.devices.map { DeviceView($0, text, language) }
        devices = Array(all.prefix(Self.unfolded))
        let rest = Array(all.dropFirst(Self.unfolded))
        furtherDevices =
            rest.isEmpty ? nil : DeviceListView(summary: text.furtherDevices(String(rest.count)), devices: rest)
        signOut = FormView(page.signOut, [.init(text.signOut, .quiet)])
        signOutEverywhere = FormView(page.signOutEverywhere, [.init(text.signOutEverywhere, .quiet)])
        deletionHeading = text.deletion
        deletionText = text.deletionText
        deletion = FormView(page.delete, [.init(text.delete, .careful)])
    }

    /// How many places are shown at once.
    private static let unfolded = 5

    private static func notice(_ notice: AccountPage.Notice, _ text: AccountText) -> NoticeView {
        switch notice {
        case .linked(let name): .good(text.linked(name))
        case .unlinked(let name): .good(text.unlinked(name))
        case .sessionEnded: .good(text.sessionEnded)
        }
    }
}

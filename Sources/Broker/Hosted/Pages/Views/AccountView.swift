import Foundation

/// The values of the `account` template.
struct AccountView: Sendable {
    let heading, profileHeading: String
    let notice: NoticeView?
    let person: AccountPersonView
    /// Leads to the form of the profile.
    let profile: LinkView
    let connectedHeading: String
    /// What the section is for, or that it is empty.
    let connectedText: String
    let connections: [ConnectionView]
    /// `nil` when nothing is left to connect.
    let offersHeading: String?
    let offers: [OfferView]
    let sessionsHeading: String
    let devices: [DeviceGroupView]
    /// Those that are shown on demand.
    let furtherDevices: DeviceListView?
    let signOutEverywhere: FormView
    let mergeHeading, mergeText: String
    let merge: FormView
    let merges: [MergeView]
    let historyHeading: String
    let nothing: String?
    let happenings: [HappeningView]
    /// The heading of what administrators changed; nil where they changed nothing.
    let changesHeading: String?
    let changes: [HappeningView]
    let wholeHistory: LinkView
    let dataHeading, dataText: String
    let download: FormView
    let deletionHeading, deletionText: String
    let deletion: FormView

    init(_ page: AccountPage, _ text: AccountText, _ language: PageLanguage) {
        heading = text.title
        profileHeading = text.profile
        notice = page.notice.map { Self.notice(page, $0, text, language) }
        person = AccountPersonView(page.person, text)
        profile = LinkView(page.profileHref, language.texts.profile.title, style: "compact")
        connectedHeading = text.connected
        connectedText = page.connections.isEmpty ? text.noConnections : text.ways
        connections = page.connections.map { ConnectionView($0, text, language) }
        offersHeading = page.offers.isEmpty ? nil : text.offers
        offers = page.offers.map { OfferView($0, text) }
        sessionsHeading = text.sessions
        let all = DeviceGroupView.groups(page.devices, text, language)
        devices = Array(all.prefix(Self.unfolded))
        let rest = Array(all.dropFirst(Self.unfolded))
        furtherDevices = rest.isEmpty ? nil : DeviceListView(summary: text.furtherDevices(rest.count), devices: rest)
        signOutEverywhere = FormView(inRow: page.signOutEverywhere, .init(text.signOutEverywhere, .quiet))
        mergeHeading = text.merge
        mergeText = text.mergeText
        merge = FormView(inRow: page.merge, .init(text.mergeButton, .quiet))
        merges = page.merges.map { MergeView($0, text, language) }
        let history = language.texts.history
        historyHeading = history.title
        nothing = page.history.isEmpty ? history.nothing : nil
        happenings = page.history.map { HappeningView($0, history, language) }
        changesHeading = page.changes.isEmpty ? nil : history.administrators
        changes = page.changes.map { HappeningView($0, history, language) }
        wholeHistory = LinkView(page.historyHref, history.all, style: "compact")
        dataHeading = text.data
        dataText = text.dataText
        download = FormView(inRow: page.export, .init(text.download, .quiet))
        deletionHeading = text.deletion
        deletionText = Self.deletion(page, text)
        deletion = FormView(inRow: page.delete, .init(text.delete, .careful))
    }

    /// How many places are shown at once.
    private static let unfolded = 5

    private static func notice(
        _ page: AccountPage, _ notice: AccountPage.Notice, _ text: AccountText, _ language: PageLanguage
    ) -> NoticeView {
        switch notice {
        case .linked(let name): .good(text.linked(name))
        case .unlinked(let name, let withdrawal):
            .good(
                [text.unlinked(name), withdrawal?.text(in: language)].compactMap(\.self)
                    .joined(separator: " "))
        case .sessionEnded: .good(text.sessionEnded)
        case .merged: .good(text.merged)
        case .profileSaved: .good(text.profileSaved)
        case .exportedRecently: .remark(text.exportedRecently)
        }
    }

    /// Names the account, and the providers that are asked to end this site's access.
    private static func deletion(_ page: AccountPage, _ text: AccountText) -> String {
        guard let label = page.label else { return text.deletionText }
        guard !page.asked.isEmpty else { return text.deletionOf(account: label) }
        return text.deletionAt(account: label, providers: page.asked.joined(separator: ", "))
    }
}

extension AccountView {
    /// The sections of the page, in their order.
    static func contents(_ text: AccountText, _ history: HistoryText) -> [ContentsView.Anchor] {
        [
            .init(id: "profile", text: text.profile),
            .init(id: "ways", text: text.connected), .init(id: "devices", text: text.sessions),
            .init(id: "history", text: history.title), .init(id: "data", text: text.data),
            .init(id: "merge", text: text.merge), .init(id: "delete", text: text.deletion),
        ]
    }
}

/// The user, with the state of the email address.
struct AccountPersonView: Sendable {
    let name: String
    let monogram: MonogramView
    let email: EmailView?

    struct EmailView: Sendable {
        let address, tone, state: String
    }

    init(_ person: AccountPage.Person, _ text: AccountText) {
        let plain = PersonView(name: person.displayName, email: nil, fallback: text.nameless)
        name = plain.name
        monogram = MonogramView([person.displayName, person.email].compactMap { $0 }.first { !$0.isEmpty } ?? "?")
        email = person.email.map { address in
            EmailView(
                address: address, tone: person.isEmailVerified ? "good" : "warn",
                state: person.isEmailVerified ? text.verified : text.unverified)
        }
    }
}

/// A connected provider.
struct ConnectionView: Sendable {
    let mark: ProviderMark
    let name: String
    let label: String?
    let used: MomentView
    /// What the user has granted there.
    let permissions: String?
    let form: FormView?

    init(_ connection: AccountPage.Connection, _ text: AccountText, _ language: PageLanguage) {
        mark = ProviderMark(kind: connection.kind, name: connection.name)
        name = connection.name
        label = connection.label
        used = MomentView(label: text.lastUsed, date: PageDate(connection.lastUsedAt, language))
        permissions = connection.permissions.flatMap { Self.permissions($0, text) }
        form = connection.disconnect.map {
            FormView(inRow: $0, .init(text.disconnect, .quiet, spoken: connection.name))
        }
    }

    private static func permissions(_ granted: AccountPage.Permissions, _ text: AccountText) -> String? {
        let shared: String? =
            switch (granted.profile, granted.email) {
            case (true, true): text.sharesBoth
            case (true, false): text.sharesProfile
            case (false, true): text.sharesEmail
            case (false, false): nil
            }
        let further =
            granted.further.isEmpty
            ? nil : text.sharesMore(permissions: granted.further.joined(separator: ", "))
        let all = [shared, further].compactMap(\.self)
        return all.isEmpty ? nil : all.joined(separator: " · ")
    }
}

/// Another account that became one with this one.
struct MergeView: Sendable {
    let name: String
    let since: MomentView
    let form: FormView?

    init(_ merge: AccountPage.Merge, _ text: AccountText, _ language: PageLanguage) {
        name = merge.name
        since = MomentView(label: text.mergedSince, date: PageDate(day: merge.mergedAt, language))
        form = merge.undo.map { FormView(inRow: $0, .init(text.mergeUndo, .quiet, spoken: merge.name)) }
    }
}

/// A provider that could be connected.
struct OfferView: Sendable {
    let mark: ProviderMark
    let name, href, caption: String

    init(_ offer: AccountPage.Offer, _ text: AccountText) {
        mark = ProviderMark(kind: offer.kind, name: offer.name)
        name = offer.name
        href = PageLink(offer.href).href
        caption = text.connect
    }
}

/// A browser or an app with a session.
struct DeviceView: Sendable {
    let drawing, title: String
    let current: String?
    /// Program and address, as far as they are known.
    let origin: String?
    let moments: [MomentView]
    let apps: [AppView]
    let form: FormView?

    struct AppView: Sendable {
        let name: String
        let used: MomentView
        let form: FormView
    }

    init(_ device: AccountPage.Device, _ text: AccountText, _ language: PageLanguage) {
        let browser = device.name ?? text.browser
        let title = device.app ?? browser
        self.title = title
        drawing = device.app == nil ? PageIcon.laptop.svg : PageIcon.phone.svg
        current = device.isCurrent ? text.current : nil
        let origin = [device.app == nil ? nil : device.name, device.address].compactMap(\.self)
        self.origin = origin.isEmpty ? nil : origin.joined(separator: " · ")
        moments = [
            MomentView(
                label: device.provider.map { text.signedInWith($0) } ?? text.signedIn,
                date: PageDate(device.signedInAt, language)),
            MomentView(label: text.lastUsed, date: PageDate(device.lastUsedAt, language)),
        ]
        apps = device.apps.map { app in
            AppView(
                name: app.name, used: MomentView(label: text.lastUsed, date: PageDate(app.lastUsedAt, language)),
                form: FormView(inRow: app.signOut, .init(text.endSession, .quiet, spoken: app.name)))
        }
        form = device.signOut.map { FormView(inRow: $0, .init(text.endSession, .quiet, spoken: title)) }
    }
}

/// A browser or an app, or several that look alike.
struct DeviceGroupView: Sendable {
    let single: DeviceView?
    let several: Several?

    struct Several: Sendable {
        let drawing, title: String
        /// How many there are.
        let count: String
        let used: MomentView
        /// The text of the control that unfolds them.
        let review: String
        let devices: [DeviceView]
    }

    /// Folds devices of the same program and system. The current one stays apart.
    static func groups(
        _ devices: [AccountPage.Device], _ text: AccountText, _ language: PageLanguage
    ) -> [DeviceGroupView] {
        var groups: [[AccountPage.Device]] = []
        for device in devices {
            let alike = groups.firstIndex { group in
                !device.isCurrent && group.allSatisfy { $0.isLike(device) }
            }
            if let alike { groups[alike].append(device) } else { groups.append([device]) }
        }
        return groups.map { DeviceGroupView($0, text, language) }
    }

    /// Of at least one device.
    private init(_ devices: [AccountPage.Device], _ text: AccountText, _ language: PageLanguage) {
        let views = devices.map { DeviceView($0, text, language) }
        let latest = devices.map(\.lastUsedAt).max() ?? .distantPast
        single = views.count == 1 ? views.first : nil
        several =
            views.count == 1
            ? nil
            : views.first.map { first in
                Several(
                    drawing: first.drawing, title: first.title, count: text.entries(views.count),
                    used: MomentView(label: text.lastUsed, date: PageDate(latest, language)), review: text.review,
                    devices: views)
            }
    }
}

extension AccountPage.Device {
    fileprivate func isLike(_ other: Self) -> Bool { !isCurrent && app == other.app && name == other.name }
}

/// Further browsers and apps.
struct DeviceListView: Sendable {
    /// The text of the control that unfolds it.
    let summary: String
    let devices: [DeviceGroupView]
}

/// A time, with what happened then.
struct MomentView: Sendable {
    let label: String
    let date: PageDate
}

/// The values of the `account` template.
struct AccountView: Sendable {
    let heading, profileHeading: String
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
    let signOutEverywhere: FormView
    let mergeHeading, mergeText: String
    let merge: FormView
    let merges: [MergeView]
    let deletionHeading, deletionText: String
    let deletion: FormView

    init(_ page: AccountPage, _ text: AccountText, _ language: PageLanguage) {
        heading = text.title
        profileHeading = text.profile
        notice = page.notice.map { Self.notice($0, text, language) }
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
            rest.isEmpty ? nil : DeviceListView(summary: text.furtherDevices(rest.count), devices: rest)
        signOutEverywhere = FormView(inRow: page.signOutEverywhere, .init(text.signOutEverywhere, .quiet))
        mergeHeading = text.merge
        mergeText = text.mergeText
        merge = FormView(inRow: page.merge, .init(text.mergeButton, .quiet))
        merges = page.merges.map { MergeView($0, text, language) }
        deletionHeading = text.deletion
        deletionText = text.deletionText
        deletion = FormView(inRow: page.delete, .init(text.delete, .careful))
    }

    /// How many places are shown at once.
    private static let unfolded = 5

    private static func notice(
        _ notice: AccountPage.Notice, _ text: AccountText, _ language: PageLanguage
    ) -> NoticeView {
        switch notice {
        case .linked(let name): .good(text.linked(name))
        case .unlinked(let name, let withdrawal):
            .good([text.unlinked(name), withdrawal?.text(in: language)].compactMap(\.self).joined(separator: " "))
        case .sessionEnded: .good(text.sessionEnded)
        case .merged: .good(text.merged)
        }
    }
}

extension AccountView {
    /// The sections of the page, in their order.
    static func contents(_ text: AccountText) -> [ContentsView.Anchor] {
        [
            .init(id: "profile", text: text.profile),
            .init(id: "ways", text: text.connected), .init(id: "devices", text: text.sessions),
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
    let since: MomentView?
    let form: FormView?

    init(_ connection: AccountPage.Connection, _ text: AccountText, _ language: PageLanguage) {
        mark = ProviderMark(kind: connection.kind, name: connection.name)
        name = connection.name
        label = connection.label
        since = connection.since.map { MomentView(label: text.since, date: PageDate(day: $0, language)) }
        form = connection.disconnect.map {
            FormView(inRow: $0, .init(text.disconnect, .quiet, spoken: connection.name))
        }
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

/// Further browsers and apps.
struct DeviceListView: Sendable {
    /// The text of the control that unfolds it.
    let summary: String
    let devices: [DeviceView]
}

/// A time, with what happened then.
struct MomentView: Sendable {
    let label: String
    let date: PageDate
}

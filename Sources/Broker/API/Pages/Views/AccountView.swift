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
    let sessions: [SessionView]
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
        sessions = page.sessions.map { SessionView($0, text, language) }
        signOut = FormView(page.signOut, [.init(text.signOut, .quiet)])
        signOutEverywhere = FormView(page.signOutEverywhere, [.init(text.signOutEverywhere, .quiet)])
        deletionHeading = text.deletion
        deletionText = text.deletionText
        deletion = FormView(page.delete, [.init(text.delete, .dangerous)])
    }

    private static func notice(_ notice: AccountPage.Notice, _ text: AccountText) -> NoticeView {
        switch notice {
        case .linked(let name): .good(text.linked(name))
        case .unlinked(let name): .good(text.unlinked(name))
        case .sessionEnded: .good(text.sessionEnded)
        case .signedOutEverywhere: .good(text.signedOutEverywhere)
        }
    }
}

/// The person, with what is known of the address.
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
        monogram = plain.monogram
        email = person.email.map { address in
            EmailView(
                address: address, tone: person.isEmailVerified ? "good" : "warning",
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
        since = connection.since.map { MomentView(label: text.since, date: PageDate($0, language)) }
        form = connection.disconnect.map {
            FormView(inRow: $0, .init(text.disconnect, .quiet, spoken: connection.name))
        }
    }
}

/// A provider that could be connected.
struct OfferView: Sendable {
    let mark: ProviderMark
    let name: String
    let href, caption, spoken: String

    init(_ offer: AccountPage.Offer, _ text: AccountText) {
        mark = ProviderMark(kind: offer.kind, name: offer.name)
        name = offer.name
        href = PageLink(offer.href).href
        caption = text.connect
        spoken = offer.name
    }
}

/// A place one is signed in.
struct SessionView: Sendable {
    let place: String
    let current: String?
    let details: [MomentView]
    let form: FormView?

    init(_ session: AccountPage.Session, _ text: AccountText, _ language: PageLanguage) {
        let place =
            switch session.place {
            case .app(let name): name
            case .web: session.isCurrent ? text.thisBrowser : text.web
            }
        self.place = place
        current = session.isCurrent ? text.current : nil
        let signedIn = MomentView(
            label: session.provider.map { text.signedInWith($0) } ?? text.signedIn,
            date: PageDate(session.signedInAt, language))
        let used = session.lastUsedAt.map { MomentView(label: text.lastUsed, date: PageDate($0, language)) }
        details = [signedIn] + (used.map { [$0] } ?? [])
        form = session.signOut.map { FormView(inRow: $0, .init(text.endSession, .quiet, spoken: place)) }
    }
}

/// Something that happened at a time.
struct MomentView: Sendable {
    let label: String
    let date: PageDate
}

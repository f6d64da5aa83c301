import ProviderKit

/// What a user consents to: who they are here, what the app receives of it, and where the browser goes then.
struct ConsentDetails: Sendable {
    let app: AppView
    let site: PageBrand
    let name: String?
    let email: String?
    /// The display name of the provider that the session's login was with.
    var provider: String?
    let scopes: Scopes
    /// Leads to the chooser; `nil` where no other account will do.
    var otherAccountHref: String?
    /// `nil` where the browser stays.
    var destination: Destination?

    /// Where the browser goes after the user has allowed it.
    enum Destination: Sendable {
        case host(String)
        /// An address of this machine, or a scheme of an app's own.
        case device
    }

    /// The app and the site, whose account it uses.
    var pairing: StatementView.Pairing {
        .init(app: TileView(name: app.name, logo: app.logo), site: TileView(name: site.name, logo: site.logo))
    }

    /// The account, with a link to another one.
    func person(_ text: ConsentText) -> PersonView {
        PersonView(
            name: name, email: email, fallback: text.nameless,
            caption: provider.map { text.signedInWith($0) } ?? text.signedIn,
            switchAccount: otherAccountHref.map { LinkView($0, text.otherAccount) })
    }

    /// What the app receives, a row for each scope.
    func receives(_ text: ConsentText) -> StatementView.Receives {
        typealias Row = StatementView.Receives.Row
        let known = scopes.contains(.profile) || scopes.contains(.email)
        var rows = known ? [] : [Row(.person, text.identifier, detail: text.identifierUse)]
        if scopes.contains(.profile) { rows.append(Row(.person, text.profile, detail: name)) }
        if scopes.contains(.email) { rows.append(Row(.mail, text.email, detail: email)) }
        if scopes.contains(.claims) { rows.append(Row(.shield, text.claims, detail: text.claimsUse)) }
        if scopes.contains(.offlineAccess) { rows.append(Row(.refresh, text.offline, detail: text.offlineEnd)) }
        if scopes.contains(.account) { rows.append(Row(.key, text.control, detail: text.controlUse)) }
        return .init(caption: text.shared(app.name), rows: rows)
    }

    /// The host, and what the app has to say of itself.
    func legal(_ text: ConsentText) -> StatementView.Legal? {
        let sentence =
            switch destination {
            case .host(let host): text.host(host)
            case .device: text.device
            case nil: nil as String?
            }
        let links = [
            app.termsHref.map { LinkView($0, text.terms(app.name)) },
            app.privacyHref.map { LinkView($0, text.privacy(app.name)) },
        ].compactMap(\.self)
        return sentence == nil && links.isEmpty ? nil : .init(sentence: sentence, links: links)
    }
}

/// What stands on the pages that ask for consent.
struct ConsentText: Sendable, Decodable {
    let title: Phrase
    let signedIn: String
    let signedInWith: Phrase
    let nameless, otherAccount: String
    let shared: Phrase
    let identifier, identifierUse, profile, email, claims, claimsUse: String
    let offline, offlineEnd, control, controlUse: String
    let allow: Phrase
    let host: Phrase
    let device: String
    let terms, privacy: Phrase
}

import Foundation

/// A person's own page: who they are here, how they sign in, where they are signed in.
struct AccountPage: HostedPage {
    let person: Person
    let connections: [Connection]
    let offers: [Offer]
    let sessions: [Session]
    let signOut: HiddenForm
    let signOutEverywhere: HiddenForm
    let delete: HiddenForm
    var notice: Notice?

    struct Person: Sendable {
        let displayName: String?
        let email: String?
        let isEmailVerified: Bool
    }

    /// A provider the account is connected to.
    struct Connection: Sendable {
        let kind: String
        let name: String
        /// What the person is called there.
        let label: String?
        let since: Date?
        /// Leads to the confirmation; `nil` where it may not be undone.
        let disconnect: HiddenForm?
    }

    /// A provider the account could be connected to.
    struct Offer: Sendable {
        let kind: String
        let name: String
        /// Leads to the provider; a form could not, since browsers apply `form-action` to where it ends.
        let href: String
    }

    struct Session: Sendable {
        let place: Place
        /// The provider that proved who the person is.
        let provider: String?
        let signedInAt: Date
        let lastUsedAt: Date?
        let isCurrent: Bool
        /// `nil` for the session one is in: it has its own button below.
        let signOut: HiddenForm?
    }

    enum Place: Sendable {
        case app(String)
        case web
    }

    /// What has just been done.
    enum Notice: Sendable {
        case linked(String)
        case unlinked(String)
        case sessionEnded
    }

    func content(in language: PageLanguage) -> PageContent {
        let text = AccountText.texts(in: language)
        return PageContent(
            title: text.title, template: .account, view: AccountView(self, text, language), showsMoments: true)
    }
}

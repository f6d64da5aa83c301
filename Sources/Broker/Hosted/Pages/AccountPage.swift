import Foundation

/// The account page: the user, the connected providers, and the sessions.
struct AccountPage: HostedPage {
    let person: Person
    let connections: [Connection]
    let offers: [Offer]
    /// The current one first, then by latest use.
    let devices: [Device]
    let signOut: HiddenForm
    let signOutEverywhere: HiddenForm
    /// Leads to the login to another account.
    let merge: HiddenForm
    /// Oldest first.
    let merges: [Merge]
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
        /// The user's name at the provider.
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

    /// Another account that became one with this one.
    struct Merge: Sendable {
        /// The address or name that the account had.
        let name: String
        let mergedAt: Date
        /// Leads to the login that proves the other account; `nil` where none can.
        let undo: HiddenForm?
    }

    /// A browser with the apps that were signed in to with it, or an app that signed in by itself.
    struct Device: Sendable {
        /// The app's name; `nil` for a browser.
        let app: String?
        /// The program and system that its `User-Agent` names.
        let name: String?
        let address: String?
        /// The provider that verified the user.
        let provider: String?
        let signedInAt: Date
        let lastUsedAt: Date
        let isCurrent: Bool
        let apps: [App]
        /// `nil` for the session one is in: it has its own button below.
        let signOut: HiddenForm?

        /// An app in a browser.
        struct App: Sendable {
            let name: String
            let lastUsedAt: Date
            let signOut: HiddenForm
        }
    }

    /// The change that was just made.
    enum Notice: Sendable {
        case linked(String)
        case unlinked(String, WithdrawalPart?)
        case sessionEnded, merged
    }

    func content(in language: PageLanguage) -> PageContent {
        let text = language.texts.account
        return PageContent(
            title: text.title, template: .account, view: AccountView(self, text, language),
            layout: .sections(
                AccountView.contents(text),
                action: FormView(inRow: signOut, .init(text.endSession, .quiet))),
            showsMoments: true)
    }
}

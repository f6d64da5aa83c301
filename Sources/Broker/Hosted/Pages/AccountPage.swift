import Foundation

/// The account page: the user, the connected providers, and the sessions.
struct AccountPage: HostedPage {
    let person: Person
    /// Leads to the form in which the user changes the profile.
    let profileHref: String
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
    /// The newest entries of the history; what administrators did is apart from it.
    let history, changes: [Happening]
    /// Leads to the whole history.
    let historyHref: String
    /// Answers with a file.
    let export: HiddenForm
    /// The account's address or name, by which the deletion names it.
    let label: String?
    /// The names of the providers that a deletion asks to end this site's access.
    let asked: [String]
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
        let lastUsedAt: Date
        /// What the user has granted there; nil where the broker has no token.
        let permissions: Permissions?
        /// Leads to the confirmation; `nil` where it may not be undone.
        let disconnect: HiddenForm?
    }

    /// What the user has granted at a provider.
    struct Permissions: Sendable {
        private(set) var profile = false
        private(set) var email = false
        /// The rest, in the provider's words.
        private(set) var further: [String] = []

        init(scopes: [String]) {
            for scope in scopes {
                switch scope {
                case "openid", "offline_access": continue
                case "profile", "name", "read:user", "profile_nickname", "profile_image": profile = true
                case "email", "user:email", "account_email": email = true
                case "user", "read_user": (profile, email) = (true, true)
                default: further.append(scope)
                }
            }
        }
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
        case sessionEnded, merged, profileSaved, exportedRecently
    }

    func content(in language: PageLanguage) -> PageContent {
        let text = language.texts.account
        return PageContent(
            title: text.title, template: .account, view: AccountView(self, text, language),
            layout: .sections(
                AccountView.contents(text, language.texts.history),
                action: FormView(inRow: signOut, .init(text.endSession, .quiet))),
            showsMoments: true)
    }
}

import ProviderKit

/// The facts that a user consents to: the account, and what the app receives of it.
struct ConsentDetails: Sendable {
    let name: String?
    let email: String?
    let scopes: Scopes
    /// Leads to the chooser; `nil` where no other account will do.
    var otherAccountHref: String?

    /// The facts as the pages show them.
    func facts(for app: String, in language: PageLanguage) -> [StatementView.Fact] {
        let text = language.texts.consent
        let account = [name, email].compactMap(\.self).filter { !$0.isEmpty }
        let shared =
            [text.identifier]
            + [
                (Scope.profile, text.profile), (.email, text.email), (.claims, text.claims),
                (.offlineAccess, text.offline), (.account, text.control),
            ]
            .filter { scopes.contains($0.0) }.map(\.1)
        return [
            .init(label: text.account, value: account.isEmpty ? text.nameless : account.joined(separator: " · ")),
            .init(label: text.shared(app), value: shared.joined(separator: ", ")),
        ]
    }

    /// The link to another account.
    func alternatives(in language: PageLanguage) -> [LinkView] {
        otherAccountHref.map { [LinkView($0, language.texts.consent.otherAccount)] } ?? []
    }
}

/// The texts of the facts.
struct ConsentText: Sendable, Decodable {
    let account, nameless, otherAccount: String
    let shared: Phrase
    let identifier, profile, email, claims, offline, control: String
}

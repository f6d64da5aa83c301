import ProviderKit

/// What a user should know before an app learns who they are: the account it is told of, and what it learns.
struct ConsentDetails: Sendable {
    let name: String?
    let email: String?
    let scopes: Scopes
    /// Leads to the chooser; `nil` where no other account will do.
    var otherAccountHref: String?

    /// The facts as the pages show them.
    func facts(for app: String, in language: PageLanguage) -> [StatementView.Fact] {
        let text = ConsentText.texts(in: language)
        let account = [name, email].compactMap(\.self).filter { !$0.isEmpty }
        let shared =
            [text.identifier]
            + [(Scope.profile, text.profile), (.email, text.email), (.offlineAccess, text.offline)]
            .filter { scopes.contains($0.0) }.map(\.1)
        return [
            .init(label: text.account, value: account.isEmpty ? text.nameless : account.joined(separator: " · ")),
            .init(label: text.shared(app), value: shared.joined(separator: ", ")),
        ]
    }

    /// The way to another account.
    func alternatives(in language: PageLanguage) -> [LinkView] {
        otherAccountHref.map { [LinkView($0, ConsentText.texts(in: language).otherAccount)] } ?? []
    }
}

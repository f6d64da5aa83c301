/// The account that is to be deleted, and what then happens at its providers.
struct DeletionDetails: Sendable {
    /// The account's address or name; nil for one without either.
    let account: String?
    let withdrawals: [WithdrawalPart]

    func statement(in language: PageLanguage) -> StatementView {
        let text = language.texts.deletion
        return StatementView(
            symbol: .problem, heading: account.map { text.title(account: $0) } ?? text.titleNameless,
            paragraphs: [text.text], facts: withdrawals.facts(in: language))
    }
}

/// Says that the account is deleted, and how its access at the providers has ended so far.
struct DeletedPage: HostedPage {
    /// The account's address or name; nil for one without either.
    let account: String?
    let withdrawals: [WithdrawalPart]
    /// The site's own start.
    let homeHref: String
    /// Shows the page again.
    var refreshHref: String?

    func content(in language: PageLanguage) -> PageContent {
        let text = language.texts.deletion
        let isOpen = withdrawals.contains { $0.state == .queued }
        return StatementView(
            symbol: .done, heading: account.map { text.done(account: $0) } ?? text.doneNameless, paragraphs: [],
            facts: withdrawals.facts(in: language),
            links: [LinkView(homeHref, text.home, style: "primary")]
                + (refreshHref.map { isOpen ? [LinkView($0, text.refresh)] : [] } ?? [])
        ).page()
    }
}

extension [WithdrawalPart] {
    fileprivate func facts(in language: PageLanguage) -> [StatementView.Fact] {
        map { .init(label: $0.provider, value: $0.text(in: language)) }
    }
}

struct DeletionText: Sendable, Decodable {
    let title, done: Phrase
    let titleNameless, text, doneNameless, home, refresh: String
}

/// Asks for a confirmation. What is confirmed stands in the sealed form.
struct ConfirmPage: HostedPage {
    let question: Question
    let form: HiddenForm
    let cancelHref: String

    enum Question: Sendable {
        /// - Parameters:
        ///   - person: The user's name at the provider.
        ///   - account: The account's name here.
        case link(provider: String, person: String, account: String)
        /// - Parameter deletesGrant: Whether the provider's tokens are stored here, and deleted with it.
        case unlink(provider: String, isLast: Bool, deletesGrant: Bool)
        case signOutEverywhere
        /// Sends `understood=yes` along, without which browsers do not send the form.
        case deleteAccount(DeletionDetails)
        /// The button that is pressed says who remains, as the field ``ConfirmPage/survivorField``.
        case merge(MergeDetails)
        /// - Parameter account: The account that is restored.
        case undoMerge(account: String)
        case signOut(app: String?)
        case continueTo(ConsentDetails)
    }

    /// The two accounts of a merge, and what becomes of them.
    struct MergeDetails: Sendable {
        struct Account: Sendable {
            /// Its address or name.
            let name: String
            let providers: [String]
            let sessions: Int
        }

        struct Choice: Sendable {
            /// The local id of the user who would remain.
            let localID: String
            let isOwn: Bool
            /// Whether an administrator has to approve it.
            let waits: Bool
            /// The names of custom claims that the user who goes would lose.
            let claims: [String]
        }

        let own, other: Account
        let choices: [Choice]
    }

    /// The field of the button that says which account remains.
    static let survivorField = "survivor"

    /// The name of the box that deleting asks to tick.
    static let consentField = "understood"

    func content(in language: PageLanguage) -> PageContent {
        let text = language.texts.confirm
        var view = Self.statement(question, text, language)
        view.form = FormView(
            form, consent: Self.consent(question, text), Self.buttons(question, text, language.texts.consent),
            leave: LinkView(cancelHref, text.cancel))
        return view.page()
    }

    private static func statement(
        _ question: Question, _ text: ConfirmText, _ language: PageLanguage
    ) -> StatementView {
        let consent = language.texts.consent
        return switch question {
        case .link(let provider, let person, let account):
            link(provider, person: person, account: account, text)
        case .unlink(let provider, let isLast, let deletesGrant):
            StatementView(
                symbol: .question, heading: text.unlinkTitle(provider),
                paragraphs: [text.unlinkText(provider)] + (deletesGrant ? [text.unlinkGrant(provider)] : []),
                notice: isLast ? .warning(text.unlinkLast) : nil)
        case .signOutEverywhere:
            StatementView(symbol: .question, heading: text.everywhereTitle, paragraphs: [text.everywhereText])
        case .deleteAccount(let details): details.statement(in: language)
        case .merge(let details): merge(details, text)
        case .undoMerge(let account):
            StatementView(
                symbol: .question, heading: text.undoMergeTitle(account), paragraphs: [text.undoMergeText])
        case .signOut(let app):
            StatementView(
                symbol: .question, heading: app.map { text.signOutTitleForApp($0) } ?? text.signOutTitle,
                paragraphs: [text.signOutText])
        case .continueTo(let details):
            StatementView(
                pairing: details.pairing, heading: consent.title(app: details.app.name),
                paragraphs: [], who: details.person(consent), receives: details.receives(consent),
                legal: details.legal(consent))
        }
    }

    private static func consent(_ question: Question, _ text: ConfirmText) -> FormView.Consent? {
        guard case .deleteAccount = question else { return nil }
        return FormView.Consent(field: consentField, text: text.deleteConsent)
    }

    private static func link(
        _ provider: String, person: String, account: String, _ text: ConfirmText
    ) -> StatementView {
        StatementView(
            symbol: .question, heading: text.linkTitle(provider), paragraphs: [text.linkText(provider)],
            facts: [
                .init(label: text.linkThere(provider), value: person),
                .init(label: text.linkHere, value: account),
            ], notice: .warning(text.linkWarning))
    }

    private static func merge(_ details: MergeDetails, _ text: ConfirmText) -> StatementView {
        func fact(_ label: String, _ account: MergeDetails.Account) -> StatementView.Fact {
            let parts =
                [account.name] + (account.providers.isEmpty ? [] : [account.providers.joined(separator: ", ")])
                + [text.mergeSessions(account.sessions)]
            return .init(label: label, value: parts.joined(separator: " · "))
        }
        let waiting = details.choices.filter(\.waits).map { choice in
            let claims = choice.claims.isEmpty ? "" : " (\(choice.claims.joined(separator: ", ")))"
            return StatementView.Fact(label: keep(choice, text), value: text.mergeWaits + claims)
        }
        return StatementView(
            symbol: .question, heading: text.mergeTitle, paragraphs: [text.mergeText],
            facts: [fact(text.mergeHere, details.own), fact(text.mergeThere, details.other)] + waiting,
            notice: .warning(text.linkWarning))
    }

    private static func keep(_ choice: MergeDetails.Choice, _ text: ConfirmText) -> String {
        choice.isOwn ? text.keepOwn : text.keepOther
    }

    private static func buttons(
        _ question: Question, _ text: ConfirmText, _ consent: ConsentText
    ) -> [FormView.Button] {
        switch question {
        case .link: [.init(text.link, .primary)]
        case .unlink: [.init(text.unlink, .danger)]
        case .signOutEverywhere: [.init(text.everywhere, .primary)]
        case .deleteAccount: [.init(text.delete, .danger)]
        case .merge(let details):
            details.choices.map { choice in
                .init(
                    keep(choice, text), choice.isOwn ? .primary : .quiet,
                    answer: .init(field: survivorField, value: choice.localID))
            }
        case .undoMerge: [.init(text.undoMerge, .primary)]
        case .signOut: [.init(text.signOut, .primary)]
        case .continueTo(let details): [.init(consent.allow(details.app.name), .primary)]
        }
    }
}

/// The page on which a user allows a device that has no browser (RFC 8628 §3.3).
struct DevicePage: HostedPage {
    let state: State

    enum State: Sendable {
        /// Asks for the code; the form gains the field `user_code`.
        case enterCode(HiddenForm, code: String = "", problem: Problem? = nil)
        /// Asks for the decision; the form gains `decision`, `allow` or `deny`. A terminal's request continues with a link
        /// to the provider: a form's redirect could not leave the broker.
        case confirm(code: String, Asker, HiddenForm)
        case done
        case denied
    }

    enum Problem: Sendable {
        case wrong, expired
    }

    /// The device that requests a sign-in.
    enum Asker: Sendable {
        case app(ConsentDetails)
        case terminal(provider: String, continueHref: String)
    }

    func content(in language: PageLanguage) -> PageContent {
        let text = language.texts.device
        switch state {
        case .enterCode(let form, let code, let problem):
            let view = DeviceCodeView(form, code: code, problem: problem, text)
            return PageContent(title: text.title, template: .deviceCode, view: view)
        case .confirm(let code, let asker, let form):
            return Self.confirmation(code, asker, form, text, language).page()
        case .done:
            return StatementView(symbol: .done, heading: text.doneTitle, paragraphs: [text.doneText]).page()
        case .denied:
            return StatementView(symbol: .problem, heading: text.deniedTitle, paragraphs: [text.deniedText]).page()
        }
    }

    private static func confirmation(
        _ code: String, _ asker: Asker, _ form: HiddenForm, _ text: DeviceText, _ language: PageLanguage
    ) -> StatementView {
        let consent = language.texts.consent
        let deny = FormView.Button(text.deny, .quiet, answer: .init(field: "decision", value: "deny"))
        let allow = FormView.Button(text.allow, .primary, answer: .init(field: "decision", value: "allow"))
        return switch asker {
        case .app(let details):
            StatementView(
                pairing: details.pairing, heading: text.confirmTitle,
                paragraphs: [text.confirmApp(details.app.name), text.compare], code: code,
                who: details.person(consent), receives: details.receives(consent), notice: .warning(text.warning),
                form: FormView(form, [allow, deny]), legal: details.legal(consent))
        case .terminal(let provider, let href):
            StatementView(
                symbol: .question, heading: text.terminalTitle,
                paragraphs: [text.confirmTerminal(provider), text.compare], code: code,
                notice: .warning(text.warning), form: FormView(form, [deny]),
                links: [LinkView(href, text.allow, style: "primary")])
        }
    }
}

/// The values of the `deviceCode` template.
private struct DeviceCodeView: Sendable {
    let symbol = TileView(.phone, tone: "accent")
    let heading, explanation, action, label, code, hint, caption: String
    let fields: [HiddenForm.Field]
    let problem: String?
    /// The ids of what explains the field.
    let describedBy: String

    init(_ form: HiddenForm, code: String, problem: DevicePage.Problem?, _ text: DeviceText) {
        heading = text.title
        explanation = text.explanation
        action = form.action.href
        fields = form.fields
        label = text.label
        self.code = code
        hint = text.hint
        caption = text.proceed
        switch problem {
        case .wrong: self.problem = text.wrongCode
        case .expired: self.problem = text.expiredCode
        case nil: self.problem = nil
        }
        describedBy = problem == nil ? "hint" : "problem hint"
    }
}

/// The values of the `form` template: hidden fields, buttons, and at most one box to tick first.
struct FormView: Sendable {
    let action: String
    let fields: [HiddenForm.Field]
    let consent: Consent?
    /// `stack` for buttons below each other, `inline` for one button in a row.
    let arrangement: String
    /// `wide` or `compact`: how large its buttons are.
    let size: String
    let buttons: [Button]
    let leave: LinkView?

    struct Consent: Sendable {
        let field, text: String
    }

    struct Button: Sendable {
        let caption: String
        let style: String
        /// The context of the button, for screen readers, which read it outside its row.
        let spoken: String?
        /// Which of several buttons was pressed.
        let answer: Answer?

        init(_ caption: String, _ style: Style, spoken: String? = nil, answer: Answer? = nil) {
            self.caption = caption
            self.style = style.rawValue
            self.spoken = spoken
            self.answer = answer
        }
    }

    enum Style: String, Sendable {
        /// `quiet` is the plain button with an edge; `danger` confirms what cannot be undone, `careful` leads there.
        case primary, danger, careful, quiet
    }

    struct Answer: Sendable {
        let field, value: String
    }

    /// Buttons below each other, over the whole width.
    init(_ form: HiddenForm, consent: Consent? = nil, _ buttons: [Button], leave: LinkView? = nil) {
        action = form.action.href
        fields = form.fields
        self.consent = consent
        arrangement = "stack"
        size = "wide"
        self.buttons = buttons
        self.leave = leave
    }

    /// One button at the end of a row or of a section.
    init(inRow form: HiddenForm, _ button: Button) {
        action = form.action.href
        fields = form.fields
        consent = nil
        arrangement = "inline"
        size = "compact"
        buttons = [button]
        leave = nil
    }
}

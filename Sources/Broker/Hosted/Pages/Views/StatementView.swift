/// The values of the `statement` template: one card that says something and may ask something.
struct StatementView: Sendable {
    var symbol: Symbol?
    let heading: String
    let paragraphs: [String]
    /// A device's code, to be compared.
    var code: String?
    var facts: [Fact] = []
    var notice: NoticeView?
    var form: FormView?
    var links: [LinkView] = []
    /// Below the form.
    var alternatives: [LinkView] = []
    var reference: Fact?

    struct Symbol: Sendable {
        let tone, sign: String

        static let done = Symbol(tone: "good", sign: "✓")
        static let problem = Symbol(tone: "warning", sign: "!")
        static let question = Symbol(tone: "remark", sign: "?")
    }

    struct Fact: Sendable {
        let label, value: String
    }

    /// The statement as a page of its own.
    func page(title: String? = nil) -> PageContent {
        PageContent(title: title ?? heading, template: .statement, view: self)
    }
}

/// A remark above the rest of a page. Colour, sign and role say the same thing.
struct NoticeView: Sendable {
    let tone, sign, role, text: String

    static func good(_ text: String) -> NoticeView { .init(tone: "good", sign: "✓", role: "status", text: text) }
    static func remark(_ text: String) -> NoticeView { .init(tone: "remark", sign: "i", role: "status", text: text) }
    static func warning(_ text: String) -> NoticeView { .init(tone: "warning", sign: "!", role: "alert", text: text) }
}

/// A link among the buttons of a page.
struct LinkView: Sendable {
    let href, text, style: String

    init(_ address: String, _ text: String, style: String = "plain") {
        href = PageLink(address).href
        self.text = text
        self.style = style
    }
}

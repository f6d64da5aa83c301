/// What the `statement` template reads: one card that says something and may ask something.
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

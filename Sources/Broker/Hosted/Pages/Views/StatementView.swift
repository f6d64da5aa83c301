/// The values of the `statement` template: one card that says something and may ask something.
struct StatementView: Sendable {
    var symbol: TileView?
    /// In place of a symbol.
    var pairing: Pairing?
    let heading: String
    let paragraphs: [String]
    /// A device's code, to be compared.
    var code: String?
    /// The account that is asked about.
    var who: PersonView?
    var receives: Receives?
    var facts: [Fact] = []
    var notice: NoticeView?
    var form: FormView?
    var links: [LinkView] = []
    /// Below the form.
    var alternatives: [LinkView] = []
    /// Small, below the buttons.
    var legal: Legal?
    /// What only developers and operators understand, folded.
    var details: Details?
    var reference: Reference?

    /// Two that are connected, such as an app and the site.
    struct Pairing: Sendable {
        let app, site: TileView
        let drawing = PageIcon.link.svg
    }

    /// What an app receives, one row each.
    struct Receives: Sendable {
        let caption: String
        let rows: [Row]

        struct Row: Sendable {
            let drawing, name: String
            let detail: String?

            init(_ icon: PageIcon, _ name: String, detail: String? = nil) {
                (drawing, self.name, self.detail) = (icon.svg, name, detail)
            }
        }
    }

    struct Fact: Sendable {
        let label, value: String
    }

    /// A sentence and links that belong to it.
    struct Legal: Sendable {
        let sentence: String?
        let links: [LinkView]
    }

    struct Details: Sendable {
        let caption: String
        let rows: [Fact]
    }

    /// A code to copy, whose groups of five are set apart without a blank between them.
    struct Reference: Sendable {
        let label: String
        let groups: [String]

        init(label: String, value: String) {
            self.label = label
            var rest = value[...]
            var groups: [String] = []
            while !rest.isEmpty {
                groups.append(String(rest.prefix(5)))
                rest = rest.dropFirst(5)
            }
            self.groups = groups
        }
    }

    /// The statement as a page of its own.
    func page(title: String? = nil) -> PageContent {
        PageContent(title: title ?? heading, template: .statement, view: self)
    }
}

/// A remark above the rest of a page. Colour, icon and role say the same thing.
struct NoticeView: Sendable {
    let tone, role, drawing, text: String

    private init(_ icon: PageIcon, tone: String, role: String, _ text: String) {
        (self.tone, self.role, drawing, self.text) = (tone, role, icon.svg, text)
    }

    static func good(_ text: String) -> NoticeView { .init(.check, tone: "good", role: "status", text) }
    static func remark(_ text: String) -> NoticeView { .init(.info, tone: "", role: "status", text) }
    static func warning(_ text: String) -> NoticeView { .init(.alert, tone: "warn", role: "alert", text) }
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

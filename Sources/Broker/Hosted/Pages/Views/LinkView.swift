/// A link among the buttons of a page.
struct LinkView: Sendable {
    let href, text, style: String

    init(_ address: String, _ text: String, style: String = "plain") {
        href = PageLink(address).href
        self.text = text
        self.style = style
    }
}

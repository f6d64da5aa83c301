/// A page for reference, whose markup is made of what it describes, such as the OpenAPI document.
struct ReferencePage: HostedPage {
    var title = "API"
    /// Markup with all values escaped.
    let html: String

    func content(in language: PageLanguage) -> PageContent {
        PageContent(title: title, template: .operations, view: self, layout: .sections([]))
    }
}

extension PageTemplate {
    /// In the scope of a ``ReferencePage``.
    static let operationsSource = "{{{html}}}"
}

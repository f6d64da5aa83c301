/// The description of the API, whose markup is made of the OpenAPI document.
struct ReferencePage: HostedPage {
    /// Markup with all values escaped.
    let html: String

    func content(in language: PageLanguage) -> PageContent {
        PageContent(title: "API", template: .operations, view: self, layout: .sections([]))
    }
}

extension PageTemplate {
    /// In the scope of a ``ReferencePage``.
    static let operationsSource = "{{{html}}}"
}

/// A page of the broker: values in, a document out. What a page says comes from its texts, how it looks
/// from its template; neither decides anything.
protocol HostedPage: Sendable {
    /// The page in one language.
    func content(in language: PageLanguage) -> PageContent
}

/// The content of a page between the broker's header and footer.
struct PageContent: Sendable {
    /// Stands in the browser's tab, before the site's name.
    let title: String
    let template: PageTemplate
    /// The values of the template, by the names of its stored properties.
    let view: any Sendable
    /// Whether it shows moments, which a script puts into the reader's time zone.
    var showsMoments = false
}

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
    var layout = PageLayout.card
    /// Whether it shows moments, which a script puts into the reader's time zone.
    var showsMoments = false
    /// Rules of its own, after those of the style sheet.
    var style = ""
}

/// How a page is laid out.
enum PageLayout: Sendable {
    /// One narrow column, for one question.
    case card
    /// Sections in a wide column beside a list of them, if there is one, and a form at the top.
    case sections([ContentsView.Anchor], action: FormView? = nil)
}

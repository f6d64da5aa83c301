import HTTPTypes
import Hummingbird
import ProviderKit

/// Every hosted page and every page of the console in every state, with made-up users and apps, at an address of its own.
/// Its forms lead nowhere.
package struct PagePreview: Sendable {
    private let renderer: PageRenderer
    private let languages: PageLanguages
    private let samples: [String: any HostedPage]
    /// By their paths.
    private let pictures: [String: PublicDocument]
    private let console: [String: ConsolePage]
    private let frame: ConsoleFrame
    /// The names of the pages, which are their paths too, in the order of the list.
    package let names: [String]
    /// Those of the console's pages, which are in English only.
    package let consoleNames: [String]

    /// The tags of the languages that every page is in; `ui_locales` chooses one.
    package var languageTags: [String] { languages.all.map(\.tag) }

    /// - Parameters:
    ///   - configuration: The broker whose brand and texts the pages show; nil for a made-up one.
    ///   - siteName: Stands on top of each page in place of the brand's name.
    /// - Throws: ``ConfigurationError`` of a text.
    package init(_ configuration: Configuration?, siteName: String?) throws {
        var brand =
            configuration.map { PageBrand($0) }
            ?? PageBrand(
                name: "Fernwick", homeHref: "/", termsHref: "/#terms", privacyHref: "/#privacy",
                supportHref: "/#support")
        if let siteName { brand.name = siteName }
        var made = HostedPageSamples()
        made.site = brand.name
        let all = made.all
        languages = try PageLanguages(site: brand.name, folder: configuration?.pageTexts)
        renderer = PageRenderer(publicURL: "http://127.0.0.1", brand: brand, languages: languages)
        pictures = (configuration?.branding.documents(lifetime: 0) ?? [:])
            .merging([DefaultIcon.path: DefaultIcon.document]) { own, _ in own }
        names = all.map(\.name)
        samples = Dictionary(all.map { ($0.name, $0.page) }) { first, _ in first }
        var consoleSamples = ConsoleSamples()
        consoleSamples.site = brand.name
        frame = consoleSamples.frame
        consoleNames = consoleSamples.all.map(\.name)
        console = Dictionary(consoleSamples.all.map { ($0.name, $0.page) }) { first, _ in first }
    }

    /// The list of the pages at `/`, and each page at `/NAME`.
    func response(to request: Request) -> Response {
        let target = request.head.path ?? "/"
        let path = String(target.prefix { $0 != "?" })
        if let picture = pictures[path] { return picture.response(to: request) }
        let name = String(path.dropFirst())
        if let page = console[name] { return page.response(in: frame, isSecure: false) }
        let language = languages.language(
            uiLocales: (try? QueryParameters(queryOf: request))?["ui_locales"],
            acceptLanguage: request.headers[.acceptLanguage])
        let page: (any HostedPage)? = name.isEmpty ? index : samples[name]
        let shown = page ?? ErrorPage(cause: .notFound, requestID: "", exit: nil)
        return response(shown, language, target: target, status: page == nil ? .notFound : .ok)
    }

    private func response(
        _ page: some HostedPage, _ language: PageLanguage, target: String, status: HTTPResponse.Status
    ) -> Response {
        renderer.response(
            page, language: language, languageURL: { PageLanguage.address(target, in: $0) }, status: status)
    }

    private var index: ReferencePage {
        let rows = (names + consoleNames).map { "<li><a class=\"name\" href=\"/\($0)\">\($0)</a></li>" }.joined()
        return ReferencePage(
            title: "Pages",
            html: "<h1>Pages</h1><section class=\"panel\"><ul class=\"rows\">\(rows)</ul></section>")
    }
}

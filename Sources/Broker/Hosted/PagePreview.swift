import HTTPTypes
import Hummingbird
import ProviderKit

/// Every hosted page in every state, with made-up users and apps, at an address of its own. Its forms lead nowhere.
struct PagePreview: Sendable {
    private let renderer: PageRenderer
    private let siteName: String
    let languages: PageLanguages
    private let samples: [String: any HostedPage]
    /// By their paths.
    private let pictures: [String: PublicDocument]
    /// In the order of the list.
    let names: [String]

    /// - Parameters:
    ///   - brand: Stands on top and at the foot of each page.
    ///   - pictures: Those of the brand.
    ///   - texts: A folder with texts of one's own.
    /// - Throws: An error of a template, or ``ConfigurationError`` of a text.
    init(brand: PageBrand, pictures: [BrandImage], texts: String?) throws {
        var made = HostedPageSamples()
        made.site = brand.name
        let all = made.all
        languages = try PageLanguages(site: brand.name, folder: texts)
        renderer = try PageRenderer(publicURL: "http://127.0.0.1", brand: brand, languages: languages)
        siteName = brand.name
        self.pictures = pictures.reduce(into: [DefaultIcon.path: DefaultIcon.document]) { pictures, picture in
            pictures[BrandPath.image(picture.name)] = PublicDocument(
                picture: picture.bytes, picture.format.mediaType, lifetime: 0)
        }
        names = all.map(\.name)
        samples = Dictionary(all.map { ($0.name, $0.page) }) { first, _ in first }
    }

    /// The list of the pages at `/`, and each page at `/NAME`.
    func response(to request: Request) -> Response {
        let target = request.head.path ?? "/"
        let path = String(target.prefix { $0 != "?" })
        if let picture = pictures[path] { return picture.response(to: request) }
        let name = String(path.dropFirst())
        let language = languages.language(
            uiLocales: (try? QueryParameters(queryOf: request))?["ui_locales"],
            acceptLanguage: request.headers[.acceptLanguage])
        let page: (any HostedPage)? = name.isEmpty ? index : samples[name]
        let shown = page ?? ErrorPage(cause: .notFound, site: siteName, requestID: "", exit: nil)
        return response(shown, language, target: target, status: page == nil ? .notFound : .ok)
    }

    private func response(
        _ page: some HostedPage, _ language: PageLanguage, target: String, status: HTTPResponse.Status
    ) -> Response {
        renderer.response(
            page, language: language, languageURL: { PageLanguage.address(target, in: $0) }, status: status)
    }

    private var index: ReferencePage {
        let rows = names.map { "<li><a class=\"name\" href=\"/\($0)\">\($0)</a></li>" }.joined()
        return ReferencePage(
            title: "Pages",
            html: "<h1>Pages</h1><section class=\"panel\"><ul class=\"rows\">\(rows)</ul></section>")
    }
}

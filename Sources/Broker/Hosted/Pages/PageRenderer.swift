import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

/// Renders pages.
struct PageRenderer: Sendable {
    private let brand: PageBrand
    private let languages: PageLanguages
    private let isSecure: Bool

    /// - Parameters:
    ///   - publicURL: Where browsers reach the broker; with `https:` the pages insist on it.
    ///   - brand: Stands on top and at the foot of each page.
    ///   - languages: Those that a page offers.
    init(publicURL: String, brand: PageBrand, languages: PageLanguages = .embedded) {
        self.brand = brand
        self.languages = languages
        isSecure = publicURL.lowercased().hasPrefix("https:")
    }

    /// A page as an answer, with the headers that keep it from being framed, stored, sniffed or run.
    ///
    /// `languageURL` gives the address of the same page in another language; without it the page offers no choice.
    /// `formTargets` are what the page's forms may lead to besides the broker, as ``PagePolicy`` takes them.
    func response(
        _ page: some HostedPage, language: PageLanguage, languageURL: ((PageLanguage) -> String)? = nil,
        status: HTTPResponse.Status = .ok, formTargets: [String] = []
    ) -> Response {
        let content = page.content(in: language)
        let policy = PagePolicy(formTargets: formTargets, isSecure: isSecure, runsScript: content.showsMoments)
        let html = html(content, language: language, languageURL: languageURL, nonce: policy.nonce)
        return Response(
            status: status, headers: policy.headers(language), body: ByteBuffer(string: html))
    }

    /// The document alone; the content security policy calls its style sheet and script by `nonce`.
    func html(
        _ page: some HostedPage, language: PageLanguage, languageURL: ((PageLanguage) -> String)? = nil, nonce: String
    ) -> String {
        html(page.content(in: language), language: language, languageURL: languageURL, nonce: nonce)
    }

    private func html(
        _ content: PageContent, language: PageLanguage, languageURL: ((PageLanguage) -> String)?, nonce: String
    ) -> String {
        let document = DocumentView(
            content, language, brand: brand,
            switches: languageURL.map { LanguageSwitch(languages.all, current: language, url: $0) }, nonce: nonce)
        return PageTemplate.library.render(document, withTemplate: PageTemplate.document.rawValue) ?? ""
    }
}

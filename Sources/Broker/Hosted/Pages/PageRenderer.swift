import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

/// Renders pages. The templates are compiled once.
struct PageRenderer: Sendable {
    private let siteName: String
    private let languages: PageLanguages
    private let isSecure: Bool
    private let templates: MustacheLibrary

    /// - Parameters:
    ///   - publicURL: Where browsers reach the broker; with `https:` the pages insist on it.
    ///   - siteName: Stands on top of each page.
    ///   - languages: Those that a page offers.
    /// - Throws: An error of a template.
    init(publicURL: String, siteName: String = "Broker", languages: PageLanguages = .embedded) throws {
        self.siteName = siteName
        self.languages = languages
        isSecure = publicURL.lowercased().hasPrefix("https:")
        templates = try PageTemplate.library()
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
            status: status, headers: policy.headers(language), body: .init(byteBuffer: ByteBuffer(string: html)))
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
            language: language.tag, direction: language.grammar.direction.rawValue, title: content.title,
            siteName: siteName, nonce: nonce,
            style: StyleSheet.text, script: content.showsMoments ? LocalTimeScript.text : nil,
            switches: languageURL.map { LanguageSwitch(languages.all, current: language, url: $0) },
            main: content.template.rawValue, view: content.view)
        return templates.render(document, withTemplate: PageTemplate.document.rawValue) ?? ""
    }
}

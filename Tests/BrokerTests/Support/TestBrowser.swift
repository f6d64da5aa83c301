import AsyncHTTPClient
import Broker
import BrowserTesting
import Foundation
import NIOCore
import NIOHTTP1
import ProviderKit

/// A browser for sign-in: cookies with their SameSite rule, redirects, forms. No scripts.
///
/// The broker under test listens at a port of its own while its public URL is ``publicURL``; the browser goes there.
final class TestBrowser {
    static let publicURL = "http://127.0.0.1"

    let broker: TestBroker
    /// The origins at which the broker is reached, with the addresses where it listens for each.
    private let sites: [String: String]
    /// Of the broker alone, by origin: the simulators keep nothing in a browser.
    private var jars: [String: [String: String]] = [:]
    /// The cookies of the public URL.
    var cookies: [String: String] {
        get { cookies(at: Self.publicURL) }
        set { jars[Self.publicURL] = newValue }
    }
    /// Every address that was asked for, by whatever way.
    private(set) var visited: [String] = []
    var language = "en"
    var userAgent: String?
    /// Cookies that another site has set.
    var furtherCookies: String?
    /// Addresses it does not open but reports.
    private var stops: ((String) -> Bool)?

    /// - Parameters:
    ///   - broker: What listens at the public URL.
    ///   - further: The broker's other origins, with the addresses where it listens for them.
    init(_ broker: TestBroker, further: [String: String] = [:]) {
        self.broker = broker
        sites = further.merging([Self.publicURL: broker.url]) { $1 }
    }

    /// The cookies of an origin.
    func cookies(at origin: String) -> [String: String] { jars[origin] ?? [:] }

    /// What a browser shows, or where it would go outside of this test.
    struct Page {
        let url: String
        let status: Int
        let headers: HTTPHeaders
        let html: String
        /// Whether the address is an app's, which the test plays.
        let isForeign: Bool

        /// A parameter of the address.
        subscript(_ name: String) -> String? {
            guard let query = url.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
            return FormEncoding.decode(query.utf8)?.first { $0.name == name }?.value
        }
    }

    /// Opens an address as a user does, by a click on some site.
    func open(_ url: String) async throws -> Page {
        try await go(.GET, url, form: nil, from: "https://elsewhere.example", hops: 0)
    }

    /// Opens a path of the broker.
    func visit(_ path: String) async throws -> Page { try await open(Self.publicURL + path) }

    /// Follows the link whose words contain `text`.
    func follow(_ text: String, on page: Page) async throws -> Page {
        guard let link = page.links.first(where: { $0.text.contains(text) }) else {
            throw TestFailure("no link \(text) on: \(page.html)")
        }
        return try await go(.GET, Self.absolute(link.address, on: page.url), form: nil, from: page.url, hops: 0)
    }

    /// Sends a form of the page, the one whose action contains `part`, with some fields changed.
    func submit(
        _ part: String? = nil, on page: Page, _ changes: [String: String?] = [:], origin: String?? = nil
    ) async throws -> Page {
        guard let form = page.forms.first(where: { form in part.map { form.action.contains($0) } ?? true }) else {
            throw TestFailure("no form with \(part ?? "any action") on \(page.url): \(page.html)")
        }
        var fields = form.fields.filter { !changes.keys.contains($0.name) }
        for (name, value) in changes { if let value { fields.append((name, value)) } }
        let target = Self.absolute(form.action, on: page.url)
        return try await go(form.isGet ? .GET : .POST, target, form: fields, from: page.url, origin: origin, hops: 0)
    }

    /// Decides at a provider's page, and tells where the provider sends the browser, which does not go there.
    func answer(on consent: Page, _ person: TestPerson) async throws -> String {
        stops = { $0.hasPrefix(Self.publicURL + "/oauth/callback/") }
        defer { stops = nil }
        return try await submit(on: consent, ["person": person.account]).url
    }

    private func go(
        _ method: HTTPMethod, _ url: String, form: [(name: String, value: String)]?, from: String,
        origin: String?? = nil, hops: Int
    ) async throws -> Page {
        visited.append(url)
        guard let target = address(of: url), stops?(url) != true else {
            return Page(url: url, status: 0, headers: [:], html: "", isForeign: true)
        }
        guard hops < 12 else { throw TestFailure("too many redirects, at last to \(url)") }
        let site = Self.origin(of: url).flatMap { sites[$0] == nil ? nil : $0 }
        let carried = site.map(cookies(at:)) ?? [:]
        var request = HTTPClientRequest(url: target)
        request.method = method
        request.headers.add(name: "Accept-Language", value: language)
        if let userAgent { request.headers.add(name: "User-Agent", value: userAgent) }
        // Lax: cookies come along with links from other sites, not with their forms.
        if site != nil, method == .GET || Self.origin(of: from) == site, !carried.isEmpty {
            let pairs =
                carried.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                + [furtherCookies].compactMap(\.self)
            request.headers.add(name: "Cookie", value: pairs.joined(separator: "; "))
        }
        if let form {
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            if let value = origin ?? Self.origin(of: from) { request.headers.add(name: "Origin", value: value) }
            request.body = .bytes(Array(FormEncoding.encode(form).utf8))
        }
        let response = try await TestClients.client(for: target).execute(request, timeout: .seconds(120))
        if let site { keep(response.headers["Set-Cookie"], at: site) }
        let html = String(decoding: Array(buffer: try await response.body.collect(upTo: 1 << 20)), as: UTF8.self)
        if [301, 302, 303].contains(response.status.code), let location = response.headers.first(name: "Location") {
            return try await go(.GET, Self.absolute(location, on: url), form: nil, from: url, hops: hops + 1)
        }
        let page = Page(
            url: url, status: Int(response.status.code), headers: response.headers, html: html, isForeign: false)
        guard let posted = ReadPage(html).selfPosting else { return page }
        return try await go(
            .POST, Self.absolute(posted.action, on: url), form: posted.fields, from: url, hops: hops + 1)
    }

    private func keep(_ headers: [String], at site: String) {
        for header in headers {
            let parts = header.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { continue }
            let name = String(pair[..<equals])
            let value = parts.contains("Max-Age=0") ? nil : String(pair[pair.index(after: equals)...])
            jars[site, default: [:]][name] = value
        }
    }

    /// Where to really connect; nil for addresses of apps.
    private func address(of url: String) -> String? {
        if let origin = Self.origin(of: url), let address = sites[origin] {
            return address + url.dropFirst(origin.count)
        }
        return url.hasPrefix("http://127.0.0.1:") && !url.contains("/app-of-the-test") ? url : nil
    }

    static func origin(of url: String) -> String? {
        let parts = url.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count >= 3 ? "\(parts[0])//\(parts[2])" : nil
    }

    private static func absolute(_ link: String, on url: String) -> String {
        link.hasPrefix("/") ? (origin(of: url) ?? "") + link : link
    }
}

extension TestBrowser.Page {
    var links: [ReadPage.Link] { ReadPage(html).links }
    var forms: [ReadPage.Form] { ReadPage(html).forms }
}

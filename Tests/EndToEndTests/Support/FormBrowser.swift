import AsyncHTTPClient
import BrowserTesting
import Foundation
import NIOCore
import NIOHTTP1
import ProviderKit
import Testing

/// A browser without scripts: cookies by host, redirects, forms.
final class FormBrowser {
    /// By host and port, then by name: the broker's and the simulators' cookies are told apart.
    private var cookies: [String: [String: String]] = [:]

    struct Page {
        let url: String
        let status: Int
        let html: String

        var links: [ReadPage.Link] { ReadPage(html).links }
        var forms: [ReadPage.Form] { ReadPage(html).forms }
    }

    func open(_ url: String) async throws -> Page { try await go(.GET, url, nil, from: nil) }

    /// Follows a link.
    func follow(_ text: String, on page: Page) async throws -> Page {
        let link = try #require(page.links.first { $0.text.contains(text) }, "\(page.html)")
        return try await go(.GET, Self.absolute(link.address, on: page.url), nil, from: page.url)
    }

    /// Sends the page's form.
    func submit(_ fields: (name: String, value: String)..., on page: Page) async throws -> Page {
        let form = try #require(page.forms.first, "\(page.html)")
        let kept = form.fields.filter { field in !fields.contains { $0.name == field.name } }
        return try await go(.POST, Self.absolute(form.action, on: page.url), kept + fields, from: page.url)
    }

    private func go(
        _ method: HTTPMethod, _ url: String, _ form: [(name: String, value: String)]?, from: String?, hops: Int = 0
    ) async throws -> Page {
        try #require(hops < 12, "too many redirects, at last to \(url)")
        let host = Self.origin(of: url)
        var request = HTTPClientRequest(url: url)
        request.method = method
        let pairs = (cookies[host] ?? [:]).map { "\($0.key)=\($0.value)" }
        if !pairs.isEmpty { request.headers.add(name: "Cookie", value: pairs.joined(separator: "; ")) }
        if let form {
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            request.headers.add(name: "Origin", value: from.map(Self.origin) ?? "null")
            request.body = .bytes(ByteBuffer(string: FormEncoding.encode(form)))
        }
        let response = try await Self.client.execute(request, timeout: .seconds(60))
        for header in response.headers["Set-Cookie"] {
            let pair = header.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { continue }
            cookies[host, default: [:]][String(pair[0])] = header.contains("Max-Age=0") ? nil : String(pair[1])
        }
        let html = String(buffer: try await response.body.collect(upTo: 1 << 20))
        guard [302, 303].contains(response.status.code), let location = response.headers.first(name: "Location") else {
            return Page(url: url, status: Int(response.status.code), html: html)
        }
        let next = Self.absolute(location, on: url)
        // The address of an app ends the way through the browser.
        guard next.hasPrefix("http") else {
            return Page(url: next, status: Int(response.status.code), html: html)
        }
        return try await go(.GET, next, nil, from: url, hops: hops + 1)
    }

    private static func origin(of url: String) -> String {
        url.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }

    private static func absolute(_ link: String, on url: String) -> String {
        link.hasPrefix("/") ? origin(of: url) + link : link
    }

    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // Before the broker does so, which ends idle connections after 15 seconds: a request could be on its way then.
        configuration.connectionPool.idleTimeout = .seconds(5)
        // A whole suite shares two cores: waiting for a connection is no failure of what is tested.
        configuration.timeout.connect = .seconds(120)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}

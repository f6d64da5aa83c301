import AsyncHTTPClient
import Broker
import Foundation
import NIOCore
import NIOHTTP1
import ProviderKit
import ProviderSimulators

/// Somebody's browser at a provider's page, from the URL an app opens to the one the provider sends it back to.
struct BrowserTrip: Sendable {
    /// Where the browser is in the end.
    let url: String
    /// What the provider had it post there, as Apple does.
    let form: String?

    /// What came back, by name.
    var parameters: [String: String] {
        let query = form ?? url.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        let pairs = FormEncoding.decode(query.utf8) ?? []
        return Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// Opens a provider's page and decides there.
    ///
    /// - Parameters:
    ///   - page: The URL the broker made.
    ///   - email: The address by which the page shows whom to continue as; nil cancels.
    /// - Returns: Where the browser is afterwards.
    /// - Throws: A failure when the page is another one than a provider's.
    static func take(to page: String, as email: String?) async throws -> BrowserTrip {
        let consent = try await send(.GET, page)
        guard consent.status == .ok, let form = Form(in: consent.text) else {
            throw TestFailure("no page to decide at: \(consent.text)")
        }
        var fields = form.hidden + form.checked
        if let email {
            guard let person = form.person(showing: email) else { throw TestFailure("nobody with \(email)") }
            fields += [("person", person), ("decision", "authorize")]
        } else {
            fields += [("decision", "cancel")]
        }
        guard let action = URL(string: form.action, relativeTo: URL(string: page)) else {
            throw TestFailure("the form leads nowhere")
        }
        let decided = try await send(.POST, action.absoluteString, form: fields)
        if let location = decided.location { return BrowserTrip(url: location, form: nil) }
        guard let post = Form(in: decided.text) else { throw TestFailure("no way back: \(decided.text)") }
        return BrowserTrip(url: post.action, form: FormEncoding.encode(post.hidden))
    }

    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // A whole suite shares two cores: waiting for a connection is no failure of what is tested.
        configuration.timeout.connect = .seconds(120)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private static func send(
        _ method: HTTPMethod, _ url: String, form: [(name: String, value: String)]? = nil
    ) async throws -> (status: HTTPResponseStatus, location: String?, text: String) {
        var request = HTTPClientRequest(url: url)
        request.method = method
        if let form {
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: FormEncoding.encode(form)))
        }
        let response = try await client.execute(request, timeout: .seconds(120))
        let text = String(buffer: try await response.body.collect(upTo: 1 << 20))
        return (response.status, response.headers.first(name: "Location"), text)
    }

    /// The one form of a page.
    private struct Form {
        let action: String
        let hidden: [(name: String, value: String)]
        /// Check boxes as they are, all of them set.
        let checked: [(name: String, value: String)]
        private let rows: [(person: String, text: String)]

        init?(in html: String) {
            guard let action = html.firstMatch(of: /<form method="post" action="([^"]*)"/) else { return nil }
            self.action = Self.plain(action.1)
            hidden = html.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)"/)
                .map { (Self.plain($0.1), Self.plain($0.2)) }
            checked = html.matches(of: /<input type="checkbox" name="([^"]*)" value="([^"]*)" checked/)
                .map { (Self.plain($0.1), Self.plain($0.2)) }
            rows = html.components(separatedBy: "<label").compactMap { row in
                row.firstMatch(of: /<input type="radio" name="person" value="([^"]*)"/)
                    .map { (Self.plain($0.1), Self.plain(Substring(row))) }
            }
        }

        func person(showing email: String) -> String? { rows.first { $0.text.contains(email) }?.person }

        private static func plain(_ text: Substring) -> String {
            [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
                .reduce(String(text)) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        }
    }
}

extension TestProviders {
    /// Registers one more address the providers may send browsers back to.
    func allow(_ callback: String) {
        var hub = gitHub.defaultApplication
        hub.callbackURL = callback
        gitHub.register(hub)
        var lab = gitLab.defaultApplication
        lab.redirectURIs.append(callback)
        gitLab.register(lab)
        var site = apple.defaultApplication
        site.returnURLs.append(callback)
        apple.register(site)
        var pass = onePass.defaultApplication
        pass.redirectURIs.append(callback)
        onePass.register(pass)
    }
}

import AsyncHTTPClient
import Broker
import BrowserTesting
import Foundation
import NIOCore
import NIOHTTP1
import ProviderKit
import ProviderSimulators

/// A browser's redirect to a provider's page, from the URL an app opens to the provider's answer.
struct ProviderRedirect: Sendable {
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
    ///   - email: The address of the account to continue with on the page; nil cancels.
    /// - Returns: Where the browser is afterwards.
    /// - Throws: A failure when the page is another one than a provider's.
    static func take(to page: String, as email: String?) async throws -> ProviderRedirect {
        let consent = try await send(.GET, page)
        guard consent.status == .ok, let form = ReadPage(consent.text).forms.first else {
            throw TestFailure("no page to decide at: \(consent.text)")
        }
        var fields = form.fields.filter { $0.name != "person" && $0.name != "decision" }
        if let email {
            guard let row = form.choices.first(where: { $0.name == "person" && $0.text.contains(email) }) else {
                throw TestFailure("no account with \(email)")
            }
            fields += [("person", row.value), ("decision", "authorize")]
        } else {
            fields.append(("decision", "cancel"))
        }
        guard let action = URL(string: form.action, relativeTo: URL(string: page)) else {
            throw TestFailure("the form leads nowhere")
        }
        let decided = try await send(.POST, action.absoluteString, form: fields)
        if let location = decided.location { return ProviderRedirect(url: location, form: nil) }
        guard let post = ReadPage(decided.text).forms.first else {
            throw TestFailure("no way back: \(decided.text)")
        }
        return ProviderRedirect(url: post.action, form: FormEncoding.encode(post.fields))
    }

    private static func send(
        _ method: HTTPMethod, _ url: String, form: [(name: String, value: String)]? = nil
    ) async throws -> (status: HTTPResponseStatus, location: String?, text: String) {
        var request = HTTPClientRequest(url: url)
        request.method = method
        if let form {
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: FormEncoding.encode(form)))
        }
        let response = try await TestClients.client(for: url).execute(request, timeout: .seconds(120))
        let text = String(buffer: try await response.body.collect(upTo: 1 << 20))
        return (response.status, response.headers.first(name: "Location"), text)
    }
}

extension TestProviders {
    /// Registers one more address the providers may send browsers back to; GitHub's OAuth apps have one at all.
    func allow(_ callback: String) { allow { _ in callback } }

    /// The same, an address for each provider.
    func allow(_ callback: (_ provider: String) -> String) {
        var hub = gitHub.defaultApplication
        hub.callbackURL = callback("github.com")
        gitHub.register(hub)
        var lab = gitLab.defaultApplication
        lab.redirectURIs.append(callback("gitlab.com"))
        gitLab.register(lab)
        var site = apple.defaultApplication
        site.returnURLs.append(callback("apple.com"))
        apple.register(site)
        var pass = onePass.defaultApplication
        pass.redirectURIs.append(callback("1pass.dev"))
        onePass.register(pass)
    }
}

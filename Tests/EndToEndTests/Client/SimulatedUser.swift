import BrokerClient
import BrowserTesting
import Foundation
import Synchronization
import Testing

/// A user with a browser: does on the broker's and the simulators' pages what they ask for. A browser for each page, as an
/// app's ephemeral one.
final class SimulatedUser: AuthorizationPresenter {
    /// What the user does.
    enum Decision: Sendable {
        /// Authorizes as the account whose row has this text.
        case authorize(as: String)
        case cancelAtProvider
    }

    private struct State {
        var decision: Decision
        var provider: String?
        var shown: [AuthorizationPresentation] = []
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - name: A part of what the provider's page calls the account.
    ///   - provider: A part of what the broker's chooser calls the provider.
    init(_ name: String, choosing provider: String? = nil) {
        state = Mutex(State(decision: .authorize(as: name), provider: provider))
    }

    var shown: [AuthorizationPresentation] { state.withLock { $0.shown } }

    /// From now on the user decides otherwise.
    func will(_ decision: Decision) { state.withLock { $0.decision = decision } }

    func authorize(_ request: AuthorizationPresentation) async throws(BrokerAuthError) -> URL {
        state.withLock { $0.shown.append(request) }
        do {
            let landed = try await visit(request.url.absoluteString, until: "\(request.callbackScheme):")
            return try #require(URL(string: landed))
        } catch {
            Issue.record(error)
            throw .cancelled
        }
    }

    func cancel() {}

    /// Opens an address and goes on until an address begins with `end`, or a page has nothing to do.
    @discardableResult
    func visit(_ url: String, until end: String) async throws -> String {
        let browser = FormBrowser()
        var page = try await browser.open(url)
        for _ in 0..<20 {
            if page.url.hasPrefix(end) { break }
            guard let next = try await act(on: page, in: browser) else { break }
            page = next
        }
        return page.url
    }

    private func act(on page: FormBrowser.Page, in browser: FormBrowser) async throws -> FormBrowser.Page? {
        let (decision, provider) = state.withLock { ($0.decision, $0.provider) }
        guard let form = page.forms.first else {
            guard let provider, page.links.contains(where: { $0.text.contains(provider) }) else { return nil }
            return try await browser.follow(provider, on: page)
        }
        let people = form.choices.filter { $0.name == "person" }
        guard !people.isEmpty else { return try await browser.submit(on: page) }
        switch decision {
        case .authorize(let name):
            let person = try #require(people.first { $0.text.contains(name) }, "\(page.html)")
            return try await browser.submit(("person", person.value), ("decision", "authorize"), on: page)
        case .cancelAtProvider: return try await browser.submit(("decision", "cancel"), on: page)
        }
    }
}

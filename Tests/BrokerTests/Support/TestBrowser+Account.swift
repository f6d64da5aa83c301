import Broker
import BrokerStore
import BrowserTesting
import Foundation
import ProviderKit

extension TestBrowser {
    /// Signs a user in at the hosted pages.
    ///
    /// - Returns: What is shown at the end: the account's page, when all went well.
    func signIn(_ person: TestPerson) async throws -> Page {
        let name = TestProviders.names[person.provider] ?? person.provider
        let consent = try await follow(name, on: try await visit("/sign-in"))
        return try await submit(on: consent, ["person": person.account])
    }

    /// Goes to a provider from the account's page, and comes back with what the user there allowed.
    func connect(_ person: TestPerson) async throws -> Page {
        let account = try await visit("/account")
        let name = TestProviders.names[person.provider] ?? person.provider
        guard let link = account.links.first(where: { $0.address.hasPrefix("/depart") && $0.text.contains(name) })
        else {
            throw TestFailure("\(name) cannot be connected: \(account.html)")
        }
        return try await submit(on: try await open(Self.publicURL + link.address), ["person": person.account])
    }

    /// The session of the hosted pages, as its cookie names it.
    var sessionID: String? {
        cookies["broker-session"].flatMap { $0.split(separator: ".").first?.dropFirst("ws1_".count) }.map(String.init)
    }
}

extension TestBrowser.Page {
    /// The request id of an error page.
    var requestNumber: String {
        let number = html.firstMatch(of: /<p class="reference">.*?<code>(.+?)<\/code>/)?.1
        return String((number ?? "").replacing(/<[^>]+>/, with: ""))
    }

    /// Where the page is in Korean.
    var korean: ReadPage.Link? { links.first { $0.text == "한국어" } }
}

extension TestBroker {
    /// The providers of the user a browser is signed in as.
    func providers(of browser: TestBrowser) async throws -> [String] {
        guard let id = browser.sessionID, let facts = try await core.store.read({ try $0.sessionFacts(id: id) }) else {
            return []
        }
        return facts.identities.map(\.provider)
    }
}

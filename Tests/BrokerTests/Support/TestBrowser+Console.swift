import BrokerStore
import BrowserTesting
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import ProviderKit

@testable import Broker

extension TestBrowser {
    /// Goes to a provider from a page of the console that offers it, and comes back.
    func choose(_ person: TestPerson, on chooser: Page) async throws -> Page {
        let consent = try await follow(TestProviders.names[person.provider] ?? person.provider, on: chooser)
        return try await submit(on: consent, ["person": person.account])
    }

    /// Signs an administrator in to the console.
    ///
    /// - Returns: What is shown at the end.
    func signInToConsole(_ person: TestPerson) async throws -> Page {
        try await choose(person, on: try await visit("/console/sign-in"))
    }

    /// Makes a person an administrator by an invitation, and signs them in.
    func acceptInvitation(_ person: TestPerson, to role: ConsoleRole) async throws {
        let (link, _) = try await broker.core.inviteToConsole(role: role, origin: Origin(.admin, actor: "root"))
        _ = try await choose(person, on: try await open(link))
        guard try await isAtConsole() else { throw TestFailure("the invitation made no session") }
    }

    /// Whether the browser has a valid session of the console.
    func isAtConsole() async throws -> Bool {
        ReadPage.path(of: try await visit("/console/sign-in").url) != "/console/sign-in"
    }

    /// Sends a form with this browser's cookies, from a page of the console unless another origin is named.
    func sendToConsole(
        _ path: String, _ fields: [String: String], origin: String? = publicURL
    ) async throws -> Answer {
        var headers: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
        headers.add(name: "Cookie", value: cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
        if let origin { headers.add(name: "Origin", value: origin) }
        let form = FormEncoding.encode(fields.map { (name: $0.key, value: $0.value) })
        return try await broker.send(.POST, path, headers: headers, body: Array(form.utf8))
    }

    var consoleCookie: String? {
        get { cookies["broker-console"] }
        set { cookies["broker-console"] = newValue }
    }
}

extension ReadPage {
    /// The path of an address.
    static func path(of url: String) -> String { URL(string: url)?.path() ?? "" }
}

extension TestBroker {
    /// The context of the console.
    func consoleAccess() throws -> ConsoleAccess { ConsoleAccess(core.admin, try BrokerServer(core).hostedPages()) }

    /// A request of a browser's administrator, as a route of the console gets it; `form` is what it sends.
    func consoleVisit(of browser: TestBrowser, form: [String: String]? = nil) async throws -> ConsoleVisit {
        let access = try consoleAccess()
        let cookie = "broker-console=" + (browser.consoleCookie ?? "")
        let request = Request(
            head: HTTPRequest(
                method: .get, scheme: "http", authority: "127.0.0.1", path: "/console", headerFields: [.cookie: cookie]),
            body: .whole(ByteBuffer()))
        guard let identity = try await access.session(of: request, at: core.now) else {
            throw TestFailure("no session of the console")
        }
        let fields = form.map { FormEncoding.encode($0.map { (name: $0.key, value: $0.value) }) }
        return ConsoleVisit(
            access: access, identity: identity,
            context: BrokerRequestContext(
                client: RequestClient(address: nil, network: nil, hash: ""), requestID: "request"), path: "/console",
            target: "/console", query: try QueryParameters(queryOf: request),
            form: try fields.map { try QueryParameters(encoded: $0.utf8, withLines: true) },
            isLoginRecent: RecentLogin.isRecent(identity.session.authTime, at: core.now))
    }

    /// The audit's events of the console, the latest first.
    func consoleEvents() async throws -> [String] {
        try await core.store.read { try $0.auditEntries(AuditFilter(event: "console."), limit: 100) }.map(\.event)
    }
}

import BrokerStore
import BrowserTesting
import Foundation
import HTTPTypes
import NIOHTTP1
import PostgreSQLTesting
import ProviderKit
import Testing

@testable import Broker

@Suite("The safety of every route of the console", .oneEngine("headers, cookies and forms"))
struct ConsoleSecurityTests {
    /// A path of the console, with something in place of its names.
    private struct Door: CustomStringConvertible {
        let template: String
        let path: String

        init(_ template: String) {
            self.template = template
            path = template.replacing(/\{[^}]+\}/, with: "some")
        }

        var description: String { template }
    }

    private static func doors(_ method: HTTPRequest.Method, of broker: TestBroker) throws -> [Door] {
        let (server, routes) = (BrokerServer(broker.core), Routes(.identityToolkit))
        server.addConsole(try server.hostedPages(), to: routes)
        return routes.table.all.filter { $0.operation(method) != nil }.map { Door($0.template) }
    }

    /// The pages of the sign-in, which open without a session.
    private static let open: Set<String> = [
        ConsolePaths.signIn, ConsolePaths.redirect, ConsolePaths.invitation("{secret}"),
        ConsolePaths.callback(of: "{provider}"),
    ]

    private func withOwner(
        _ test: (TestBroker, TestProviders, TestBrowser) async throws -> Void
    ) async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            try await browser.acceptInvitation(
                try providers.person(at: "github.com", email: "ann@example.com"), to: .owner)
            try await test(broker, providers, browser)
        }
    }

    @Test func `no page opens without a session of the console`() async throws {
        try await withOwner { broker, providers, browser in
            let user = TestBrowser(broker)
            let ben = try providers.person(at: "github.com", email: "ben@example.com")
            _ = try await user.signIn(ben)
            let hosted = try #require(user.cookies["broker-session"])
            let console = try #require(browser.consoleCookie)
            let idToken = try await broker.signIn(ben).string("idToken")
            let admin = try await broker.core.sessions.adminCredentials.create(
                named: "Test", scopes: [.admin], lifetime: nil, origin: Origin(.admin, actor: "root"))
            let strangers: [HTTPHeaders] = [
                [:], ["Cookie": "broker-session=\(hosted)"], ["Cookie": "broker-console=\(hosted)"],
                ["Cookie": "broker-console=\(console)x"], ["Cookie": "broker-console=\(console.dropLast())"],
                ["Cookie": "broker-session=\(console)"], ["Cookie": "__Host-broker-console=\(console)"],
                ["Authorization": "Bearer \(admin.token.text)"], ["Cookie": "broker-console=\(admin.token.text)"],
                ["Authorization": "Bearer \(idToken)"], ["Cookie": "broker-console=\(idToken)"],
            ]
            for method in [HTTPRequest.Method.get, .post] {
                for door in try Self.doors(method, of: broker) where !Self.open.contains(door.template) {
                    for headers in strangers {
                        let answer = try await send(method, door, headers, to: broker)
                        #expect(answer.status == 303, "\(method) \(door) \(headers)")
                        let target = answer.headers.first(name: "Location") ?? ""
                        #expect(ReadPage.path(of: target) == ConsolePaths.signIn, "\(method) \(door) \(headers)")
                    }
                }
            }
        }
    }

    @Test func `the cookies of two sessions open nothing together`() async throws {
        try await withOwner { broker, _, browser in
            let console = try #require(browser.consoleCookie)
            let answer = try await broker.get(
                "/console/sign-in", headers: ["Cookie": "broker-console=\(console); broker-console=\(console)"])
            #expect(answer.status == 403)
        }
    }

    @Test func `no form is taken from elsewhere, nor without the token of its session and its path`() async throws {
        try await withOwner { broker, providers, browser in
            let other = TestBrowser(broker)
            try await other.acceptInvitation(
                try providers.person(at: "github.com", email: "cleo@example.com"), to: .owner)
            let visit = try await broker.consoleVisit(of: browser)
            let foreign = try await broker.consoleVisit(of: other)
            let before = try await broker.core.store.read { try $0.auditEntries(AuditFilter(), limit: 1000) }.count
            let doors = try Self.doors(.post, of: broker)
            #expect(!doors.isEmpty)
            for door in doors {
                let fields = ["form": try visit.token(for: door.path), "reason": "A test."]
                for origin in [nil, "null", "https://evil.example", "https://127.0.0.1", "http://127.0.0.1:1"] {
                    let answer = try await browser.sendToConsole(door.path, fields, origin: origin)
                    #expect(answer.status == 403, "\(door) from \(origin ?? "nowhere")")
                }
                for token in [
                    nil, "", "AAAA", try foreign.token(for: door.path), try visit.token(for: door.path + "x"),
                    try visit.access.sealed(ConsoleRedirect.KeptForm(path: door.path, fields: [:]), visit.identity),
                    try visit.access.pages.sealed(.profile, ConsoleFormToken(path: door.path), Self.hosted(browser)),
                ] {
                    var fields = ["reason": "A test."]
                    fields["form"] = token
                    let answer = try await browser.sendToConsole(door.path, fields)
                    #expect(answer.status == 400, "\(door) with \(token ?? "no token")")
                }
            }
            let after = try await broker.core.store.read { try $0.auditEntries(AuditFilter(), limit: 1000) }.count
            #expect(after == before)
            #expect(try await browser.isAtConsole())
        }
    }

    /// A visit of the hosted pages in the same browser.
    private static func hosted(_ browser: TestBrowser) -> Visit {
        Visit(
            session: nil, browser: browser.consoleCookie ?? "", knownAs: [], cookies: RequestCookies(header: ""),
            language: .english, requestID: "", target: "/", place: .own)
    }

    @Test func `a form expires after an hour, and with its session`() async throws {
        try await withOwner { broker, _, browser in
            let token = try await broker.consoleVisit(of: browser).token(for: ConsolePaths.signOut)
            for _ in 0..<5 {
                broker.clock.advance(seconds: 800)
                #expect(try await browser.isAtConsole())
            }
            let answer = try await browser.sendToConsole(ConsolePaths.signOut, ["form": token])
            #expect(answer.status == 400)
        }
    }

    @Test func `no change is done with a login of long ago`() async throws {
        try await withOwner { broker, _, browser in
            broker.clock.advance(seconds: 600)
            let visit = try await broker.consoleVisit(of: browser)
            let names = AdminOperations.all.map { $0.declaration }.filter { $0.effect != .reads }.map(\.name)
            let changes = try Self.doors(.post, of: broker).filter { door in
                names.contains { door.template == OperationRoutes.path + "/" + $0 }
            }
            #expect(changes.count > 30)
            for door in changes {
                let answer = try await browser.sendToConsole(
                    door.path, ["form": try visit.token(for: door.path), "reason": "A test."])
                #expect(answer.status == 403 && answer.text.contains("Sign in again first"), "\(door)")
            }
        }
    }

    @Test func `a token that was made before a change of role opens no more than the role does`() async throws {
        try await withOwner { broker, providers, browser in
            let token = try await broker.consoleVisit(of: browser).token(for: "/console")
            let administrators = broker.core.sessions.consoleAdministrators
            let id = try #require(try await administrators.all().first).id
            // The console stays on.
            try await TestBrowser(broker).acceptInvitation(
                try providers.person(at: "github.com", email: "cleo@example.com"), to: .owner)
            _ = try await administrators.setRole(.viewer, id: id, origin: Origin(.admin, actor: "root"))
            let visit = try await broker.consoleVisit(of: browser, form: ["form": token, "reason": "A test."])
            await #expect(throws: ConsoleRefusal.roleTooLow(.admin)) { try await visit.run(ListAdminTokens()) }
            _ = try await administrators.remove(id: id, origin: Origin(.admin, actor: "root"))
            let answer = try await browser.sendToConsole(ConsolePaths.signOut, ["form": token])
            #expect(answer.headers.first(name: "Location") == ConsolePaths.signIn)
        }
    }

    @Test func `no page can be framed, stored or run scripts`() async throws {
        try await withOwner { broker, _, browser in
            let cookie: HTTPHeaders = ["Cookie": "broker-console=\(browser.consoleCookie ?? "")"]
            for door in try Self.doors(.get, of: broker) {
                let answer = try await broker.get(door.path, headers: cookie)
                #expect(answer.headers.first(name: "Cache-Control") == "no-store", "\(door)")
                #expect(answer.headers.first(name: "Access-Control-Allow-Origin") == nil, "\(door)")
                guard answer.status != 303 else { continue }
                let policy = answer.headers.first(name: "Content-Security-Policy") ?? ""
                #expect(policy.hasPrefix("default-src 'none'; style-src 'nonce-"), "\(door) \(answer.status)")
                #expect(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'self';"), "\(door)")
                #expect(!policy.contains("script-src") && !answer.text.contains("<script"), "\(door)")
                #expect(answer.headers.first(name: "X-Frame-Options") == "DENY", "\(door)")
                #expect(answer.headers.first(name: "Referrer-Policy") == "same-origin", "\(door)")
            }
        }
    }

    @Test func `a foreign host is not answered`() async throws {
        try await withOwner { broker, _, browser in
            let cookie = "broker-console=\(browser.consoleCookie ?? "")"
            for door in try Self.doors(.get, of: broker) {
                let answer = try await broker.get(door.path, headers: ["Cookie": cookie, "Host": "evil.example"])
                #expect(answer.status == 400, "\(door)")
            }
        }
    }

    @Test func `the session's cookie is for this host alone and for no script`() async throws {
        let name = CookieName("broker-console", publicURL: "https://id.example")
        let header = SetCookie(name, to: "cs1_a.b", maxAge: nil).header
        #expect(header == "__Host-broker-console=cs1_a.b; Path=/; HttpOnly; SameSite=Lax; Secure")
        try await TestBroker.run { broker in
            let own = CookieName("broker-console", publicURL: broker.core.configuration.publicURL)
            let used = try broker.consoleAccess().sessionCookie
            #expect(used == own)
        }
    }

    private func send(
        _ method: HTTPRequest.Method, _ door: Door, _ headers: HTTPHeaders, to broker: TestBroker
    ) async throws -> Answer {
        guard method == .post else { return try await broker.get(door.path, headers: headers) }
        var headers = headers
        headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        headers.add(name: "Origin", value: TestBrowser.publicURL)
        return try await broker.send(.POST, door.path, headers: headers, body: Array("reason=why".utf8))
    }
}

import BrokerStore
import BrowserTesting
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("Signing in to the console")
struct ConsoleSignInTests {
    private static func address(
        _ email: String, _ role: ConsoleRole = .viewer, at provider: String = "github.com"
    ) -> (inout Configuration) -> Void {
        { $0.console.administrators = [.init(provider: provider, email: email, role: role)] }
    }

    private static let admin = Origin(.admin, actor: "root")

    @Test func `the console is off until there is an administrator or an invitation`() async throws {
        try await TestProviders.runHosted { broker, _ in
            let browser = TestBrowser(broker)
            for path in ["/console", "/console/sign-in", "/console/resume"] {
                let page = try await browser.visit(path)
                #expect(page.status == 404, "\(path)")
            }
            let uninvited = try await browser.visit("/console/invitation/none")
            #expect(uninvited.status == 400)
        }
    }

    @Test func `a provider's answer finds no page while the console is off, and is unknown while it is on`()
        async throws
    {
        try await TestProviders.runHosted { broker, providers in
            let paths = [
                "github.com", "github.com?code=c&state=unknown", "github.com?state=a&state=b", "apple.com?h=unknown",
                "apple.com", "unknown.example?code=c&state=unknown",
            ].map { ConsolePaths.callback(of: $0) }
            let browser = TestBrowser(broker)
            for path in paths {
                let page = try await browser.visit(path)
                #expect(page.status == 404, "\(path)")
            }
            // The first administrator is at the provider, and cancels.
            let (link, _) = try await broker.core.inviteToConsole(role: .owner, origin: Self.admin)
            let consent = try await browser.follow("GitHub", on: try await browser.open(link))
            let cancelled = try await browser.submit(on: consent, ["decision": "cancel"])
            #expect(cancelled.status == 400 && cancelled.html.contains("cancelled at the provider"))

            try await browser.acceptInvitation(
                try providers.person(at: "github.com", email: "ann@example.com"), to: .owner)
            for path in paths {
                let page = try await TestBrowser(broker).visit(path)
                #expect(page.status == 400, "\(path)")
            }
        }
    }

    @Test func `invitations are listed until they are accepted or end`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            func list() async throws -> ListConsoleAdministrators.Answer {
                try await ListConsoleAdministrators().run(for: AdminCall(broker.core.admin, origin: Self.admin))
            }
            let (link, expiresAt) = try await broker.core.inviteToConsole(role: .owner, origin: Self.admin)
            let madeAt = broker.core.now
            broker.clock.advance(seconds: 60)
            _ = try await broker.core.inviteToConsole(role: .viewer, origin: Self.admin)

            let both = try await list()
            #expect(both.administrators.isEmpty && both.invitations.map(\.role) == [.owner, .viewer])
            #expect(both.invitations.first?.createdAt == madeAt && both.invitations.first?.expiresAt == expiresAt)
            let secret = String(link.split(separator: "/").last ?? "")
            let text = ListConsoleAdministrators().text(of: both).description
            #expect(text.contains("viewer") && text.contains(expiresAt.minuteText) && !text.contains(secret))

            let browser = TestBrowser(broker)
            _ = try await browser.choose(ann, on: try await browser.open(link))
            #expect(try await list().invitations.map(\.role) == [.viewer])
            let page = try await browser.visit(ConsoleSection.access.path)
            #expect(page.html.contains("Open invitations") && page.html.contains("Viewer"), "\(page.html)")

            broker.clock.advance(seconds: 900)
            #expect(try await list().invitations.isEmpty)
        }
    }

    @Test(arguments: TestProviders.ids)
    func `an administrator signs in at each provider, without becoming a user`(_ provider: String) async throws {
        let change = Self.address("ann@example.com", at: provider)
        try await TestProviders.runHosted(change) { broker, providers in
            let browser = TestBrowser(broker)
            let page = try await browser.signInToConsole(
                try providers.person(at: provider, email: "ann@example.com"))

            #expect(ReadPage.path(of: page.url) == "/console", "\(page.url) \(page.html)")
            #expect(try await browser.isAtConsole())
            #expect(browser.cookies["broker-session"] == nil)
            #expect(try await broker.core.store.read { try $0.users(after: nil, limit: 10) }.isEmpty)
            #expect(try await broker.consoleEvents() == ["console.signed-in", "console.administrator-added"])
        }
    }

    @Test func `an address counts only where this entry asserts it as verified and is trusted with that`() async throws
    {
        try await TestProviders.runHosted(Self.address("ann@example.com", at: "1pass.dev")) { broker, providers in
            let elsewhere = try await TestBrowser(broker).visit("/console/redirect?provider=gitlab.com")
            #expect(elsewhere.status == 404, "no administrator has this provider")
            for person in [
                try providers.person(at: "1pass.dev", email: "ann@example.com", isVerified: false),
                try providers.person(at: "1pass.dev", email: "ben@example.com"),
            ] {
                let browser = TestBrowser(broker)
                let chooser = try await browser.visit("/console/sign-in")
                let refused = try await browser.choose(person, on: chooser)
                #expect(chooser.links.filter { $0.address.hasPrefix("/console/redirect") }.count == 1)
                #expect(refused.status == 403, "\(refused.html)")
                #expect(try await !browser.isAtConsole())
            }
        }
        try await TestProviders.runHosted(
            Self.address("ann@example.com"), entries: { $0["trustEmail"] = false }
        ) { broker, providers in
            let browser = TestBrowser(broker)
            let refused = try await browser.signInToConsole(
                try providers.person(at: "github.com", email: "ann@example.com"))
            #expect(refused.status == 403)
            #expect(try await broker.consoleEvents() == ["console.refused"])
        }
    }

    @Test func `the first subject that has an address keeps it`() async throws {
        try await TestProviders.runHosted(Self.address("ann@example.com")) { broker, providers in
            let first = try providers.person(at: "github.com", email: "ann@example.com")
            let second = try providers.person(at: "github.com", email: "ann@example.com")

            _ = try await TestBrowser(broker).signInToConsole(first)
            let refused = try await TestBrowser(broker).signInToConsole(second)
            #expect(refused.status == 403)
            let again = try await TestBrowser(broker).signInToConsole(first)
            #expect(ReadPage.path(of: again.url) == "/console")

            let bound = try #require(try await broker.core.sessions.consoleAdministrators.all().first)
            _ = try await broker.core.sessions.consoleAdministrators.remove(id: bound.id, origin: Self.admin)
            let free = try await TestBrowser(broker).signInToConsole(second)
            #expect(ReadPage.path(of: free.url) == "/console", "removed, the address is free")
        }
    }

    @Test func `a subject of the configuration is an administrator, at its own issuer only`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "gitlab.com", email: "ann@example.com")
            let entry = try #require(broker.core.providers.current.provider("gitlab.com"))
            for issuer in [entry.instance, "https://gitlab.example"] {
                try await broker.withSecondBroker(
                    {
                        $0.console.administrators = [
                            .init(provider: "gitlab.com", issuer: issuer, subject: person.subject, role: .operator)
                        ]
                    }, plugins: TestProviders.plugins
                ) { second in
                    let browser = TestBrowser(second)
                    _ = try await browser.signInToConsole(person)
                    let isAtConsole = try await browser.isAtConsole()
                    #expect(isAtConsole == (issuer == entry.instance))
                }
            }
        }
    }

    @Test func `what is linked to or merged into an administrator's user makes no user an administrator`() async throws
    {
        try await TestProviders.runHosted(Self.address("ann@example.com", .owner)) { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let other = try providers.person(at: "gitlab.com", email: "ann@example.com")
            _ = try await TestBrowser(broker).signInToConsole(ann)
            let session = try await broker.signIn(ann)
            _ = try await broker.signIn(other, linkingTo: session)

            // Another administrator has the same provider.
            try await TestBrowser(broker).acceptInvitation(
                try providers.person(at: "gitlab.com", email: "cleo@example.com"), to: .viewer)
            let browser = TestBrowser(broker)
            #expect(try await browser.signInToConsole(other).status == 403)
        }
    }

    @Test func `what the console refuses is recorded with its cause, and is no failed sign-in of a user`() async throws
    {
        try await TestProviders.runHosted(Self.address("ann@example.com")) { broker, providers in
            let ben = try providers.person(at: "github.com", email: "ben@example.com")
            let page = try await TestBrowser(broker).signInToConsole(ben)
            #expect(page.status == 403)

            let call = AdminCall(broker.core.admin, origin: Self.admin)
            try await broker.core.admin.outcomes.turn()
            let refusal = try #require(try await ListRefusals().run(for: call).refusals.first)
            #expect(refusal.provider == "github.com")
            #expect(refusal.code == "notAdministrator" && refusal.text == "You are not an administrator here")
            #expect(
                RefusalAdvice(code: refusal.code, text: refusal.text).cause
                    == "An account that is no administrator's signed in at the console")
            #expect(try await ShowStatistics().run(for: call).hours.failedSignIns == 0)

            let groups = refusal.requestId.prefix(10) + " " + refusal.requestId.dropFirst(10)
            #expect(try await ExplainDecisions(of: String(groups)).run(for: call).refusal?.code == refusal.code)
        }
    }

    @Test(arguments: [
        ConsoleRefusal.roleTooLow(nil), .notAllowed, .formInvalid, .notFound, .notAdministrator, .invitationUsed,
        .hasRole, .otherAdministrator, .loginNotRecent,
    ])
    func `a cause of the console has words where only its code is known`(refusal: ConsoleRefusal) throws {
        let code = try #require(ConsoleProblem(refusal)).code

        #expect(!RefusalAdvice(code: code).cause.contains(code))
    }

    @Test func `an invitation makes one administrator, within 15 minutes, at a sign-in`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let ben = try providers.person(at: "gitlab.com", email: "ben@example.com")
            let (link, expiresAt) = try await broker.core.inviteToConsole(role: .owner, origin: Self.admin)
            #expect(expiresAt == broker.core.now.advanced(by: .seconds(900)))

            // Looking at it consumes nothing.
            let browser = TestBrowser(broker)
            _ = try await browser.open(link)
            let chooser = try await browser.open(link)
            #expect(chooser.status == 200 && chooser.html.contains("an owner"), "\(chooser.html)")
            // The other browser is at the provider already.
            let late = TestBrowser(broker)
            let consent = try await late.follow("GitLab", on: try await late.open(link))
            _ = try await browser.choose(ann, on: chooser)
            #expect(try await browser.isAtConsole())
            #expect(try await late.open(link).status == 400)
            #expect(try await late.submit(on: consent, ["person": ben.account]).status == 400)
            #expect(try await !late.isAtConsole())

            let administrators = try await broker.core.sessions.consoleAdministrators.all()
            #expect(administrators.map(\.role) == ["owner"] && administrators.map(\.subject) == [ann.subject])

            let (second, _) = try await broker.core.inviteToConsole(role: .viewer, origin: Self.admin)
            broker.clock.advance(seconds: 901)
            #expect(try await late.open(second).status == 400)
        }
    }

    @Test func `an invitation raises a role, and does not lower one`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            try await browser.acceptInvitation(ann, to: .operator)
            try await browser.acceptInvitation(ann, to: .owner)
            #expect(try await broker.consoleVisit(of: browser).role == .owner)
            for role in [ConsoleRole.viewer, .owner] {
                let (link, _) = try await broker.core.inviteToConsole(role: role, origin: Self.admin)
                let refused = try await browser.choose(ann, on: try await browser.open(link))
                #expect(refused.status == 400)
                #expect(try await browser.open(link).status == 200, "it still counts")
            }
            #expect(try await broker.consoleVisit(of: browser).role == .owner)
        }
    }

    @Test func `an invitation that is accepted after its time makes no administrator`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let (link, _) = try await broker.core.inviteToConsole(role: .owner, origin: Self.admin)
            broker.clock.advance(seconds: 800)
            let consent = try await browser.follow("GitHub", on: try await browser.open(link))
            broker.clock.advance(seconds: 200)
            #expect(try await browser.submit(on: consent, ["person": ann.account]).status == 400)
            #expect(try await broker.core.sessions.consoleAdministrators.all().isEmpty)
        }
    }

    @Test func `the store has no secret of an invitation or a session`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let (link, _) = try await broker.core.inviteToConsole(role: .owner, origin: Self.admin)
            _ = try await browser.choose(ann, on: try await browser.open(link))
            let cookie = try #require(browser.consoleCookie)
            let secrets = [
                String(link.split(separator: "/").last ?? ""), cookie, String(cookie.dropFirst(4).prefix(43)),
            ]
            let found = try await broker.core.store.read { transaction in
                try transaction.auditEntries(AuditFilter(), limit: 1000).contains { entry in
                    secrets.contains { "\(entry)".contains($0) }
                }
            }
            #expect(!found)
            let session = try await broker.core.store.read { try $0.consoleSession(tokenHash: Array(cookie.utf8)) }
            #expect(session == nil)
        }
    }

    @Test func `a session ends after 15 minutes without use, and after 8 hours in any case`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            try await browser.acceptInvitation(ann, to: .viewer)
            broker.clock.advance(seconds: 880)
            #expect(try await browser.isAtConsole())
            broker.clock.advance(seconds: 901)
            #expect(try await !browser.isAtConsole())

            _ = try await browser.signInToConsole(ann)
            for _ in 0..<36 {
                broker.clock.advance(seconds: 790)
                #expect(try await browser.isAtConsole())
            }
            broker.clock.advance(seconds: 400)
            #expect(try await !browser.isAtConsole())
        }
    }

    @Test func `signing in again ends the session before, and signing out the present one`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            try await browser.acceptInvitation(ann, to: .viewer)
            let first = browser.consoleCookie
            let consent = try await browser.open(TestBrowser.publicURL + "/console/redirect?again=1")
            _ = try await browser.submit(on: consent, ["person": ann.account])
            let second = browser.consoleCookie
            #expect(first != second)
            #expect(try await browser.isAtConsole())
            browser.consoleCookie = first
            #expect(try await !browser.isAtConsole())

            browser.consoleCookie = second
            let visit = try await broker.consoleVisit(of: browser)
            let token = try visit.token(for: ConsolePaths.signOut)
            let answer = try await browser.sendToConsole(ConsolePaths.signOut, ["form": token])
            #expect(answer.status == 303)
            #expect(answer.headers["Set-Cookie"].contains { $0.hasPrefix("broker-console=;") })
            #expect(try await !browser.isAtConsole())
        }
    }

    @Test func `a change of role counts at the next request, and its end ends the session`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            try await browser.acceptInvitation(ann, to: .owner)
            let administrators = broker.core.sessions.consoleAdministrators
            let id = try #require(try await administrators.all().first).id
            #expect(try await broker.consoleVisit(of: browser).role == .owner)
            _ = try await administrators.setRole(.viewer, id: id, origin: Self.admin)
            #expect(try await broker.consoleVisit(of: browser).role == .viewer)
            _ = try await administrators.remove(id: id, origin: Self.admin)
            #expect(try await !browser.isAtConsole())
        }
    }

    @Test func `the configuration goes before an invitation`() async throws {
        try await TestProviders.runHosted(Self.address("ann@example.com", .viewer)) { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let (link, _) = try await broker.core.inviteToConsole(role: .owner, origin: Self.admin)
            #expect(try await browser.choose(ann, on: try await browser.open(link)).status == 400)
            _ = try await browser.signInToConsole(ann)
            #expect(try await broker.consoleVisit(of: browser).role == .viewer)
            let id = try #require(try await broker.core.sessions.consoleAdministrators.all().first).id
            await #expect(throws: AdminFailure.self) {
                try await broker.core.sessions.consoleAdministrators.setRole(.owner, id: id, origin: Self.admin)
            }
        }
    }

    @Test func `a change of what the provider's entry trusts ends the sessions that it began`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            try await browser.acceptInvitation(ann, to: .owner)
            let path = broker.folder.path + "/plugins.json"
            let before = try String(contentsOfFile: path, encoding: .utf8)
            let client = providers.gitHub.defaultApplication.clientID

            try broker.folder.write("plugins.json", before.replacing(client, with: "another-client"))
            // A change counts when it was seen twice.
            for _ in 0..<2 { _ = broker.core.providers.configured.reload() }
            #expect(try await !browser.isAtConsole())

            // A name decides nothing about whose proof counts.
            let named = before.replacing(#""use":"github""#, with: #""use":"github","displayName":"Hub""#)
            try broker.folder.write("plugins.json", named)
            for _ in 0..<2 { _ = broker.core.providers.configured.reload() }
            #expect(try await browser.isAtConsole())
        }
    }

    @Test func `a new login is one of the same administrator`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let ben = try providers.person(at: "github.com", email: "ben@example.com")
            let browser = TestBrowser(broker)
            try await TestBrowser(broker).acceptInvitation(ben, to: .owner)
            try await browser.acceptInvitation(ann, to: .viewer)
            let consent = try await browser.open(TestBrowser.publicURL + "/console/redirect?again=1")
            #expect(try await browser.submit(on: consent, ["person": ben.account]).status == 403)
            #expect(try await broker.consoleVisit(of: browser).role == .viewer)
        }
    }

    @Test func `a form without a recent login waits for one, and is sent after it`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            try await browser.acceptInvitation(ann, to: .owner)
            broker.clock.advance(seconds: 400)
            let path = "/console/kept"
            let visit = try await broker.consoleVisit(of: browser)
            #expect(!visit.isLoginRecent)
            let kept = try visit.access.sealed(
                ConsoleRedirect.KeptForm(path: path, fields: ["name": "Grüße\n<b>", "reason": "why"]), visit.identity)
            let asked = visit.access.loginAgain(kept: kept)
            let page = ReadPage(asked.text)
            let link = try #require(page.links.first { $0.address.contains("again=1") })

            let consent = try await browser.open(TestBrowser.publicURL + link.address)
            let resumed = try await browser.submit(on: consent, ["person": ann.account])
            let form = try #require(resumed.forms.first { $0.action == path })
            #expect(ReadPage.path(of: resumed.url) == "/console/resume")
            let fields = Dictionary(form.fields.map { ($0.name, $0.value) }) { first, _ in first }
            #expect(fields["name"] == "Grüße\n<b>" && fields["reason"] == "why")
            let now = try await broker.consoleVisit(of: browser)
            #expect(now.isLoginRecent)
            let token = now.access.token(fields["form"], now.identity)
            #expect(token?.path == path)
        }
    }

    @Test func `nothing but a path of the console follows a sign-in`() {
        for (asked, next) in [
            ("/console/users?q=a", "/console/users?q=a"), ("/console?a=b", "/console?a=b"), ("/console", "/console"),
            ("//evil.example", "/console"), ("https://evil.example", "/console"), ("/console\\@evil", "/console"),
            ("/consolerium", "/console"), ("/account", "/console"), ("/console/\u{7f}", "/console"),
        ] {
            #expect(ConsolePaths.next(asked) == next, "\(asked)")
        }
        #expect(ConsolePaths.next(nil) == "/console")
    }

    @Test func `an answer of a provider counts in the browser that asked, once`() async throws {
        try await TestProviders.runHosted(Self.address("ann@example.com")) { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let consent = try await browser.follow("GitHub", on: try await browser.visit("/console/sign-in"))
            let answer = try await browser.answer(on: consent, ann)

            let victim = TestBrowser(broker)
            #expect(try await victim.open(answer).status == 400)
            #expect(try await !victim.isAtConsole())
            _ = try await browser.open(answer)
            #expect(try await browser.isAtConsole())
            #expect(try await browser.open(answer).status == 400)
        }
    }
}

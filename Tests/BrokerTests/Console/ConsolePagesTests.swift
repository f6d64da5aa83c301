import BrokerStore
import BrowserTesting
import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("Pages and forms of the console", .oneEngine("pages, forms and their answers"))
struct ConsolePagesTests {
    private func withConsole(
        _ role: ConsoleRole = .owner, _ test: (TestBroker, TestProviders, TestBrowser) async throws -> Void
    ) async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            try await browser.acceptInvitation(
                try providers.person(at: "github.com", email: "ann@example.com"), to: role)
            try await test(broker, providers, browser)
        }
    }

    private static let pages = [
        ConsoleSection.clients, .providers, .webhooks, .merges, .withdrawals, .keys, .audit, .access,
    ]

    @Test func `every page and every form is well-formed, and each field has a label`() async throws {
        try await withConsole { broker, _, browser in
            _ = try await browser.change("webhooks.add", ["url": "https://hooks.example.com/"])
            let app = ["type": "native", "name": "<i>Notes</i>", "redirectUris": "com.example.notes:/callback"]
            #expect(try await browser.change("clients.add", app).status == 200)
            let client = try #require(try await broker.core.openID.clients.all().last)
            let webhook = try #require(try await broker.core.outbox.events.webhooks.list().first)
            let forms = AdminOperations.all.filter { OperationForm.exists(for: $0.declaration) }
            let paths =
                Self.pages.map(\.path) + forms.map { "\(OperationRoutes.path)/\($0.name)" } + [
                    OperationRoutes.path, ConsoleLink.below(.clients, client.id),
                    ConsoleLink.below(.providers, "github.com"), ConsoleLink.below(.webhooks, webhook.id),
                    "\(OperationRoutes.path)/providers.add?entry.use=oidc",
                    "\(OperationRoutes.path)/clients.update?client=\(client.id)",
                ]
            for path in paths {
                let page = try await browser.visit(path)
                #expect(page.status == 200, "\(path)")
                let markup = try PageMarkup(page.html)
                let labelled = Set(markup.having("for").compactMap { $0.attributes["for"] })
                for field in markup.elements where ["input", "select", "textarea"].contains(field.name) {
                    guard field.attributes["type"] != "hidden", !field.path.contains("label") else { continue }
                    #expect(field.attributes["id"].map(labelled.contains) == true, "\(path) \(field.attributes)")
                }
                #expect(!page.html.contains("<i>"), "\(path)")
            }
        }
    }

    @Test func `a change is done with its reason, and the page says so`() async throws {
        try await withConsole { broker, _, browser in
            let fields = ["email": "ben@example.com", "displayName": "<b>Ben</b>\"", "emailVerified": "yes"]
            let silent = try await browser.change("users.create", fields, because: "")
            #expect(silent.status == 400)
            #expect(silent.html.contains("A reason is required.") && silent.html.contains("value=\"ben@example.com\""))

            let page = try await browser.change("users.create", fields, because: "Ticket 4471")

            #expect(page.status == 200)
            #expect(page.html.contains("Created ") && page.html.contains("ben@example.com"))
            #expect(page.html.contains("&lt;b&gt;Ben&lt;/b&gt;&quot;") && !page.html.contains("<b>"))
            #expect(page.html.contains("broker users create --email ben@example.com"))
            let entry = try await broker.core.store.read { try $0.auditEntries(AuditFilter(event: "user."), limit: 1) }
                .first
            #expect(entry?.event == "user.created" && entry?.reason == "Ticket 4471")
        }
    }

    @Test func `what is lost is asked about first, whatever a link says`() async throws {
        try await withConsole { broker, providers, browser in
            let user = try await broker.signIn(try providers.person(at: "gitlab.com", email: "ben@example.com"))
            let localID = try user.string("localId")
            let form = try await browser.visit(
                "\(OperationRoutes.path)/users.delete?user=\(localID)&confirmed=yes&reason=none")
            let question = try await browser.submit("users.delete", on: form, ["reason": "Asked for it"])
            #expect(question.html.contains("for good?") && question.html.contains("This cannot be undone."))
            #expect(try await broker.core.admin.user(named: localID).user.localID == localID)

            let done = try await browser.submit("users.delete", on: question)

            #expect(done.status == 200 && done.html.contains("Done: Delete a user") && done.html.contains(localID))
            await #expect(throws: AdminFailure.self) { try await broker.core.admin.user(named: localID) }
        }
    }

    @Test func `a new secret is shown once, and a typed one on no page`() async throws {
        try await withConsole { broker, _, browser in
            let app = ["type": "confidential", "name": "Shop", "redirectUris": "https://shop.example/cb"]
            let page = try await browser.change("clients.add", app)
            #expect(page.html.contains("bcs1_") && page.html.contains("it is not shown again"))
            let client = try #require(try await broker.core.openID.clients.all().last)
            #expect(!(try await browser.visit(ConsoleLink.below(.clients, client.id)).html.contains("bcs1_")))

            let chosen = try await browser.visit("\(OperationRoutes.path)/providers.add?entry.use=github")
            let fields = ["entry.options.clientSecret": "hush-hush", "entry.options.clientId": "", "reason": "New"]
            let refused = try await browser.submit("providers.add", on: chosen, fields)
            #expect(refused.status == 400 && refused.html.contains("Client ID is required."))
            #expect(!refused.html.contains("hush-hush"))
        }
    }

    @Test func `a provider is added from the fields that its plugin declares`() async throws {
        try await withConsole { broker, _, browser in
            let choice = try await browser.visit("\(OperationRoutes.path)/providers.add")
            let form = try await browser.follow("GitHub", on: choice)
            let names = Set(form.forms.flatMap(\.fields).map(\.name))
            #expect(names.contains("entry.use"))
            #expect(form.html.contains("name=\"entry.options.clientSecret\""))
            #expect(!form.html.contains("allowInsecureLoopback") && !form.html.contains("privateNetworks"))

            let typed = [
                "entry.id": "github.acme", "entry.options.clientId": "abc", "entry.options.clientSecret": "hush",
                "entry.options.url": "https://github.invalid", "reason": "New",
            ]
            let page = try await browser.submit("providers.add", on: form, typed)

            #expect(page.status == 200 && page.html.contains("github.acme") && !page.html.contains("hush"))
            let stored = try await broker.core.providers.listedProvider("github.acme")
            #expect(stored.isStored && !stored.isEnabled, "its check found a problem")
        }
    }

    @Test func `a provider of the catalogue is added from its client and its variables`() async throws {
        try await withConsole { broker, _, browser in
            let choice = try await browser.visit("\(OperationRoutes.path)/providers.add")
            let form = try await browser.follow("Mastodon", on: choice)
            #expect(form.html.contains("name=\"entry.options.clientSecret\""))
            #expect(form.html.contains("name=\"variables.instance\""))
            #expect(!form.html.contains("entry.options.tokenUrl") && !form.html.contains("entry.options.claims"))

            let typed = [
                "variables.instance": "social.invalid", "entry.options.clientId": "abc",
                "entry.options.clientSecret": "hush", "reason": "New",
            ]
            let page = try await browser.submit("providers.add", on: form, typed)

            #expect(page.status == 200 && page.html.contains("oauth2.mastodon") && !page.html.contains("hush"))
            let stored = try #require(try await broker.core.providers.listedProvider("oauth2.mastodon").entry)
            #expect(stored.options["tokenUrl"] == "https://social.invalid/oauth/token")
        }
    }

    @Test func `the form of a change shows the thing as it is, and a link cannot say otherwise`() async throws {
        try await withConsole { broker, _, browser in
            let app = ["type": "public", "name": "Notes", "redirectUris": "https://a.example/"]
            _ = try await browser.change("clients.add", app)
            let client = try #require(try await broker.core.openID.clients.all().last)
            let form = try await browser.visit(
                "\(OperationRoutes.path)/clients.update?client=\(client.id)&present.name=Zebra")
            #expect(form.html.contains("value=\"Notes\"") && !form.html.contains("Zebra"))

            let page = try await browser.submit("clients.update", on: form, ["name": "Letters", "reason": "Renamed"])

            #expect(page.status == 200, "\(page.html)")
            let changed = try await broker.core.openID.clients.client(id: client.id)
            #expect(changed?.name == "Letters" && changed?.redirectURIs == ["https://a.example/"])
        }
    }

    @Test func `a viewer is offered no change, and sees no hash`() async throws {
        try await withConsole(.viewer) { broker, providers, browser in
            let user = try await broker.signIn(try providers.person(at: "gitlab.com", email: "ben@example.com"))
            for section in Self.pages where section != .keys && section != .access {
                let page = try await browser.visit(section.path)
                #expect(page.status == 200, "\(section)")
                let offered = page.links.map(\.address).filter { $0.hasPrefix(OperationRoutes.path + "/") }
                #expect(offered == [], "\(section)")
            }
            for section in [ConsoleSection.keys, .access] {
                #expect(try await browser.visit(section.path).status == 403, "\(section)")
            }
            #expect(try await browser.visit("\(OperationRoutes.path)/users.delete").status == 403)
            let form = try await browser.visit("\(OperationRoutes.path)/decisions.explain")
            let answer = try await browser.submit("decisions.explain", on: form, ["of": try user.string("localId")])
            #expect(answer.status == 200 && answer.html.contains("gitlab.com"))
            #expect(!answer.html.lowercased().contains("subject hash"))
        }
    }

    @Test func `the audit is filtered, paged and verified`() async throws {
        try await withConsole { broker, _, browser in
            for number in 0..<60 {
                let origin = Origin(.admin, actor: "root")
                _ = try await broker.core.sessions.adminCredentials.create(
                    named: "Token \(number)", scopes: [.readUsers], lifetime: nil, origin: origin)
            }
            let first = try await browser.visit("\(ConsoleSection.audit.path)?event=admin-credential.created")
            #expect(first.html.contains("50 entries"))
            let second = try await browser.follow("Older", on: first)
            #expect(second.html.contains("10 entries"))
            #expect(try await browser.visit("\(ConsoleSection.audit.path)?event=odd").status == 400)

            let verified = try await browser.submit(AuditView.verifyPath, on: first)
            #expect(verified.status == 200 && verified.html.contains("no finding"))
        }
    }

    /// The changes of one user that its history tells at once, with the events of the audit and of webhooks.
    private static let told: [(operation: String, body: JSONObject, event: String, published: String)] = [
        ("users.update", ["displayName": "Ben"], "user.updated", "user.updated"),
        ("users.set-claims", ["claims": ["plan": "team"]], "user.updated", "user.updated"),
        ("users.disable", [:], "user.disabled", "user.disabled"),
        ("users.enable", [:], "user.enabled", "user.enabled"),
        ("sessions.revoke-all", [:], "session.revoked-all", "session.revoked"),
        ("users.unlink", ["provider": "gitlab.com", "force": true], "identity.unlinked", "user.unlinked"),
    ]

    /// The other changes of users, and why nothing more is told: the account begins, ends or becomes another one with them,
    /// another test has them, or the provider ends a grant later, which is told then.
    private static let others = [
        "users.create", "users.delete", "users.import", "sessions.revoke", "merges.approve", "merges.dismiss",
        "merges.undo", "withdrawals.create", "withdrawals.retry", "withdrawals.retry-parked", "withdrawals.drop",
    ]

    @Test func `the user is told of each change that an administrator makes`() async throws {
        let changes = AdminOperations.all.filter { operation in
            operation.declaration.scope == .writeUsers && operation.declaration.effect != .reads
        }
        #expect(Set(changes.map { $0.name }) == Set(Self.told.map(\.operation) + Self.others))
        try await withConsole { broker, providers, browser in
            let user = try await broker.signIn(try providers.person(at: "gitlab.com", email: "ben@example.com"))
            let localID = try user.string("localId")
            let origin = Origin(.admin, actor: "root")
            _ = try await broker.core.outbox.events.webhooks.add(
                url: "https://hooks.example.com/", events: [], origin: origin)
            let visit = try await broker.consoleVisit(of: browser, form: ["reason": "A test"])
            for change in Self.told {
                var body = change.body
                body["user"] = .string(localID)
                let operation = try #require(AdminOperations.all.first { $0.name == change.operation })
                try await visit.run(operation, body)
            }

            let record = try await broker.core.admin.user(named: localID).user
            let history = try await broker.core.accounts.history(of: record, by: .administrator, limit: 50).entries
            let told = history.map(\.event).filter { Happening.Kind(event: $0) != nil }
            #expect(Set(told).isSuperset(of: Self.told.map(\.event)), "\(history.map(\.event))")
            let events = try await visit.run(ListEvents(user: localID)).events
            let types = events.compactMap { $0["type"]?.string }
            #expect(types.sorted() == Self.told.map(\.published).sorted())
        }
    }

    @Test func `a sign-in is tried at the provider of the page at once, in a session too`() async throws {
        try await withConsole { _, providers, browser in
            let person = try providers.person(at: "gitlab.com", email: "ben@example.com")
            let page = try await browser.visit(ConsoleLink.below(.providers, "gitlab.com"))
            for _ in 0..<2 {
                let consent = try await browser.follow("Sign in with GitLab", on: page)
                #expect(consent.url.hasPrefix(providers.gitLab.url), "\(consent.url)")
                let account = try await browser.submit(on: consent, ["person": person.account])
                #expect(account.url == TestBrowser.publicURL + "/account", "\(account.html)")
            }
            let unknown = try await TestBrowser(browser.broker).visit("/sign-in?provider=gitlab.example")
            #expect(unknown.status == 200 && unknown.html.contains("GitHub"), "\(unknown.html)")
        }
    }

    @Test func `a check is asked for by a form of the console`() async throws {
        try await withConsole { broker, _, browser in
            let path = ConsoleLink.below(.providers, "github.com")
            let page = try await browser.visit(path + "?check=1")
            #expect(page.html.contains("Check now"))

            let checked = try await browser.submit("/check", on: page)

            #expect(checked.status == 200 && checked.html.contains("Check again"))
            let strange = try await browser.submit("/check", on: page, origin: "https://elsewhere.example")
            #expect(strange.status == 403)
        }
    }
}

extension TestBrowser {
    /// Opens the form of an operation and sends it.
    fileprivate func change(
        _ operation: String, _ fields: [String: String], because reason: String = "A test"
    ) async throws -> Page {
        let form = try await visit("\(OperationRoutes.path)/\(operation)")
        return try await submit(operation, on: form, fields.merging(["reason": reason]) { $1 })
    }
}

extension ConsoleVisit {
    /// Runs an operation with the arguments of a body.
    fileprivate func run<Operation: AdminOperation>(_ type: Operation.Type, _ body: JSONObject) async throws {
        _ = try await run(try JSONValueDecoder().decode(Operation.self, from: .object(body)))
    }
}

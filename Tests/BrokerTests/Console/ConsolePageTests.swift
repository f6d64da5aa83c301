import BrokerStore
import ProviderKit
import Testing

@testable import Broker

@Suite("pages of the console")
struct ConsolePageTests {
    private static let names = ConsoleSamples().all.map(\.name)

    private static func page(_ name: String, _ samples: ConsoleSamples = ConsoleSamples()) throws -> PageMarkup {
        let page = try #require(samples.all.first { $0.name == name }).page
        return try PageMarkup(page.document(in: samples.frame, nonce: "N0nce").text)
    }

    @Test(arguments: names)
    func `are well-formed and sound to a screen reader`(name: String) throws {
        let page = try Self.page(name)
        let ids = page.having("id").compactMap { $0.attributes["id"] }

        #expect(page["h1"].count == 1 && page["main"].count == 1)
        #expect(page["h1"].first?.path.contains("main") == true)
        #expect(page["title"].first?.text.hasSuffix(" · Fernwick console") == true)
        #expect(Set(ids).count == ids.count, "\(ids)")
        for attribute in ["for", "aria-labelledby", "aria-describedby"] {
            let named = page.having(attribute).flatMap { $0.attributes[attribute, default: ""].split(separator: " ") }
            #expect(named.allSatisfy { ids.contains(String($0)) }, "\(attribute) \(named)")
        }
        let labelled = Set(page["label"].compactMap { $0.attributes["for"] })
        for input in page["input"] where input.attributes["type"] != "hidden" && !input.path.contains("label") {
            #expect(labelled.contains(input.attributes["id"] ?? ""))
        }
        for control in page["button"] + page["a"] + page["h1"] + page["h2"] + page["th"] + page["summary"] {
            #expect(control.text.contains { !$0.isWhitespace }, "\(control)")
        }
        // A drawing says nothing, or has its sentence.
        #expect(page["svg"].allSatisfy { $0.attributes["aria-hidden"] == "true" || $0.attributes["aria-label"] != nil })
    }

    @Test(arguments: names)
    func `load nothing, run no script and need no inline style`(name: String) throws {
        let page = try Self.page(name)

        #expect(page["script"].isEmpty && page["img"].isEmpty && page["iframe"].isEmpty)
        #expect(page["style"].map { $0.attributes["nonce"] } == ["N0nce"])
        #expect(page["link"].map { $0.attributes["href"] } == [DefaultIcon.path])
        for element in page.elements {
            #expect(!element.attributes.keys.contains { $0.hasPrefix("on") || ["src", "style"].contains($0) })
        }
        // What changes something has a token; what only finds something has none.
        for form in page["form"] {
            #expect(["get", "post"].contains(form.attributes["method"]))
        }
    }

    /// Hostile names of a user, an app or an administrator.
    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'\"\u{301} onfocus=\"alert(1)",
        "<\u{338}b>&\u{301}lt;", "</style></title><h1>", "{}", "a\u{0}b\u{8}\u{1B}c", "--></main>]]>",
    ]

    @Test(arguments: hostile)
    func `keep their structure whatever a name says`(text: String) throws {
        let (plain, named) = (ConsoleSamples(everywhere: "plain"), ConsoleSamples(everywhere: text))

        for name in Self.names {
            // What a search has found in a name depends on the name.
            let structures = try [plain, named].map { samples in
                try Self.page(name, samples).structure.filter { !$0.contains(" mark ") }
            }
            #expect(structures[0] == structures[1], "\(name)")
        }
        let user = try Self.page("console-user", named)
        let shown = text.filter { !"\u{0}\u{8}\u{1B}".contains($0) }
        #expect(user["h1"].first?.text == shown)
    }

    @Test func `mark the place of the side list that is shown, and count what waits`() throws {
        let page = try Self.page("console-users")
        let current = page["a"].filter { $0.attributes["aria-current"] == "page" && $0.path.contains("nav") }

        // Once for a wide screen, once behind the summary of a narrow one.
        #expect(current.map { $0.attributes["href"] } == ["/console/users", "/console/users"])
        #expect(
            page["a"].filter { $0.attributes["href"] == "/console/webhooks" }.map(\.text)
                == Array(repeating: "Webhooks2 waiting", count: 2))
    }

    @Test func `show the commands that do the same`() throws {
        let commands = try Self.page("console-home")["code"].filter {
            $0.path.last == "p" && $0.text.hasPrefix("broker ")
        }

        #expect(commands.map(\.text) == ["broker status", "broker statistics"])
    }

    @Test(arguments: names.filter { !["console-operations", "console-rules"].contains($0) })
    func `name a command each`(name: String) throws {
        let lines = try Self.page(name).having("class").filter { $0.attributes["class"] == "cli" }

        #expect(lines.count == 1 && lines.first?.text.contains("broker ") == true)
    }

    @Test(arguments: names)
    func `say the zone of each time`(name: String) throws {
        let page = try Self.page(name)
        let times = page["time"]

        for time in times where time.text.contains(":") {
            #expect(time.text.hasSuffix(" UTC"), "\(time.text)")
        }
        #expect(times.allSatisfy { $0.attributes["datetime"]?.isEmpty == false })
        // No time stands as text, as an operation answers it, but in the command that is to be copied.
        let commands = page.having("class").filter { $0.attributes["class"] == "cli" }.map(\.text)
        let all = commands.reduce(try #require(page["main"].first).text) { $0.replacing($1, with: "") }
        let bare = all.matches(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/)
        #expect(bare.isEmpty, "\(bare.map { all[$0.range] })")
    }

    @Test func `lead from each cause to the requests that it refused`() throws {
        let links = { (name: String) in try Self.page(name)["a"].compactMap { $0.attributes["href"] } }

        #expect(try links("console-home").contains("/console/requests?code=INVALID_IDP_RESPONSE&provider=1pass.dev"))
        #expect(
            try links("console-request").contains(
                "/console/requests?code=INVALID_IDP_RESPONSE&provider=gitlab.com&client=notebook-web"))
        #expect(try links("console-requests").contains("/console/requests/sBM9aTTWwneysC21cVDy"))
    }

    @Test func `offer a viewer no change of a user`() throws {
        let links = { (name: String) in
            try Self.page(name)["a"].compactMap { $0.attributes["href"] }.filter { $0.contains("/operations/") }
        }

        #expect(try links("console-user-bare").isEmpty)
        let offered = try links("console-user")
        for operation in ["users.disable", "users.delete", "users.unlink", "sessions.revoke", "sessions.revoke-all"] {
            #expect(offered.contains { $0.hasPrefix("/console/operations/\(operation)?") }, "\(operation)")
        }
    }

    @Test func `draw each interval once, and say its figures in a table too`() throws {
        let page = try Self.page("console-home")

        #expect(page["rect"].filter { $0.attributes["class"] == "completed" }.count == 24)
        let table = page["tr"].filter { $0.path.contains("details") && $0.path.contains("tbody") }
        #expect(table.count == 24)
        #expect(
            page["svg"].compactMap { $0.attributes["aria-label"] }.allSatisfy { $0.contains("sign-ins each hour: ") })
    }

    @Test func `lead from a text to the page that it names, and from others to a list`() throws {
        let user = try JSONValueDecoder().decode(
            FoundUser.self,
            from: [
                "localId": "kX3", "email": "ann@example.com", "emailVerified": true, "providers": [],
                "anonymous": false,
                "disabled": false, "createdAt": "2026-01-01T00:00:00Z",
            ])
        func target(_ text: String, _ users: [FoundUser], request: String? = nil) -> String? {
            SearchView.target(
                of: text, .init(), .init(users: users, next: nil, complete: true, requestId: request))
        }

        #expect(target("kX3", [user]) == "/console/users/kX3")
        #expect(target("ann@example.com", [user]) == "/console/users/kX3")
        #expect(target("ann", [user]) == nil)
        #expect(target("a/b", [], request: "a/b") == "/console/requests/a%2Fb")
        #expect(target("", [user]) == nil)
    }
}

extension ConsoleSamples {
    /// All strings of others the same: what must not matter to the structure of a page.
    fileprivate init(everywhere text: String) {
        self.init()
        (administrator, person, email, label, app, acme, reason) = (text, text, text, text, text, text, text)
    }
}

import BrowserTesting
import PostgreSQLTesting
import ProviderKit
import Testing

/// The page of connected accounts, in a real browser.
@Suite("The account page", .oneEngine("pages in a browser"), .timeLimit(.minutes(20)))
struct BrowserAccountTests {
    @Test(arguments: [BrowserOptions.Size.phone, .desktop])
    func `a user connects a second provider, signs in with it and disconnects it`(
        size: BrowserOptions.Size
    ) async throws {
        try await HostedBroker.run { broker in
            try await Browser.run(.init(size: size)) { browser in
                try await Self.signIn(with: "GitHub", at: broker, in: browser)
                try await browser.screenshot("account")
                try await browser.click(.link, "Connect GitLab")
                try await browser.consent(as: "Ada Example")
                try await browser.wait(forText: "Connect GitLab?")
                try await browser.screenshot("confirm-link")
                try await browser.click(.button, "Connect")
                try await browser.wait(forText: "GitLab is now connected")
                try await browser.screenshot("account-linked")
                try await browser.click(.button, "Sign out")
                try await browser.wait(forText: "You are signed out")
                try await browser.screenshot("signed-out")
                // GitLab has a session and does not ask again.
                try await browser.open(broker.url + "/sign-in")
                try await browser.click(.link, "Continue with GitLab")
                try await browser.wait(forURL: broker.url + "/account")
                try await browser.click(.button, "Disconnect GitHub")
                try await browser.wait(forText: "Disconnect GitHub?")
                try await browser.screenshot("confirm-unlink")
                try await browser.click(.button, "Disconnect")
                try await browser.wait(forText: "GitHub is no longer connected")

                let users = try await broker.document("users", "list")["users"]?.array ?? []
                #expect(users.count == 1, "\(users)")
                #expect(try await browser.names(of: .link).contains("Connect GitHub"))
                #expect(try await !browser.names(of: .button).contains("Disconnect GitLab"), "the last way to sign in")
            }
        }
    }

    @Test func `a user signs out of an app, then everywhere, and every token is invalid`() async throws {
        try await HostedBroker.run { broker in
            try await WebApp.run(at: broker) { app in
                try await Browser.run { browser in
                    let attempts = [app.attempt(("provider", "github.com")), app.attempt(("prompt", "none"))]
                    var given: [WebApp.Tokens] = []
                    for attempt in attempts {
                        try await browser.open(attempt.url)
                        if given.isEmpty { try await browser.consent(as: "Ada Example") }
                        given.append(try await app.tokens(of: attempt, in: browser))
                    }
                    try await browser.open(broker.url + "/account")
                    try await browser.screenshot("account-sessions")
                    try await browser.click(.button, "Sign out Notebook")
                    try await browser.wait(forText: "The session has been signed out")
                    let left = try await Self.statuses(of: given, at: app)
                    let again = app.attempt(("prompt", "none"))
                    try await browser.open(again.url)
                    given.append(try await app.tokens(of: again, in: browser))
                    try await browser.open(broker.url + "/account")
                    try await browser.click(.button, "Sign out everywhere")
                    try await browser.wait(forText: "Sign out everywhere?")
                    try await browser.screenshot("confirm-everywhere")
                    try await browser.click(.button, "Sign out everywhere")
                    try await browser.wait(forText: "You are signed out")

                    #expect(left == [401, 401], "both were the browser's")
                    #expect(try await Self.statuses(of: given, at: app) == [401, 401, 401])
                    try await browser.open(broker.url + "/account")
                    #expect(try await browser.currentURL == broker.url + "/sign-in")
                }
            }
        }
    }

    @Test func `a user deletes the account, and is a new user the next time`() async throws {
        try await HostedBroker.run { broker in
            try await Browser.run(.init(size: .phone)) { browser in
                try await Self.signIn(with: "1Pass", as: "ada", at: broker, in: browser)
                let before = try await Self.localIDs(at: broker)
                try await browser.click(.button, "Delete account…")
                try await browser.wait(forText: "Delete the account of")
                try await browser.screenshot("confirm-delete")
                try await browser.click(.button, "Delete account")
                let isStillAsked = try await browser.text.contains("Delete the account of")
                try await browser.click(.checkbox, "I understand")
                try await browser.click(.button, "Delete account")
                try await browser.wait(forText: "is deleted")
                let receipt = try await browser.text
                let between = try await Self.localIDs(at: broker)
                // 1Pass has a session and does not ask again.
                try await browser.open(broker.url + "/sign-in")
                try await browser.click(.link, "Continue with 1Pass")
                try await browser.wait(forURL: broker.url + "/account")
                let after = try await Self.localIDs(at: broker)

                #expect(isStillAsked, "nothing is deleted without the tick")
                #expect(receipt.contains("1Pass") && (receipt.contains("Reference ") || receipt.contains("has ended")))
                #expect(before.count == 1 && between.isEmpty && after.count == 1 && before != after)
            }
        }
    }

    @Test func `another account's identity is not taken over, and the page says so`() async throws {
        try await HostedBroker.run { broker in
            try await Browser.run { browser in
                try await Self.signIn(with: "GitLab", as: "Cleo Example", at: broker, in: browser)
            }
            try await Browser.run { browser in
                try await Self.signIn(with: "GitHub", at: broker, in: browser)
                try await browser.click(.link, "Connect GitLab")
                try await browser.consent(as: "Cleo Example")
                try await browser.wait(forText: "already opens another")
                try await browser.screenshot("error-linked-elsewhere")
                try await browser.click(.link, "Join the accounts")
                try await browser.wait(forText: "Join another account")

                #expect(try await Self.localIDs(at: broker).count == 2)
            }
        }
    }

    @Test func `the pages are in Korean for Korean browsers`() async throws {
        try await HostedBroker.run { broker in
            try await Browser.run(.init(size: .phone, language: "ko", colorScheme: .dark)) { browser in
                try await browser.open(broker.url + "/sign-in")
                try await browser.screenshot("chooser")
                try await browser.click(.link, "Apple로 계속하기")
                try await browser.consent(as: "Ada Example")
                try await browser.wait(forText: "내 계정")
                try await browser.screenshot("account")

                #expect(try await browser.script("return document.documentElement.lang") == "ko")
                let offers = try await browser.names(of: .link)
                #expect(offers.contains { $0.contains("GitHub") && $0.contains("연결") }, "\(offers)")
            }
        }
    }

    static func signIn(
        with provider: String, as person: String = "Ada Example", at broker: HostedBroker, in browser: Browser
    ) async throws {
        try await browser.open(broker.url + "/sign-in")
        try await browser.click(.link, "Continue with \(provider)")
        try await browser.consent(as: person)
        try await browser.wait(forURL: broker.url + "/account")
    }

    private static func statuses(of given: [WebApp.Tokens], at app: WebApp) async throws -> [Int] {
        var statuses: [Int] = []
        for tokens in given { statuses.append(try await app.userinfo(tokens).status) }
        return statuses
    }

    private static func localIDs(at broker: HostedBroker) async throws -> [String] {
        (try await broker.document("users", "list")["users"]?.array ?? []).compactMap { $0["localId"]?.string }
    }
}

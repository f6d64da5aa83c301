import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker providers try", .oneEngine("a sign-in in a browser"), .timeLimit(.minutes(20)))
struct ProvidersTryTests {
    @Test func `prints the URL and, away from a terminal, the kinds of what the provider answers`() async throws {
        try await HostedBroker.run { broker in
            try await broker.waiting("providers", "try", "github.com", "--json") { process, event in
                #expect(event["opensBrowser"] == false && event["provider"] == "github.com")

                let page = try await Self.signIn(event, at: broker)

                #expect(page.html.contains("return to your terminal"), "\(page.html)")
                #expect(try await process.exitCode() == 0, "\(process.everything)")
                let answer = try Self.lastLine(of: process)
                #expect(answer["identity"]?["email"] == "(text)" && answer["identity"]?["isEmailVerified"] == true)
                #expect(answer["exchanges"]?.array?.contains { $0["step"] == "redeem" } == true, "\(answer)")
                #expect(!process.everything.contains("ada@example.com"), "\(process.everything)")
            }
            let users = try await broker.document("users", "list")
            #expect(users["users"]?.array?.isEmpty == true, "\(users)")
        }
    }

    @Test func `with --show it prints personal data, and never a token`() async throws {
        try await HostedBroker.run { broker in
            try await broker.waiting("providers", "try", "github", "--json", "--show") { process, event in
                _ = try await Self.signIn(event, at: broker)

                #expect(try await process.exitCode() == 0, "\(process.everything)")
                let answer = try Self.lastLine(of: process)
                #expect(answer["identity"]?["email"] == "ada@example.com", "\(answer)")
                #expect(!process.output.text.contains("gho_"), "\(process.everything)")
            }
        }
    }

    @Test func `without a running broker it says so before anything is opened`() async throws {
        try await Installation.run { broker in
            let result = try await broker.command("providers", "try", "github.com", "--json")

            #expect(result.exitCode == 1 && result.errorCode == "CANNOT_REACH", "\(result)")
        }
    }

    private static func signIn(_ event: JSONValue, at broker: HostedBroker) async throws -> FormBrowser.Page {
        let browser = FormBrowser()
        let consent = try await browser.open(try #require(event["url"]?.string))
        let person = try #require(broker.providers.gitHub.person(login: "ada"))
        return try await browser.submit(("person", String(person.id)), ("decision", "authorize"), on: consent)
    }

    private static func lastLine(of process: BrokerProcess) throws -> JSONValue {
        try JSONValue(parsing: String(try #require(process.output.text.split(separator: "\n").last)))
    }
}

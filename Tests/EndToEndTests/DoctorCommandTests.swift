import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker doctor", .timeLimit(.minutes(20)))
struct DoctorCommandTests {
    @Test func `a broker that serves has no trouble beside what its operator knows`() async throws {
        try await Installation.run { broker in
            let result = try await broker.command("doctor", "--json")

            #expect(result.exitCode == 0, "\(result)")
            #expect(try Self.codes(of: result) == ["public-url-is-local", "apple-not-offered"])
        }
    }

    @Test func `a proxy that is not named, and one that hides its clients, are problems`() async throws {
        try await Installation.run(anonymousSignIn: true) { broker in
            try broker.changeConfiguration {
                $0["publicURL"] = "https://id.example"
                $0["declarations"] = ["appleNotOffered": "own-accounts-only"]
            }
            let unnamed = try await broker.command("doctor", "--offline", "--json")
            try broker.changeConfiguration {
                $0["publicURL"] = "http://127.0.0.1:9099"
                $0["trustedProxies"] = ["127.0.0.1"]
            }
            #expect(unnamed.exitCode == 1, "\(unnamed)")
            #expect(try Self.codes(of: unnamed) == ["client-address-hidden"])

            try await broker.serve { _, client in
                _ = try await client.send("GET", "/healthz", headers: [("X-Forwarded-For", "unknown")])
                // Brokers exchange their counts every five seconds.
                let deadline = ContinuousClock.now + .seconds(120)
                var hiding = try await broker.command("doctor", "--offline", "--json")
                while try !Self.codes(of: hiding).contains("client-address-unknown"), ContinuousClock.now < deadline {
                    hiding = try await broker.command("doctor", "--offline", "--json")
                }
                #expect(hiding.exitCode == 1, "\(hiding)")
                #expect(try Self.codes(of: hiding).contains("client-address-unknown"))
            }
        }
    }

    @Test func `a declared exemption ends the advice to offer Sign in with Apple`() async throws {
        try await Installation.run { broker in
            try broker.changeConfiguration { $0["declarations"] = ["appleNotOffered": "client-of-one-service"] }

            let result = try await broker.command("doctor", "--offline", "--json")

            #expect(try Self.codes(of: result) == ["public-url-is-local"], "\(result)")
        }
    }

    @Test func `a step-up rule that some users can never satisfy is named`() async throws {
        try await Installation.run { broker in
            func codes(_ rule: JSONValue) async throws -> [String] {
                try broker.changeConfiguration { $0["policy"] = ["preset": "strict", "stepUp": [rule]] }
                return try Self.codes(of: try await broker.command("doctor", "--offline", "--json"))
            }
            let links: JSONValue = [
                "acr": "urn:example:links", "providers": ["github.com"], "routes": ["accounts:signInWithIdp"],
            ]
            let known = ["public-url-is-local", "apple-not-offered"]

            let missing = try await codes(["acr": "urn:example:acme", "providers": ["gitlab.acme"]])
            let without = try await codes(links)
            _ = try await broker.command(
                "admin", "service-account", "create", "signer", "--scope", "users:write", "--output", "key.json")
            let with = try await codes(links)

            #expect(missing.sorted() == (known + ["step-up-unattainable"]).sorted())
            #expect(without.sorted() == known.sorted(), "no user has another provider")
            #expect(with.sorted() == (known + ["step-up-unattainable"]).sorted(), "users of custom tokens")
        }
    }

    @Test func `a reason that is none is refused with the place`() async throws {
        try await Installation.run { broker in
            try broker.changeConfiguration { $0["declarations"] = ["appleNotOffered": "because"] }

            let result = try await broker.command("doctor", "--json")

            #expect(result.exitCode == 78 && result.errors.contains("/declarations/appleNotOffered"), "\(result)")
        }
    }

    @Test func `the files of an app are compared with its client and the providers`() async throws {
        try await Installation.run { broker in
            _ = try await broker.command(
                "clients", "add", "--type", "native", "--name", "App", "--redirect-uri", "com.example.app:/callback")
            let api = URL(string: broker.github.apiURL)?.host() ?? ""
            try broker.folder.write(
                Self.infoPlist(schemes: ["my_app"], queries: ["onepass"]), to: "Info.plist")
            try broker.folder.write(
                Self.entitlements(["applinks:\(api)", "applinks:api.1pass.dev"]), to: "App.entitlements")
            try broker.folder.write(Self.resolved, to: "Package.resolved")

            let result = try await broker.command(
                "doctor", "--offline", "--app", "Info.plist", "--entitlements", "App.entitlements", "--resolved",
                "Package.resolved", "--json")

            #expect(result.exitCode == 1, "\(result)")
            #expect(
                try Self.codes(of: result) == [
                    "public-url-is-local", "applinks-claims-idp-host", "applinks-claims-idp-host", "scheme-underscore",
                    "callback-scheme-missing", "apple-not-offered", "package-without-version",
                ])
        }
    }

    @Test func `an app that does as its client's property list says has no trouble`() async throws {
        try await Installation.run { broker in
            let added = try await broker.command(
                "clients", "add", "--type", "native", "--name", "App", "--redirect-uri", "com.example.app:/callback",
                "--json")
            let id = try #require(try JSONValue(parsing: added.output)["client"]?["clientId"]?.string)
            let list = try await broker.command("clients", "plist", id)
            try broker.folder.write(list.output, to: "Info.plist")
            try broker.changeConfiguration { $0["declarations"] = ["appleNotOffered": "own-accounts-only"] }

            let result = try await broker.command("doctor", "--offline", "--app", "Info.plist", "--json")
            let properties = try #require(
                try PropertyListSerialization.propertyList(from: Data(list.output.utf8), format: nil)
                    as? [String: Any])

            #expect(try Self.codes(of: result) == ["public-url-is-local"], "\(result)")
            #expect(properties["BrokerClientID"] as? String == id)
            #expect(properties["BrokerRedirectURI"] as? String == "com.example.app:/callback")
        }
    }

    @Test func `a property list that is none is wrong usage`() async throws {
        try await Installation.run { broker in
            try broker.folder.write("no property list", to: "Info.plist")

            let result = try await broker.command("doctor", "--offline", "--app", "Info.plist", "--json")

            #expect(result.exitCode == 64 && result.errorCode == "FILE_UNREADABLE", "\(result)")
        }
    }

    private static func codes(of result: CommandResult) throws -> [String] {
        try #require(try JSONValue(parsing: result.output)["findings"]?.array, "\(result)")
            .compactMap { $0["code"]?.string }
    }

    private static func infoPlist(schemes: [String], queries: [String]) throws -> String {
        try propertyList([
            "CFBundleURLTypes": [["CFBundleURLSchemes": schemes]], "LSApplicationQueriesSchemes": queries,
        ])
    }

    private static func entitlements(_ domains: [String]) throws -> String {
        try propertyList(["com.apple.developer.associated-domains": domains])
    }

    private static func propertyList(_ list: [String: Any]) throws -> String {
        String(
            decoding: try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0),
            as: UTF8.self)
    }

    private static let resolved = """
        {"pins":[
            {"identity":"appauth-ios","state":{"branch":"main","revision":"0"}},
            {"identity":"swift-log","state":{"version":"1.6.0","revision":"0"}}
        ],"version":3}
        """
}

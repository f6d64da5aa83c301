import Foundation
import ProviderKit
import Testing

@Suite("broker clients", .timeLimit(.minutes(20)))
struct ClientsCommandTests {
    private static let redirectURI = "https://shop.example/callback"

    @Test func `a secret is shown once, on standard output only, and not stored`() async throws {
        try await Installation.run { broker in
            let added = try await broker.command(
                "clients", "add", "--type", "confidential", "--name", "Shop", "--redirect-uri", Self.redirectURI,
                "--json")
            let document = try JSONValue(parsing: added.output)
            let secret = try #require(document["clientSecret"]?.string, "\(added)")
            let id = try #require(document["client"]?["clientId"]?.string)
            let listed = try await broker.command("clients", "list", "--json")
            let shown = try await broker.command("clients", "show", id)

            #expect(added.exitCode == 0 && !added.errors.contains(secret))
            #expect(secret.utf8.count == 48 && secret.hasPrefix("bcs1_"))
            #expect(!listed.everything.contains(secret) && !shown.everything.contains(secret))
            #expect(try JSONValue(parsing: listed.output)["clients"]?.array?.map { $0["clientId"]?.string } == [id])
            #expect(shown.output.contains(Self.redirectURI) && shown.output.contains("confidential"))
            if broker.database["path"] != nil {
                let files = try FileManager.default.contentsOfDirectory(atPath: broker.folder.path + "/data")
                for file in files {
                    let data = try Data(contentsOf: URL(filePath: broker.folder.path + "/data/" + file))
                    #expect(data.range(of: Data(secret.utf8)) == nil, "\(file)")
                }
            }
        }
    }

    @Test func `a running broker knows at once who was added, changed or removed`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let added = try await broker.document(
                    "clients", "add", "--type", "confidential", "--name", "Shop", "--redirect-uri", Self.redirectURI)
                let id = try #require(added["client"]?["clientId"]?.string)
                let first = try #require(added["clientSecret"]?.string)
                #expect(try await Self.isKnown(id, first, at: client))
                #expect(try await !Self.isKnown(id, first + "x", at: client))

                let second = try #require(try await broker.document("clients", "rotate", id)["clientSecret"]?.string)
                #expect(try await Self.isKnown(id, first, at: client))
                #expect(try await Self.isKnown(id, second, at: client))
                let third = try #require(
                    try await broker.document("clients", "rotate", id, "--now", "--yes")["clientSecret"]?.string)
                #expect(try await !Self.isKnown(id, second, at: client))
                #expect(try await Self.isKnown(id, third, at: client))
                let removed = try await broker.document("clients", "remove", id, "--yes")

                #expect(removed["removed"]?.string == id && removed["sessionsEnded"] == 0)
                #expect(try await !Self.isKnown(id, third, at: client))
            }
        }
    }

    /// Whether the token endpoint lets a client in: what it says afterwards is about the missing grant type.
    private static func isKnown(_ id: String, _ secret: String, at client: IdentityToolkitApp) async throws -> Bool {
        let answer = try await client.send(
            "POST", "/oauth/token", headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: FormEncoding.encode([("client_id", id), ("client_secret", secret)]))
        return answer.body["error"] == "invalid_request"
    }

    @Test func `an address that may not be registered is refused with the reason`() async throws {
        try await Installation.run { broker in
            let result = try await broker.command(
                "clients", "add", "--type", "native", "--name", "App", "--redirect-uri", "my_app:/callback", "--json")
            let list = try await broker.document("clients", "list")

            #expect(result.exitCode == 64 && result.errorCode == "INVALID_CLIENT", "\(result)")
            #expect(result.errors.contains("underscore") && result.errors.contains("com.example.app"))
            #expect(list["clients"] == [])
        }
    }

    @Test func `an address at an identity provider of this broker is warned about`() async throws {
        try await Installation.run { broker in
            let arguments = ["clients", "add", "--type", "confidential", "--name", "Shop", "--redirect-uri"]
            let risky = try await CommandResult.broker(
                arguments + ["https://github.com/shop", "--json"], in: broker.folder)

            #expect(risky.exitCode == 0 && risky.errors.contains("warning"), "\(risky)")
            #expect(try JSONValue(parsing: risky.output)["warnings"]?.array?.count == 1)
        }
    }

    @Test func `a scheme without a dot is registered for a native app, with a warning`() async throws {
        try await Installation.run { broker in
            let arguments = ["clients", "add", "--name", "App", "--redirect-uri", "myapp://", "--json", "--type"]
            let native = try await CommandResult.broker(arguments + ["native"], in: broker.folder)
            let browser = try await CommandResult.broker(arguments + ["public"], in: broker.folder)

            #expect(native.exitCode == 0 && native.errors.contains("com.example.app:/callback"), "\(native)")
            #expect(try JSONValue(parsing: native.output)["warnings"]?.array?.count == 1)
            #expect(browser.exitCode == 64 && browser.errorCode == "INVALID_CLIENT", "\(browser)")
        }
    }

    @Test func `an update changes what it is given, at once, and leaves the secret alone`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let added = try await broker.document(
                    "clients", "add", "--type", "confidential", "--name", "Shop", "--redirect-uri", Self.redirectURI,
                    "--post-logout-redirect-uri", "https://shop.example/")
                let id = try #require(added["client"]?["clientId"]?.string)
                let secret = try #require(added["clientSecret"]?.string)
                #expect(added["client"]?["pkce"] == "required")

                let market = "https://market.example/callback"
                let updated = try await broker.document(
                    "clients", "update", id, "--name", "Market", "--redirect-uri", market, "--pkce", "optional",
                    "--post-logout-redirect-uri", "")
                let shown = try await broker.document("clients", "show", id)
                let refused = try await broker.command(
                    "clients", "update", id, "--redirect-uri", "http://market.example/", "--json")
                let empty = try await broker.command("clients", "update", id, "--json")

                #expect(updated["client"] == shown["client"] && updated["client"]?["name"] == "Market")
                #expect(updated["client"]?["redirectUris"] == [.string(market)])
                #expect(updated["client"]?["postLogoutRedirectUris"] == [] && updated["client"]?["pkce"] == "optional")
                #expect(refused.exitCode == 64 && refused.errorCode == "INVALID_CLIENT", "\(refused)")
                #expect(empty.exitCode == 64, "\(empty)")
                #expect(try await Self.isKnown(id, secret, at: client))
                let page = try await client.send(
                    "GET", "/oauth/authorize?" + FormEncoding.encode([("client_id", id), ("redirect_uri", market)]))
                #expect(page.status == 303, "the running broker knows the new address")
            }
        }
    }

    @Test func `a logo is read where the command runs, stored, and served by the running broker`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let picture = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>"#
                try broker.folder.write(picture, to: "logo.svg")
                try broker.folder.write(picture.replacing("<path", with: "<script/><path"), to: "bad.svg")
                let (logo, bad) = (broker.folder.path + "/logo.svg", broker.folder.path + "/bad.svg")
                let added = try await broker.document(
                    "clients", "add", "--type", "public", "--name", "Notes", "--redirect-uri", Self.redirectURI,
                    "--logo", logo, "--home-url", "https://notes.example/", "--support-url", "mailto:a@notes.example")
                let id = try #require(added["client"]?["clientId"]?.string)
                let path = try #require(added["client"]?["logo"]?.string)
                let token = try await broker.document("admin", "token", "create", "--name", "Desk", "--scope", "admin")
                func remote(_ arguments: String...) async throws -> CommandResult {
                    try await CommandResult.broker(
                        ["clients", "update", id] + arguments + ["--server", client.url, "--json"],
                        environment: ["BROKER_ADMIN_TOKEN": token["token"]?.string ?? ""], in: broker.folder)
                }

                let served = try await client.send("GET", path)
                let dark = try await remote("--logo-dark", logo, "--terms-url", "https://notes.example/terms")
                let refused = try await remote("--logo", bad)
                let absent = try await remote("--logo", broker.folder.path + "/absent.svg")
                let script = try await remote("--home-url", "javascript:alert(1)")
                let shown = try await broker.document("clients", "show", id)
                let removed = try await remote("--logo", "", "--logo-dark", "")

                #expect(added["client"]?["homeUrl"] == "https://notes.example/")
                #expect(served.status == 200 && served.text == picture, "\(served)")
                #expect(dark.exitCode == 0, "\(dark)")
                #expect(refused.errorCode == "INVALID_CLIENT" && refused.errors.contains("script"), "\(refused)")
                #expect(absent.errorCode == "NO_FILE", "\(absent)")
                #expect(script.errorCode == "INVALID_CLIENT", "\(script)")
                #expect(shown["client"]?["logo"] == shown["client"]?["logoDark"] && shown["client"]?["logo"] != nil)
                #expect(shown["client"]?["termsUrl"] == "https://notes.example/terms")
                #expect(removed.exitCode == 0 && !removed.output.contains("\"logo\""), "\(removed)")
                #expect(try await client.send("GET", path).status == 404)
            }
        }
    }

    @Test func `an unknown client and one without a secret have different errors`() async throws {
        try await Installation.run { broker in
            let added = try await broker.document("clients", "add", "--type", "native", "--name", "CLI")
            let id = try #require(added["client"]?["clientId"]?.string)
            #expect(added["clientSecret"] == nil)

            for command in [["show"], ["rotate"], ["remove", "--yes"], ["update", "--name", "x"]] {
                let result = try await CommandResult.broker(
                    ["clients"] + command + [randomText(22), "--json"], in: broker.folder)
                #expect(result.exitCode == 1 && result.errorCode == "CLIENT_NOT_FOUND", "\(result)")
            }
            let rotated = try await broker.command("clients", "rotate", id, "--json")
            let unconfirmed = try await broker.command("clients", "remove", id, "--json")
            #expect(rotated.exitCode == 1 && rotated.errorCode == "CLIENT_HAS_NO_SECRET", "\(rotated)")
            #expect(unconfirmed.exitCode == 1 && unconfirmed.errorCode == "NOT_CONFIRMED", "\(unconfirmed)")
            for wrong in [
                ["--type", "secret", "--name", "x"], ["--type", "native"], ["--type", "public", "--name", "x"],
            ] {
                let result = try await CommandResult.broker(["clients", "add"] + wrong, in: broker.folder)
                #expect(result.exitCode == 64, "\(result)")
            }
        }
    }

    @Test func `the property list of an app has what its client and the providers need, on the host too`() async throws
    {
        try await Installation.run { broker in
            let added = try await broker.document(
                "clients", "add", "--type", "native", "--name", "App", "--redirect-uri", "http://127.0.0.1/callback",
                "--redirect-uri", "https://app.example/callback", "--redirect-uri", "com.example.app:/callback")
            let id = try #require(added["client"]?["clientId"]?.string)
            var lists: [JSONValue] = []
            for isEnabled in [false, true] {
                let onePass: JSONValue = [
                    "use": "1pass", "enabled": .bool(isEnabled), "options": ["clientId": "client-1"],
                ]
                try broker.folder.write(
                    JSONValue.object(["providers": [onePass]]).serialized(), to: "plugins.json")
                lists.append(try await broker.document("clients", "plist", id))
            }
            let list = lists[1]

            #expect(lists[0]["LSApplicationQueriesSchemes"] == nil)
            #expect(list["LSApplicationQueriesSchemes"] == ["onepass", "https"], "\(list)")
            #expect(list["BrokerRedirectURI"] == "https://app.example/callback")
            #expect(list["CFBundleURLTypes"] == [["CFBundleURLSchemes": ["com.example.app"]]])
            #expect(
                list["com.apple.developer.associated-domains"]
                    == ["applinks:app.example", "webcredentials:app.example"])
        }
    }

    @Test func `a program that listens on this machine only has no property list`() async throws {
        try await Installation.run { broker in
            let added = try await broker.document(
                "clients", "add", "--type", "native", "--name", "CLI", "--redirect-uri", "http://127.0.0.1/callback")
            let result = try await broker.command(
                "clients", "plist", try #require(added["client"]?["clientId"]?.string), "--json")

            #expect(result.exitCode == 1 && result.errorCode == "NO_NATIVE_CLIENT", "\(result)")
            #expect(result.errors.contains("com.example.app:/callback"), "\(result)")
        }
    }
}

import Broker
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("the handler page and its frame")
struct HandlerPageTests {
    @Test func `the handler runs its own script alone, in no frame, and keeps its opener`() async throws {
        try await HandlerVisit.run { broker, _ in
            let answer = try await HandlerVisit(broker).open("signInViaPopup", "github.com").answer

            let nonce = try #require(answer.text.firstMatch(of: /<script nonce="([A-Za-z0-9]{22})">/)).1
            #expect(
                answer.headers["Content-Security-Policy"] == [
                    "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; "
                        + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
                ])
            #expect(answer.headers["Cross-Origin-Opener-Policy"].isEmpty)
            #expect(answer.headers["Cache-Control"] == ["no-store"])
            #expect(answer.headers["Referrer-Policy"] == ["no-referrer"])
            #expect(!answer.text.contains("http://apis") && !answer.text.contains("https://apis"))
        }
    }

    @Test func `the frame may be framed by authorized domains and loads Google's script and no other`() async throws {
        try await TestBroker.run({ $0.project.authorizedDomains = ["app.example", "localhost"] }) { broker in
            let path = "/__/auth/iframe?apiKey=\(broker.apiKey)&appName=%5BDEFAULT%5D&v=12"
            let answer = try await broker.get(path)
            let ours = try await broker.get(path + "&handOver=message")

            let nonce = try #require(answer.text.firstMatch(of: /<script nonce="([A-Za-z0-9]{22})">/)).1
            let ancestors =
                "'self' https://app.example:* https://*.app.example:* http://localhost:* https://localhost:* "
                + "http://127.0.0.1:* https://127.0.0.1:*"
            #expect(
                answer.headers["Content-Security-Policy"] == [
                    "default-src 'none'; script-src 'nonce-\(nonce)' https://apis.google.com; frame-src 'self'; "
                        + "frame-ancestors \(ancestors); base-uri 'none'; form-action 'none'"
                ])
            #expect(answer.headers["X-Frame-Options"].isEmpty)
            #expect(answer.text.matches(of: /src="/).count == 1)
            #expect(answer.text.contains(#"src="https://apis.google.com/js/api.js""#))
            #expect(!ours.text.contains("src=") && ours.headers["Content-Security-Policy"].count == 1)
            #expect(ours.headers["Content-Security-Policy"].first?.contains("google") == false)
        }
    }

    @Test func `the frame's witness loads below pages of one authorized origin alone`() async throws {
        try await TestBroker.run({ $0.project.authorizedDomains = ["app.example", "localhost"] }) { broker in
            for (origin, isShown) in [
                ("https://app.example", true), ("https://a.app.example:8443", true), ("http://localhost:3000", true),
                ("https://evil.example", false), ("http://app.example", false), ("app.example", false), ("", false),
                ("https://a;script-src%20*.app.example", false), ("https://a'.app.example", false),
            ] {
                for folder in ["/__/auth", "/emulator/auth"] {
                    let query = FormEncoding.encode([("origin", origin)])
                    let answer = try await broker.get("\(folder)/witness?\(query)")

                    #expect(answer.status == (isShown ? 200 : 400), "\(origin) \(answer.text)")
                    let policy = answer.headers["Content-Security-Policy"]
                    if isShown {
                        #expect(
                            policy == [
                                "default-src 'none'; frame-ancestors 'self' \(origin); base-uri 'none'; form-action 'none'"
                            ])
                        #expect(!answer.text.contains("<script"))
                    } else {
                        #expect(policy.first?.contains("frame-ancestors 'none'") == true, "\(policy)")
                    }
                }
            }
        }
    }

    @Test(arguments: [
        ("apiKey", "unknown-key"), ("apiKey", ""), ("redirectUrl", "https://evil.example/"),
        ("redirectUrl", "javascript:alert(1)"), ("redirectUrl", "http://app.example/"), ("authType", "signIn"),
        ("tid", "tenant"), ("appName", ""), ("providerId", ""), ("scopes", "a\u{E9}"), ("customParameters", "{"),
        ("customParameters", #"{"a":1}"#),
    ])
    func `a page that is no app of the project gets nothing but an error`(name: String, value: String) async throws {
        try await TestBroker.run({ $0.project.authorizedDomains = ["app.example", "localhost"] }) { broker in
            var query: [(name: String, value: String)] = [
                ("apiKey", broker.apiKey), ("appName", "[DEFAULT]"), ("authType", "signInViaPopup"),
                ("redirectUrl", "http://localhost:3000/"), ("providerId", "github.com"),
            ]
            query.removeAll { $0.name == name }
            query.append((name, value))

            for folder in ["/__/auth", "/emulator/auth"] {
                let answer = try await broker.get("\(folder)/handler?" + FormEncoding.encode(query))

                #expect(answer.status == 400, "\(answer.text)")
                #expect(answer.headers["Content-Type"] == ["text/html; charset=utf-8"])
                #expect(!answer.text.contains("<script") && !answer.text.contains("evil.example"))
            }
        }
    }

    @Test func `what a provider posts stands in the page as data, whatever it is`() async throws {
        try await HandlerVisit.run { broker, _ in
            let page = try await HandlerVisit(broker).open("signInViaPopup", "apple.com")
            let state = try #require(page.data["state"]?.string)
            // U+0600 makes one Character with what follows it.
            let form =
                "state=\(state)&code=%3C/script%3E&user=\u{600}</script>\u{600}<script>alert(1)</script><!--\u{2028}"
            let answer = try await broker.send(
                .POST, "/oauth/callback/apple.com", headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Array(form.utf8))

            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.text.matches(of: /<script/).count == 2 && !answer.text.contains("alert(1)</"))
            #expect(try HandlerVisit.data(in: answer)["form"]?.string == form)
        }
    }

    @Test(arguments: [
        "http://localhost:3000/list?cols=a|b&q={\"x\":1}", "http://localhost:3000/#/a#b^`c",
        "http://localhost:3000/?\\",
        "http://localhost:3000/?" + String(repeating: "x", count: 4000),
    ])
    func `a page may have whatever browsers leave in an address`(_ page: String) async throws {
        try await HandlerVisit.run { broker, _ in
            let begun = try await HandlerVisit(broker).open("signInViaPopup", "github.com") {
                $0.removeAll { $0.name == "redirectUrl" }
                $0.append(("redirectUrl", page))
            }

            #expect(begun.data["step"] == "begin" && begun.data["request"]?["redirectUrl"]?.string == page)
            #expect(begun.data["request"]?["origin"] == "http://localhost:3000")
        }
    }

    @Test func `scopes and parameters that the entry allows reach the provider, reserved ones do not`() async throws {
        try await HandlerVisit.run(entries: {
            $0["allowedScopes"] = ["read_api", "Profile"]
            $0["allowedParameters"] = ["hl"]
        }) { broker, _ in
            let page = try await HandlerVisit(broker).open("signInViaPopup", "gitlab.com") {
                $0 += [
                    ("scopes", "READ_API,profile,openid"), ("customParameters", #"{"HL":"ko","Client_ID":"x"}"#),
                ]
            }

            let url = try #require(page.data["authorizationUrl"]?.string)
            let query = try #require(FormEncoding.decode(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))
            func values(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }
            let scopes = values("scope").first?.split(separator: " ") ?? []
            #expect(scopes.suffix(2) == ["read_api", "Profile"] && scopes.count { $0 == "openid" } == 1)
            #expect(values("hl") == ["ko"] && values("client_id").count == 1 && values("client_id") != ["x"])
            #expect(values("Client_ID").isEmpty)
            #expect(values("redirect_uri") == ["http://127.0.0.1:9099/oauth/callback/gitlab.com"])
        }
    }

    @Test(arguments: [("scopes", "read_api"), ("customParameters", #"{"audience":"x"}"#)])
    func `without the operator's permission the page refuses an app's scopes and parameters with an error`(
        name: String, value: String
    ) async throws {
        try await HandlerVisit.run { broker, _ in
            let page = try await HandlerVisit(broker).open("signInViaPopup", "gitlab.com") { $0.append((name, value)) }

            #expect(page.data["step"] == "fail" && page.data["authorizationUrl"] == nil)
            #expect(page.data["error"]?["code"] == "auth/operation-not-allowed")
            #expect(page.data["error"]?["message"]?.string?.contains("allowed") == true, "\(page.answer.text)")
        }
    }

    @Test func `what chooses an account or a language is always allowed`() async throws {
        try await HandlerVisit.run { broker, _ in
            let parameters = #"{"prompt":"select_account consent","login_hint":"a@example.com","hd":"x.example"}"#
            let page = try await HandlerVisit(broker).open("signInViaPopup", "gitlab.com") {
                $0.append(("customParameters", parameters))
            }

            let url = try #require(page.data["authorizationUrl"]?.string)
            let query = try #require(FormEncoding.decode(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))
            let expected = ["prompt": "select_account consent", "login_hint": "a@example.com", "hd": "x.example"]
            for (name, value) in expected { #expect(query.filter { $0.name == name }.map(\.value) == [value]) }
        }
    }
}

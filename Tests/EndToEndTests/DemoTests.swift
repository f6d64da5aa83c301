import Foundation
import NIOCore
import NIOPosix
import ProviderKit
import Testing

@Suite("broker demo", .timeLimit(.minutes(20)))
struct DemoTests {
    @Test func `the check prints one document, every step is good, and the exit code is 0`() async throws {
        let folder = try TestFolder()

        let result = try await CommandResult.broker(["demo", "--check", "--json"], in: folder)

        #expect(result.exitCode == 0, "\(result)")
        let document = try JSONValue(parsing: result.output)
        #expect(
            Set(document.object?.names ?? []) == [
                "broker", "accountPage", "simulators", "apiKey", "clientId", "log", "steps",
            ])
        #expect(document["clientId"]?.string?.isEmpty == false)
        #expect(document["broker"]?.string?.hasPrefix("http://127.0.0.1:") == true)
        let simulators = try #require(document["simulators"]?.object)
        #expect(simulators.names == ["github.com", "gitlab.com", "apple.com", "1pass.dev"])
        #expect(simulators.allSatisfy { $0.value.string?.hasPrefix("http://127.0.0.1:") == true })
        let steps = try #require(document["steps"]?.array)
        let names = steps.compactMap { $0["name"]?.string }
        for provider in ["GitHub", "GitLab", "Apple", "1Pass"] {
            #expect(names.contains("sign-in with \(provider)") && names.contains("reauthenticate with \(provider)"))
            #expect(names.contains("link \(provider)") || provider == "GitHub")
        }
        #expect(steps.last?["name"] == "delete an Apple user")
        #expect(steps.last?["detail"]?.string?.contains("has received the revocation") == true)
        for step in steps {
            #expect(step.object?.names == ["name", "ok", "detail"])
            #expect(step["ok"] == true, "\(step.serialized())")
            #expect(step["detail"]?.string?.isEmpty == false)
        }
    }

    @Test func `a reused folder has the same linked accounts after a restart`() async throws {
        let folder = try TestFolder()
        let arguments = ["demo", "--data", folder.file("kept"), "--check", "--json"]

        let first = try await CommandResult.broker(arguments, in: folder)
        var second = try await CommandResult.broker(arguments, in: folder)
        // The folder keeps its ports, and another test may have got one of them meanwhile.
        for _ in 0..<50 where second.output.contains("\"LISTEN\"") {
            second = try await CommandResult.broker(arguments, in: folder)
        }

        #expect(first.exitCode == 0, "\(first)")
        #expect(second.exitCode == 0, "\(second)")
        #expect(first.output.contains("is linked"))
        #expect(second.output.components(separatedBy: "was linked in an earlier run").count == 4)
    }

    @Test func `a reused folder has the same user for an account after a restart`() async throws {
        let folder = try TestFolder()
        let (first, second) = try await FreePort.run { port in
            let arguments = ["demo", "--port", "\(port)", "--data", folder.file("kept-\(port)"), "--json"]
            let first = try await BrokerProcess.run(arguments, in: folder) { demo in
                let answer = try await Self.signIn(through: demo, port: port)
                demo.terminate()
                #expect(try await demo.exitCode() == 0)
                return answer
            }
            let second = try await BrokerProcess.run(arguments, in: folder) { demo in
                try await Self.signIn(through: demo, port: port)
            }
            return (first, second)
        }

        #expect(first.body["isNewUser"] == true)
        #expect(second.body["isNewUser"] == nil)
        #expect(first.body["localId"]?.string != nil)
        #expect(first.body["localId"] == second.body["localId"])
    }

    @Test func `without options it shows the round trip, then lines to paste, and stays up`() async throws {
        let folder = try TestFolder()

        try await BrokerProcess.run(["demo"], environment: ["TMPDIR": folder.path], in: folder) { demo in
            _ = await demo.output.firstLine { $0.contains("Ctrl-C") }
            let text = demo.output.text
            let page = try #require(text.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\/account/), "\(text)")
            let account = try await FormBrowser().open(String(page.output))
            #expect(account.status == 200 && account.html.contains("GitHub"), "\(account.html)")

            #expect(text.contains("✓ sign-in"), "\(demo.everything)")
            #expect(!text.contains("✗"))
            #expect(text.contains(#""localId""#))
            #expect(text.contains(#""sign_in_provider""#))
            #expect(text.split(separator: "\n").count { $0.hasPrefix("curl -s ") } >= 4)
            demo.interrupt()
            let exitCode = try await demo.exitCode()
            #expect(exitCode == 0)
            let log = try #require(text.firstMatch(of: /Log +(\/.+)/)).1
            let lines = try String(contentsOfFile: String(log), encoding: .utf8).split(separator: "\n")
            #expect(lines.contains { $0.contains("/account") }, "the log stays: \(lines)")
            #expect(demo.log.text.isEmpty)
        }
        #expect(try folder.names().allSatisfy { $0.hasSuffix(".log") }, "nothing else stays")
    }

    @Test func `the log of a reused folder is in it, and a successful round trip alone leaves none`() async throws {
        let (folder, temporary) = (try TestFolder(), try TestFolder())

        let kept = try await CommandResult.broker(
            ["demo", "--check", "--json", "--data", folder.file("kept")], in: folder)
        _ = try await CommandResult.broker(
            ["demo", "--check"], environment: ["TMPDIR": temporary.path], in: temporary)

        #expect(try JSONValue(parsing: kept.output)["log"]?.string == folder.file("kept") + "/broker.log")
        #expect(try folder.permissions(of: "kept/broker.log") == 0o600)
        #expect(try temporary.names() == [])
    }

    @Test func `a port that is taken is a clear refusal`() async throws {
        let folder = try TestFolder()
        let taken = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(taken.localAddress?.port)

        let result = try await CommandResult.broker(["demo", "--port", "\(port)", "--check", "--json"], in: folder)
        try await taken.close()

        #expect(result.exitCode == 1, "\(result)")
        #expect(result.errors.contains("\(port)"))
        #expect(result.output.contains(#""code":"LISTEN""#))
    }

    /// Signs the first person of the demo's simulator in, as a newcomer would with curl.
    private static func signIn(through demo: BrokerProcess, port: Int) async throws -> IdentityToolkitApp.Answer {
        let line = try #require(await demo.output.firstLine(), "\(demo.log.text)")
        let document = try JSONValue(parsing: line)
        if document["error"]?["code"]?.string == "LISTEN" { throw FreePort.Taken() }
        #expect(document["steps"] == nil)
        #expect(document["broker"]?.string == "http://127.0.0.1:\(port)")
        let simulator = IdentityToolkitApp(
            url: try #require(document["simulators"]?["github.com"]?.string), apiKey: "")
        let token = try await simulator.send(
            "POST", "/_simulator/access-tokens", headers: [("Content-Type", "application/json")],
            body: #"{"login":"ada"}"#)
        let broker = IdentityToolkitApp(
            url: try #require(document["broker"]?.string), apiKey: try #require(document["apiKey"]?.string))
        return try await broker.signIn(accessToken: try #require(token.body["accessToken"]?.string))
    }
}

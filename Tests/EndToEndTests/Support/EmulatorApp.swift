import Foundation
import ProviderKit
import Testing

/// A running emulator, as an app's test uses it.
struct EmulatorApp: Sendable {
    /// Calls as Firebase's SDKs call an emulator.
    let client: IdentityToolkitApp
    let process: BrokerProcess

    private static let prefix = "/identitytoolkit.googleapis.com"

    /// Starts an emulator, lends it to `test` and ends it.
    static func run(_ options: String..., test: (EmulatorApp) async throws -> Void) async throws {
        let folder = try TestFolder()
        let arguments = ["demo", "--emulator", "--project", "demo-app", "--json"] + options
        try await BrokerProcess.run(arguments, in: folder) { process in
            let line = try #require(await process.output.firstLine(), "\(process.log.text)")
            let document = try JSONValue(parsing: line)
            #expect(document["warning"]?.string?.contains("tests on this machine only") == true)
            let url = try #require(document["emulator"]?.string)
            try await test(
                EmulatorApp(client: IdentityToolkitApp(url: url + prefix, apiKey: "any-key"), process: process))
        }
    }

    /// The emulator's own paths.
    var root: IdentityToolkitApp {
        IdentityToolkitApp(url: String(client.url.dropLast(Self.prefix.count)), apiKey: client.apiKey)
    }

    func signIn(customToken: String) async throws -> JSONValue {
        let answer = try await client.post(
            "/v1/accounts:signInWithCustomToken", ["token": .string(customToken), "returnSecureToken": true])
        #expect(answer.status == 200, "\(answer)")
        return answer.body
    }

    func lookup(_ idToken: String) async throws -> IdentityToolkitApp.Answer {
        try await client.post("/v1/accounts:lookup", ["idToken": .string(idToken)])
    }

    /// A call of the admin API.
    func administer(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws
        -> IdentityToolkitApp.Answer
    {
        try await client.send(
            method, path, headers: [("Authorization", "Bearer owner"), ("Content-Type", "application/json")],
            body: body?.serialized())
    }
}

import Foundation
import ProviderKit
import Subprocess

/// An app written with Authlib (PyPI), an OpenID Connect client of another author, and its user.
struct RelyingParty: Sendable {
    /// Who the app is to the issuer.
    let issuer: String
    let clientID: String
    /// `nil` for a public client.
    let clientSecret: String?
    let redirectURI: String
    var scope = "openid profile email"
    /// A part of what the provider's page calls the user.
    var person: String
    /// A part of what the issuer's chooser calls the provider, unless the request names one.
    var providerName: String?

    /// One thing the app does; what the names mean stands in `relying-party.py`.
    struct Step: Sendable {
        let name: String
        var parameters: JSONObject = [:]

        /// Sends the user to the issuer and redeems the code; every check of OpenID Connect Core is made.
        static func signIn(_ parameters: JSONObject = [:]) -> Step { Step(name: "sign_in", parameters: parameters) }
        /// Sends the user to the issuer and leaves the answer alone, which may be an error.
        static func authorize(_ parameters: JSONObject = [:]) -> Step {
            Step(name: "authorize", parameters: parameters)
        }
        /// Waits until the next second has begun: times in tokens are whole seconds.
        static let nextSecond = Step(name: "next_second")
        static let userinfo = Step(name: "userinfo")
        static let refresh = Step(name: "refresh")
        /// `access_token` or `refresh_token`.
        static func introspect(_ token: String) -> Step {
            Step(name: "introspect", parameters: ["token": .string(token)])
        }
        /// The same two.
        static func revoke(_ token: String) -> Step { Step(name: "revoke", parameters: ["token": .string(token)]) }
        /// Sends the user to the issuer's logout and waits until it sends them on.
        static func logOut(to url: String) -> Step {
            Step(name: "logout", parameters: ["post_logout_redirect_uri": .string(url)])
        }
    }

    /// What the app refused, or what kept it from going on.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// Does these steps one after the other in one browser and returns what came of each.
    ///
    /// - Throws: ``Refusal`` with its reason when the app does not go on.
    @discardableResult
    func run(_ steps: Step...) async throws -> [JSONValue] {
        var options = PlatformOptions()
        options.createSession = true
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "relying-party.py").path
        let result = try await Subprocess.run(
            .name("env"), arguments: ["AUTHLIB_INSECURE_TRANSPORT=1", try TestPython.path(), "-W", "ignore", script],
            platformOptions: options, input: .string(registration(steps).serialized()),
            output: .string(limit: 1 << 22), error: .string(limit: 1 << 22))
        guard result.terminationStatus.isSuccess else { throw Refusal(description: result.standardError) }
        return try JSONValue(parsing: result.standardOutput).array ?? []
    }

    private func registration(_ steps: [Step]) -> JSONObject {
        var registration: JSONObject = [
            "issuer": .string(issuer), "client_id": .string(clientID), "redirect_uri": .string(redirectURI),
            "scope": .string(scope), "person": .string(person),
            "authentication": clientSecret == nil ? "none" : "client_secret_basic",
            "steps": .array(steps.map { ["do": .string($0.name), "with": .object($0.parameters)] }),
        ]
        registration["client_secret"] = clientSecret.map(JSONValue.string)
        registration["provider_name"] = providerName.map(JSONValue.string)
        return registration
    }
}

import Broker
import BrokerStore
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

/// A sign-in of a native app at 1Pass, whose installed app answers to the app's own redirect URI.
struct AppAuthorization: Sendable {
    static let redirectURI = "com.example.app:/1pass"
    static let clientID = "logi_app"
    static let subjectType = "urn:broker:oauth:token-type:app_authorization"

    let native: NativeApp
    let started: Answer
    /// The URL that 1Pass's app opened.
    let redirect: String

    var handle: String { started["handle"]?.string ?? "" }
    var state: String { started["state"]?.string ?? "" }

    /// A broker whose entry for 1Pass has an app's redirect URI, which 1Pass knows as well.
    static func run(
        _ change: (inout Configuration) -> Void = { _ in },
        entries changeEntry: @escaping (inout JSONObject) -> Void = { _ in },
        _ test: (TestBroker, TestProviders, NativeApp) async throws -> Void
    ) async throws {
        try await TestProviders.run(
            change,
            entries: { entry in
                if entry["use"] == "1pass" { Self.addApp(to: &entry) }
                changeEntry(&entry)
            }
        ) { broker, providers in
            providers.onePass.register(
                .init(clientID: clientID, type: .public, redirectURIs: [redirectURI, "com.example.other:/1pass"]))
            try await test(broker, providers, try await app(at: broker, redirectURI))
        }
    }

    private static func addApp(to entry: inout JSONObject) {
        var options = entry["options"]?.object ?? [:]
        options["additionalClientIds"] = [.string(clientID)]
        entry["options"] = .object(options)
        entry["appRedirects"] = [["redirectUri": .string(redirectURI), "clientId": .string(clientID)]]
    }

    /// Registers an app of the operator's own.
    static func app(at broker: TestBroker, _ redirectURIs: String..., isFirstParty: Bool = true) async throws
        -> NativeApp
    {
        NativeApp(
            app: try await OAuthApp(
                at: broker, .native, redirectURIs: [OAuthApp.redirectURI] + redirectURIs, isFirstParty: isFirstParty))
    }

    /// Asks the broker for the provider's address.
    static func start(
        _ native: NativeApp, actor: Answer? = nil, prompt: String? = nil, _ changes: [String: String?] = [:]
    ) async throws -> Answer {
        var form = ["provider": "1pass.dev", "redirect_uri": redirectURI]
        form["prompt"] = prompt
        if let actor {
            form["actor_token"] = try actor.string("access_token")
            form["actor_token_type"] = NativeApp.accessTokenType
        }
        for (name, value) in changes { form[name] = value }
        return try await native.app.post("/oauth/app_authorization", form.map { ($0.key, $0.value) })
    }

    /// Asks for the address and has the user decide in 1Pass's app.
    static func begin(
        _ native: NativeApp, _ providers: TestProviders, as name: String? = "ada", actor: Answer? = nil,
        prompt: String? = nil
    ) async throws -> AppAuthorization {
        let started = try await start(native, actor: actor, prompt: prompt)
        try #require(started.status == 200, "\(started.text)")
        let person = name.flatMap(providers.onePass.person(named:))
        let back = providers.onePass.openUniversalLink(
            try started.string("authorization_uri"), deciding: person.map { .approve($0) } ?? .decline)
        return AppAuthorization(native: native, started: started, redirect: try #require(back))
    }

    /// Redeems what came back; `change` spoils it.
    func finish(
        by app: NativeApp? = nil, actor: Answer? = nil, prompt: String? = nil, handle: String? = nil,
        _ changes: [String: String?] = [:], change: (String) -> String = { $0 }
    ) async throws -> Answer {
        let form: [String: String?] = [
            "subject_token": handle ?? self.handle, "subject_token_type": Self.subjectType,
            "authorization_response": change(redirect),
        ]
        return try await (app ?? native).exchange(
            [], actor: actor, prompt: prompt, form.merging(changes) { $1 })
    }
}

import BrokerClient
import Foundation
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

/// A native app of a running broker with all four providers, and its user.
struct NativeApp: Sendable {
    static let redirectURI = "com.example.app:/callback"

    let broker: HostedBroker
    let user: SimulatedUser
    let auth: BrokerAuth
    let storage: FileSessionStorage
    private let configuration: BrokerConfiguration

    /// Runs a broker, and an app whose user signs in as `name`.
    static func run<Value>(
        as name: String = "Ada", choosing provider: String? = nil, accountData: (any AccountDataHandler)? = nil,
        _ body: (NativeApp) async throws -> Value
    ) async throws -> Value {
        try await prepare(as: name, choosing: provider, accountData: accountData) { app in
            try await app.broker.serve { _ in try await body(app) }
        }
    }

    /// The same without the broker running.
    static func prepare<Value>(
        as name: String = "Ada", choosing provider: String? = nil, accountData: (any AccountDataHandler)? = nil,
        _ body: (NativeApp) async throws -> Value
    ) async throws -> Value {
        try await HostedBroker.prepare { broker in
            try broker.admitNativeApps()
            return try await body(
                NativeApp(
                    broker, SimulatedUser(name, choosing: provider), accountData,
                    clientID: try await broker.addNativeClient("--first-party")))
        }
    }

    private init(
        _ broker: HostedBroker, _ user: SimulatedUser, _ accountData: (any AccountDataHandler)?, clientID: String
    ) {
        self.broker = broker
        self.user = user
        configuration = BrokerConfiguration(
            issuer: URL(string: broker.url) ?? .homeDirectory, clientID: clientID, redirectURI: Self.redirectURI)
        storage = FileSessionStorage(folder: URL(filePath: broker.folder.file("sessions")))
        auth = BrokerAuth(configuration, storage: storage, presenter: user, accountData: accountData)
    }

    /// The same app on another device.
    func onAnotherDevice(
        as name: String, choosing provider: String? = nil, accountData: (any AccountDataHandler)? = nil
    ) -> NativeApp {
        NativeApp(self, SimulatedUser(name, choosing: provider), configuration, accountData)
    }

    /// Another app on another device, which is not one of the operator's own.
    func ofAnotherClient(as name: String, accountData: (any AccountDataHandler)?) async throws -> NativeApp {
        let other = BrokerConfiguration(
            issuer: configuration.issuer, clientID: try await broker.addNativeClient(), redirectURI: Self.redirectURI)
        return NativeApp(self, SimulatedUser(name), other, accountData)
    }

    /// The app after a restart.
    func restarted(accountData: (any AccountDataHandler)? = nil) -> BrokerAuth {
        BrokerAuth(configuration, storage: storage, presenter: user, accountData: accountData)
    }

    private init(
        _ app: NativeApp, _ user: SimulatedUser, _ configuration: BrokerConfiguration,
        _ accountData: (any AccountDataHandler)?
    ) {
        broker = app.broker
        self.user = user
        self.configuration = configuration
        storage = FileSessionStorage(folder: URL(filePath: app.broker.folder.file("sessions-\(randomText(8))")))
        auth = BrokerAuth(configuration, storage: storage, presenter: user, accountData: accountData)
    }

    /// A credential of Sign in with Apple on this device.
    func appleCredential(for givenName: String, withCode: Bool = true) throws -> ProviderCredential {
        let apple = broker.providers.apple
        let nonce = SignInNonce()
        let native = apple.nativeCredential(
            for: try #require(apple.person(givenName: givenName)), application: apple.nativeApplication,
            rawNonce: nonce.raw)
        var name = PersonNameComponents()
        (name.givenName, name.familyName) = (native.givenName, native.familyName)
        return try ProviderCredential(
            appleIdentityToken: Data(native.idToken.utf8),
            authorizationCode: withCode ? Data(native.authorizationCode.utf8) : nil, nonce: nonce, fullName: name,
            email: native.email)
    }
}

extension HostedBroker {
    /// Registers a native app.
    fileprivate func addNativeClient(_ options: String...) async throws -> String {
        let arguments = [
            "clients", "add", "--type", "native", "--name", "App", "--redirect-uri", NativeApp.redirectURI,
            "--provider-tokens", "client", "--json",
        ]
        let added = try await CommandResult.broker(arguments + options, in: folder)
        let id = try? JSONValue(parsing: added.output)["client"]?["clientId"]?.string
        return try #require(id, "\(added)")
    }

    /// Turns anonymous users on, and knows the app at Apple.
    fileprivate func admitNativeApps() throws {
        var configuration = try #require(try JSONValue(parsing: try folder.text(of: "broker.json")).object)
        configuration["signIn"] = ["anonymous": true]
        try folder.write(configuration.serialized(), to: "broker.json")
        try changeOptions(of: "apple") { $0["clientIds"] = [.string(providers.apple.nativeApplication.clientID)] }
    }

    /// Lets 1Pass sign devices in.
    func signsDevicesIn() throws {
        try changeOptions(of: "1pass") {
            ($0["deviceBootstrap"], $0["allowAnonymous"]) = ("anonymousBootstrap", true)
        }
    }

    private func changeOptions(of plugin: String, _ change: (inout JSONObject) -> Void) throws {
        let entries = try #require(try JSONValue(parsing: try folder.text(of: "plugins.json"))["providers"]?.array)
        let changed = entries.map { entry -> JSONValue in
            guard entry["use"]?.string == plugin, var members = entry.object, var options = members["options"]?.object
            else { return entry }
            change(&options)
            members["options"] = .object(options)
            return .object(members)
        }
        try folder.write(JSONValue.object(["providers": .array(changed)]).serialized(), to: "plugins.json")
    }
}

/// Whether two errors are equal; closures lose the type of what they throw.
func refusal<Value>(_ work: () async throws -> Value) async -> BrokerAuthError? {
    do {
        _ = try await work()
        return nil
    } catch {
        return error as? BrokerAuthError
    }
}

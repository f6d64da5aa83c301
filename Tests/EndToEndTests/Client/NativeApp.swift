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
        try await HostedBroker.prepare { broker in
            try broker.admitNativeApps()
            let added = try await broker.document(
                "clients", "add", "--type", "native", "--name", "App", "--redirect-uri", redirectURI,
                "--provider-tokens", "client")
            let app = NativeApp(
                broker, SimulatedUser(name, choosing: provider), accountData,
                clientID: try #require(added["client"]?["clientId"]?.string, "\(added)"))
            return try await broker.serve { _ in try await body(app) }
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
    func onAnotherDevice(as name: String, choosing provider: String? = nil) -> NativeApp {
        NativeApp(self, SimulatedUser(name, choosing: provider), folder: "sessions-\(randomText(8))")
    }

    /// The app after a restart.
    func restarted(accountData: (any AccountDataHandler)? = nil) -> BrokerAuth {
        BrokerAuth(configuration, storage: storage, presenter: user, accountData: accountData)
    }

    private init(_ app: NativeApp, _ user: SimulatedUser, folder: String) {
        broker = app.broker
        self.user = user
        configuration = app.configuration
        storage = FileSessionStorage(folder: URL(filePath: app.broker.folder.file(folder)))
        auth = BrokerAuth(configuration, storage: storage, presenter: user)
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
    /// Turns anonymous users on, and knows the app at Apple.
    fileprivate func admitNativeApps() throws {
        var configuration = try #require(try JSONValue(parsing: try folder.text(of: "broker.json")).object)
        configuration["signIn"] = ["anonymous": true]
        try folder.write(configuration.serialized(), to: "broker.json")
        let entries = try #require(try JSONValue(parsing: try folder.text(of: "plugins.json"))["providers"]?.array)
        let changed = entries.map { entry -> JSONValue in
            guard entry["use"] == "apple", var members = entry.object, var options = members["options"]?.object else {
                return entry
            }
            options["clientIds"] = [.string(providers.apple.nativeApplication.clientID)]
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

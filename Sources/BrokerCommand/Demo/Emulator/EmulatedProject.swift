import Broker
import BrokerStore
import Foundation
import JOSE
import Logging
import ProviderKit
import ServiceLifecycle

/// One project of the emulator: a broker of its own with a store of its own, which verifies everything as always. What
/// the emulator accepts unverified is signed anew before this broker gets it.
final class EmulatedProject: Sendable {
    let id: String
    /// Where its broker listens, on loopback.
    let url: String
    let apiKey: String
    let adminToken: String
    private let core: BrokerCore
    private let pluginsPath: String
    private let signer: PrivateSigningKey
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    private static let account = "firebase-auth-emulator@example.com"
    /// The providers that Firebase's SDKs and the broker's plugins name. Others are added when an app names them.
    private static let providers = [
        "github.com", "gitlab.com", "apple.com", "1pass.dev", "google.com", "microsoft.com", "yahoo.com",
        "facebook.com", "twitter.com",
    ]

    /// Starts the broker of a project with an empty store in `folder`.
    ///
    /// - Throws: ``CommandFailure``, `ConfigurationError` for an id that is none.
    static func start(_ id: String, in folder: String, publicURL: String) async throws -> EmulatedProject {
        let files = BrokerFolder(folder)
        let apiKey = try files.write(
            publicURL: publicURL, project: id, origins: ["*"], allowsAnonymousSignIn: true,
            providers: .array(providers.map(EmulatedProvider.entry)))
        var configuration = try Configuration.load(path: files.configuration, environment: [:])
        configuration.policy = .firebase
        configuration.project.number = "12345"
        configuration.listen = .init(host: "127.0.0.1", port: 0)
        // All requests have one address.
        configuration.rateLimits = .off
        let signer = try PrivateSigningKey.generate(.rs256)
        configuration.serviceAccounts = [
            ServiceAccount(email: account, keys: [try JSONWebKey(keyID: nil, key: signer.publicKey)])
        ]
        let core = try await BrokerCore.open(
            configuration, plugins: [ProviderPlugin(EmulatedProvider.self)], environment: [:])
        do {
            let (_, token) = try await core.adminCredentials.create(
                named: "emulator", scopes: [.admin], lifetime: nil, origin: .commandLine())
            return try await EmulatedProject(id, core, apiKey, token.text, files.plugins, signer)
        } catch {
            await core.close()
            throw error
        }
    }

    private init(
        _ id: String, _ core: BrokerCore, _ apiKey: String, _ adminToken: String, _ pluginsPath: String,
        _ signer: PrivateSigningKey
    ) async throws {
        let (urls, listening) = AsyncStream.makeStream(of: String.self)
        let group = ServiceGroup(services: [BrokerServer(core) { listening.yield($0) }], logger: Logger.current)
        let running = Task {
            defer { listening.finish() }
            try await group.run()
        }
        guard let url = await urls.first(where: { _ in true }) else {
            throw CommandFailure(code: "LISTEN", "the broker of the project \(id) cannot listen on loopback")
        }
        (self.id, self.url, self.core, self.apiKey, self.adminToken) = (id, url, core, apiKey, adminToken)
        (self.pluginsPath, self.signer, self.group, self.running) = (pluginsPath, signer, group, running)
    }

    func stop() async {
        await group.triggerGracefulShutdown()
        _ = await running.result
        await core.close()
    }

    /// Has the provider that an app names, whatever it is.
    func offer(provider id: String) {
        guard core.providers.provider(id) == nil else { return }
        let known = core.providers.providers.map(\.id)
        let file: JSONValue = ["providers": .array((known + [id]).map(EmulatedProvider.entry))]
        guard (try? PrivateFiles.replace(pluginsPath, with: file.serialized())) != nil else { return }
        // A change counts at the second look.
        _ = core.providerConfiguration.reload()
        _ = core.providerConfiguration.reload()
    }

    /// All users, ordered by their id.
    func users() async throws -> [JSONObject] {
        let context = AdminContext(core.administration, origin: .commandLine())
        var users: [JSONObject] = []
        while true {
            let page = try await ListUsers(after: users.last?["localId"]?.string, limit: 1000).run(in: context).users
            users += page
            if page.count < 1000 { return users }
        }
    }

    func removeAllUsers() async throws {
        let context = AdminContext(core.administration, origin: .commandLine())
        for user in try await users() {
            guard let id = user["localId"]?.string else { continue }
            _ = try await DeleteUser(user: id).run(in: context)
        }
    }

    /// Whether a refresh token is one of this project's broker.
    func wrote(refreshToken: String) -> Bool { refreshToken.hasPrefix("rt1_\(core.masterKey.identifier).") }

    /// An ID token with these claims that the project's broker accepts, also when they have expired.
    func idToken(_ claims: JSONObject) throws -> String {
        var claims = claims
        let now = Int64(Date().timeIntervalSince1970)
        if (claims["exp"]?.integer ?? 0) <= now { claims["exp"] = .integer(now + 3600) }
        guard let key = core.signingKeys.published.first(where: { $0.algorithm == .rs256 }) else {
            throw CommandFailure(code: "INTERNAL", "the project has no signing key")
        }
        return try key.signer.token(claims: claims)
    }

    /// A custom token with these claims, signed by the emulator's service account.
    func customToken(_ claims: JSONObject) throws -> String {
        var claims = claims
        let now = Int64(Date().timeIntervalSince1970)
        claims["iss"] = .string(Self.account)
        claims["sub"] = .string(Self.account)
        claims["iat"] = .integer(now)
        claims["exp"] = .integer(now + 3600)
        if claims["aud"] == nil { claims["aud"] = .string(Self.audience) }
        return try TokenSigner(keyID: "emulator", key: signer).token(claims: claims)
    }

    private static let audience =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
}

/// The projects that requests have named, each with a folder of its own.
actor EmulatedProjects {
    let defaultID: String
    private let folder: String
    private let publicURL: String
    private var projects: [String: Task<EmulatedProject, any Error>] = [:]

    /// Each project has a server and a store.
    private static let maximumCount = 50

    init(default id: String, in folder: String, publicURL: String) {
        (defaultID, self.folder, self.publicURL) = (id, folder, publicURL)
    }

    /// The project with this id, started when it is named for the first time.
    ///
    /// - Throws: ``CommandFailure``, `ConfigurationError`.
    func project(_ id: String) async throws -> EmulatedProject {
        if let known = projects[id] { return try await known.value }
        guard projects.count < Self.maximumCount else {
            throw CommandFailure(
                code: "TOO_MANY_PROJECTS", "the emulator serves \(Self.maximumCount) projects at most: restart it")
        }
        let (path, publicURL) = ("\(folder)/project-\(projects.count)-\(RandomText.alphanumeric(6))", publicURL)
        let task = Task { try await EmulatedProject.start(id, in: path, publicURL: publicURL) }
        projects[id] = task
        do {
            return try await task.value
        } catch {
            projects[id] = nil
            throw error
        }
    }

    /// The project whose broker wrote a refresh token; nil for a token of none.
    func project(ofRefreshToken token: String) async -> EmulatedProject? {
        for task in projects.values {
            if let project = try? await task.value, project.wrote(refreshToken: token) { return project }
        }
        return nil
    }

    func stop() async {
        for task in projects.values { await (try? task.value)?.stop() }
        projects = [:]
    }
}

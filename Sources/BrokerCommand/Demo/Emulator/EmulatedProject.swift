import Broker
import BrokerStore
import Foundation
import JOSE
import Logging
import ProviderKit
import Synchronization

/// One project of the emulator: a broker of its own with a store of its own, which verifies everything as always. What
/// the emulator accepts unverified is signed anew before this broker gets it.
final class EmulatedProject: Sendable {
    let id: String
    /// The URL of its broker, on loopback.
    let url: String
    /// The emulator's URL, which stands in the tokens and links of its broker.
    let publicURL: String
    let apiKey: String
    let adminToken: String
    private let core: BrokerCore
    private let files: BrokerFolder
    /// Two requests that add providers would each write the file without the other's.
    private let additions = Mutex(())
    /// The providers that requests wait for; the next addition has them all.
    private let wanted = Mutex<Set<String>>([])
    private let signer: PrivateSigningKey
    private let service: ListeningService

    private static let account = "firebase-auth-emulator@example.com"
    /// The providers that Firebase's SDKs and the broker's plugins name. Others are added when an app names them.
    private static let providers = [
        "github.com", "gitlab.com", "apple.com", "1pass.dev", "google.com", "microsoft.com", "yahoo.com",
        "facebook.com", "twitter.com",
    ]

    /// Starts the broker of a project with an empty store in `folder`.
    ///
    /// - Parameters:
    ///   - id: The project's id.
    ///   - folder: A folder that does not exist yet.
    ///   - publicURL: The emulator's URL.
    ///   - hosts: The hosts of pages that may use the emulator, besides this machine.
    /// - Returns: The running project.
    /// - Throws: ``CommandFailure``, `ConfigurationError` for an id that is none.
    static func start(
        _ id: String, in folder: String, publicURL: String, hosts: [String]
    ) async throws -> EmulatedProject {
        let files = BrokerFolder(folder)
        let page = publicURL + AccountChooser.path(of: id)
        let apiKey = try files.write(
            publicURL: publicURL, project: id, origins: ["*"], allowsAnonymousSignIn: true,
            providers: .array(providers.map { EmulatedProvider.entry($0, page: page) }))
        var configuration = try Configuration.load(path: files.configuration, environment: [:])
        configuration.policy = .firebase
        configuration.project.authorizedDomains += hosts
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
            let (_, token) = try await core.sessions.adminCredentials.create(
                named: "emulator", scopes: [.admin], lifetime: nil, origin: .commandLine())
            return try await EmulatedProject(id, publicURL, core, apiKey, token.text, files, signer)
        } catch {
            await core.close()
            throw error
        }
    }

    private init(
        _ id: String, _ publicURL: String, _ core: BrokerCore, _ apiKey: String, _ adminToken: String,
        _ files: BrokerFolder, _ signer: PrivateSigningKey
    ) async throws {
        guard let service = try await ListeningService.start({ BrokerServer(core, onListening: $0) }) else {
            throw CommandFailure(code: "LISTEN", "the broker of the project \(id) cannot listen on loopback")
        }
        (self.id, url, self.publicURL, self.core) = (id, service.url, publicURL, core)
        (self.apiKey, self.adminToken, self.files) = (apiKey, adminToken, files)
        (self.signer, self.service) = (signer, service)
    }

    /// Stops the broker and removes its users.
    func stop() async {
        await service.stop()
        await core.close()
        try? FileManager.default.removeItem(atPath: files.path)
    }

    /// Adds the providers that a request names, whatever they are. An id that no provider can have is left to the broker's
    /// refusal.
    ///
    /// - Throws: ``CommandFailure`` when they cannot be added.
    func offer(providers named: Set<String>) throws(CommandFailure) {
        func missing() -> [String] {
            named.filter {
                core.providers.current.provider($0) == nil && ProviderEntry.isID($0, of: EmulatedProvider.kind)
            }
        }
        let waiting = missing()
        guard !waiting.isEmpty else { return }
        wanted.withLock { $0.formUnion(waiting) }
        try additions.withLock { _ throws(CommandFailure) in
            guard !missing().isEmpty else { return }
            let added = wanted.withLock { ids in
                defer { ids = [] }
                return ids.filter { core.providers.current.provider($0) == nil }.sorted()
            }
            let page = publicURL + AccountChooser.path(of: id)
            let known = core.providers.current.providers.map(\.id)
            let file: JSONValue = [
                "providers": .array((known + added).map { EmulatedProvider.entry($0, page: page) })
            ]
            do {
                try PrivateFiles.replace(files.plugins, with: file.serialized())
            } catch {
                throw CommandFailure(code: "CANNOT_WRITE", "\(files.plugins) cannot be written")
            }
            // A change is adopted at the second look.
            _ = core.providers.configured.reload()
            _ = core.providers.configured.reload()
        }
        guard missing().isEmpty else {
            throw CommandFailure(code: "INTERNAL", "the providers of the request were not adopted")
        }
    }

    /// The name of a provider for users.
    func displayName(ofProvider id: String) -> String { core.providers.current.displayName(of: id) }

    /// All users, ordered by their id.
    func users() async throws -> [JSONObject] {
        let call = AdminCall(core.admin, origin: .commandLine())
        var users: [JSONObject] = []
        var next: String?
        repeat {
            let page = try await ListUsers(after: next, limit: 1000).run(for: call)
            users += page.users
            next = page.next
        } while next != nil
        return users
    }

    func removeAllUsers() async throws {
        let call = AdminCall(core.admin, origin: .commandLine())
        for user in try await users() {
            guard let id = user["localId"]?.string else { continue }
            _ = try await DeleteUser(user: id).run(for: call)
        }
    }

    /// Whether a refresh token is one of this project's broker.
    func wrote(refreshToken: String) -> Bool { refreshToken.hasPrefix("rt1_\(core.masterKey.identifier).") }

    /// An ID token with these claims that the project's broker accepts, also when they have expired.
    func idToken(_ claims: JSONObject) throws -> String {
        var claims = claims
        let now = Int64(Date().timeIntervalSince1970)
        if (claims["exp"]?.integer ?? 0) <= now { claims["exp"] = .integer(now + 3600) }
        guard let key = core.sessions.signingKeys.published.first(where: { $0.algorithm == .rs256 }) else {
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

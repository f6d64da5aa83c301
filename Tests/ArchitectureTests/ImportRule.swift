/// What the files of a folder may import. The folder's own subfolders follow it unless they have a rule of their own.
struct ImportRule: Sendable, CustomStringConvertible {
    /// From the repository's root.
    let folder: String
    let modules: Set<String>

    init(_ folder: String, _ modules: Set<String>) {
        self.folder = folder
        self.modules = modules
    }

    var description: String { folder }

    func covers(_ file: SourceFile) -> Bool { file.path.hasPrefix(folder + "/") }

    /// The rule of the closest folder around a file.
    static func closest(to file: SourceFile) -> ImportRule? {
        all.filter { $0.covers(file) }.max { $0.folder.utf8.count < $1.folder.utf8.count }
    }
}

extension ImportRule {
    /// Swift's own modules, which are no decision.
    private static let platform: Set<String> = ["Darwin", "Dispatch", "Foundation", "Glibc", "Musl", "Synchronization"]
    /// The same for what an app imports, whose systems may be older than `Synchronization`.
    private static let app = platform.subtracting(["Synchronization"]).union(["Locks"])
    private static let service: Set<String> = ["BrokerStore", "Logging", "OAuth", "ProviderKit"]

    /// The allowed imports; see Docs/Architecture.md.
    static let all = [
        // What a plugin author imports drags nothing else in.
        ImportRule("Sources/StrictJSON", ["Foundation"]),
        ImportRule("Sources/ProviderKit", ["Foundation", "Locks", "StrictJSON"]),
        // The steps of the tutorial are an author's package.
        ImportRule(
            "Sources/ProviderKit/ProviderKit.docc",
            ["Acme", "BrokerCommand", "ProviderKit", "ProviderKitTesting", "StandardProviders", "Testing"]),
        // No I/O: a token is judged from values.
        ImportRule("Sources/JOSE", ["Crypto", "CryptoExtras", "Foundation", "ProviderKit"]),
        // The one place that knows the locks of the systems.
        ImportRule("Sources/Locks", ["Synchronization", "os"]),
        // What broker, client and middleware share: no HTTP, no server.
        ImportRule("Sources/OAuth", app.union(["Crypto", "JOSE", "StrictJSON"])),
        // What a plugin author tests with: values and checks, no server and no test framework.
        ImportRule("Sources/ProviderKitTesting", platform.union(["Crypto", "JOSE", "ProviderKit"])),
        // A plugin knows the contract and nothing of the broker.
        ImportRule("Sources/Providers", ["Foundation", "ProviderKit"]),
        // The list of all of them.
        ImportRule(
            "Sources/Providers/Standard", ["Apple", "Generic", "GitHub", "GitLab", "OnePass", "ProviderKit"]),
        // Knows nothing of the broker either: what it simulates does not.
        ImportRule(
            "Sources/ProviderSimulators",
            platform.union([
                "AsyncHTTPClient", "Crypto", "HTTPTypes", "Hummingbird", "JOSE", "Logging", "NIOCore", "NIOHTTP1",
                "NIOHTTPTypes", "ProviderKit", "ProviderKitTesting", "ServiceLifecycle",
            ])),
        // Declarations of tables: values without behaviour.
        ImportRule("Sources/StoreSchema", []),
        ImportRule("Sources/StoreGenerator", ["Foundation", "StoreSchema"]),
        // Tables speak SQL to an engine; only the engine's folder speaks to the library.
        ImportRule("Sources/BrokerStore", platform.union(["CoreMetrics", "Logging", "StoreSchema"])),
        // The details of audit entries are JSON of a bounded size.
        ImportRule("Sources/BrokerStore/Tables", platform.union(["StoreSchema", "StrictJSON"])),
        // Copies are proven equal by digests.
        ImportRule("Sources/BrokerStore/Copying", platform.union(["Crypto", "StoreSchema", "StrictJSON"])),
        ImportRule("Sources/BrokerStore/Engines/SQLite", platform.union(["CSQLite", "Logging", "StoreSchema"])),
        ImportRule("Sources/BrokerStore/Engines/PostgreSQL", platform.union(["CPostgres", "Logging", "StoreSchema"])),
        // The service. No folder imports a provider or a simulator. HTTP belongs to the HTTP folder, the folders that
        // serve an API or pages, and Server, which composes them.
        ImportRule("Sources/Broker", platform.union(service).union(["Crypto", "JOSE"])),
        // Text needs nothing of the service.
        ImportRule("Sources/Broker/Terminal", ["Foundation", "ProviderKit"]),
        // Only this folder knows how metrics are counted.
        ImportRule("Sources/Broker/Metrics", platform.union(service).union(["CoreMetrics"])),
        // Pictures are named by their digests, and a store's writer is woken by event loops.
        ImportRule(
            "Sources/Broker/Configuration",
            platform.union(service).union([
                "Crypto", "CryptoExtras", "JOSE", "NIOCore", "NIOPosix", "SwiftASN1", "X509",
            ])),
        // Tokens are told apart by their digests.
        ImportRule(
            "Sources/Broker/HTTP",
            platform.union(service).union([
                "Crypto", "HTTPTypes", "Hummingbird", "HummingbirdCore", "JOSE", "NIOCore", "NIOHTTP1",
                "NIOHTTPTypesHTTP1",
            ])),
        ImportRule("Sources/Broker/Vault", platform.union(service).union(["Crypto"])),
        ImportRule(
            "Sources/Broker/Providers",
            platform.union(service).union([
                "AsyncHTTPClient", "JOSE", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL",
            ])),
        // RSA signatures and key generation stay off the event loops; OpenSSL makes the signatures.
        ImportRule(
            "Sources/Broker/Sessions",
            platform.union(service).union([
                "COpenSSL", "Crypto", "CryptoExtras", "JOSE", "NIOPosix", "SwiftASN1", "X509",
            ])),
        ImportRule(
            "Sources/Broker/IdentityToolkit",
            platform.union(service).union(["HTTPTypes", "Hummingbird", "JOSE", "NIOCore"])),
        ImportRule(
            "Sources/Broker/OpenID",
            platform.union(service).union(["Crypto", "HTTPTypes", "Hummingbird", "JOSE", "NIOCore"])),
        ImportRule("Sources/Broker/Hosted", platform.union(service).union(["HTTPTypes", "Hummingbird", "NIOCore"])),
        ImportRule("Sources/Broker/Inbound", platform.union(service).union(["HTTPTypes", "Hummingbird", "NIOCore"])),
        ImportRule(
            "Sources/Broker/Administration", platform.union(service).union(["Crypto", "Hummingbird", "JOSE"])),
        ImportRule(
            "Sources/Broker/OpenAPI", ["BrokerStore", "HTTPTypes", "HummingbirdCore", "ProviderKit", "Synchronization"]),
        ImportRule(
            "Sources/Broker/Console",
            platform.union(service).union(["HTTPTypes", "Hummingbird", "JOSE", "NIOCore"])),
        // The pages alone have templates.
        ImportRule(
            "Sources/Broker/Hosted/Pages",
            platform.union(service).union(["HTTPTypes", "Hummingbird", "Mustache", "NIOCore"])),
        ImportRule(
            "Sources/Broker/Server",
            platform.union(service).union([
                "HTTPTypes", "Hummingbird", "HummingbirdCore", "HummingbirdTLS", "JOSE", "NIOCore", "NIOPosix",
                "NIOSSL",
                "ServiceLifecycle",
            ])),
        // What an app imports: tokens, hashes and Foundation's networking. The folder of adapters alone knows Apple's
        // frameworks.
        ImportRule(
            "Sources/BrokerClient",
            app.union([
                "Crypto", "FoundationNetworking", "JOSE", "OAuth", "Observation", "ProviderKit", "StrictJSON",
            ])),
        ImportRule(
            "Sources/BrokerClient/Apple",
            app.union([
                "AuthenticationServices", "Crypto", "JOSE", "LocalAuthentication", "Security", "StrictJSON", "SwiftUI",
                "UIKit", "AppKit",
            ])),
        // The steps of the tutorial are an app's.
        ImportRule("Sources/BrokerClient/BrokerClient.docc", ["BrokerClient", "Foundation", "SwiftUI"]),
        // The same in the shape of Firebase's API.
        ImportRule(
            "Sources/BrokerFirebaseAuth", ["BrokerClient", "Foundation", "JOSE", "Locks", "StrictJSON"]),
        // What a backend imports.
        ImportRule(
            "Sources/BrokerAuthMiddleware",
            platform.union([
                "AsyncHTTPClient", "HTTPTypes", "Hummingbird", "JOSE", "Logging", "NIOCore", "NIOHTTP1", "OAuth",
                "StrictJSON",
            ])),
        // The program: the demo alone has simulators and is a client of its own broker.
        ImportRule(
            "Sources/BrokerCommand",
            platform.union(service).union([
                "ArgumentParser", "AsyncHTTPClient", "Broker", "NIOCore", "NIOHTTP1", "NIOSSL", "ServiceLifecycle",
                "UnixSignals",
            ])),
        ImportRule(
            "Sources/BrokerCommand/Demo",
            platform.union(service).union([
                "ArgumentParser", "AsyncHTTPClient", "Broker", "NIOCore", "NIOHTTP1", "NIOPosix",
                "ProviderSimulators", "ServiceLifecycle", "UnixSignals",
            ])),
        // Only this folder of the command line serves HTTP of its own.
        ImportRule(
            "Sources/BrokerCommand/Demo/Emulator",
            platform.union(service).union([
                "AsyncHTTPClient", "Broker", "HTTPTypes", "Hummingbird", "JOSE", "NIOCore", "NIOHTTP1",
                "ServiceLifecycle", "UnixSignals",
            ])),
        ImportRule(
            "Sources/BrokerCommand/Remote",
            platform.union(service).union([
                "ArgumentParser", "AsyncHTTPClient", "Broker", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL",
            ])),
        // The one place that knows both sides.
        ImportRule("Sources/BrokerCLI", ["BrokerCommand", "ProviderKit", "StandardProviders"]),
    ]
}

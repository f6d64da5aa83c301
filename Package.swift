// swift-tools-version: 6.2
import PackageDescription

// The dependency rule of the house, enforced by the compiler: `Broker` never imports a provider, a provider never
// imports `Broker`, only `BrokerStore` knows SQL, only `BrokerCLI` knows both sides. See Docs/Architecture.md.
//
// The default trait `Server` holds what the server needs of other packages: an app turns it off. What that means for
// platforms: Docs/Decisions/0047-what-an-app-resolves.md.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// What an app needs too.
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")

/// A dependency of the server and of the tests. A package that uses this one with `traits: []`, as an app does, resolves
/// none of them.
func server(_ product: String, of package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Server"]))
}

let argumentParser = server("ArgumentParser", of: "swift-argument-parser")
let asn1 = server("SwiftASN1", of: "swift-asn1")
let asyncHTTPClient = server("AsyncHTTPClient", of: "async-http-client")
let httpTypes = server("HTTPTypes", of: "swift-http-types")
let hummingbird = server("Hummingbird", of: "hummingbird")
let hummingbirdCore = server("HummingbirdCore", of: "hummingbird")
let hummingbirdTLS = server("HummingbirdTLS", of: "hummingbird")
let jwtKit = server("JWTKit", of: "jwt-kit")
let coreMetrics = server("CoreMetrics", of: "swift-metrics")
let mustache = server("Mustache", of: "swift-mustache")
let logging = server("Logging", of: "swift-log")
let nioCore = server("NIOCore", of: "swift-nio")
let nioHTTPTypes = server("NIOHTTPTypes", of: "swift-nio-extras")
let nioHTTPTypesHTTP1 = server("NIOHTTPTypesHTTP1", of: "swift-nio-extras")
let nioEmbedded = server("NIOEmbedded", of: "swift-nio")
let nioHTTP1 = server("NIOHTTP1", of: "swift-nio")
let nioPosix = server("NIOPosix", of: "swift-nio")
let nioSSL = server("NIOSSL", of: "swift-nio-ssl")
let nioTLS = server("NIOTLS", of: "swift-nio")
let serviceLifecycle = server("ServiceLifecycle", of: "swift-service-lifecycle")
let subprocess = server("Subprocess", of: "swift-subprocess")
let unixSignals = server("UnixSignals", of: "swift-service-lifecycle")
let x509 = server("X509", of: "swift-certificates")

/// The versions count for all targets of a package. An app gets the older ones; the server's targets need macOS 15, and a
/// build of them on a Mac says so by this variable.
let platforms: [SupportedPlatform] =
    Context.environment["BUILD_SERVER_ON_MACOS"] == nil ? [.iOS(.v16), .macOS(.v13)] : [.macOS(.v15)]

/// One folder, one plugin, one target: it knows the contract and nothing else.
func provider(_ name: String) -> Target {
    .target(name: name, dependencies: ["ProviderKit"], path: "Sources/Providers/\(name)", swiftSettings: settings)
}

/// A plugin's own tests: the conformance suite, and what is peculiar to the provider, against its simulator.
func providerTests(_ name: String) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [
            .byName(name: name), "JOSE", "ProviderKit", "ProviderKitTesting", "ProviderSimulators", asyncHTTPClient,
            crypto, nioCore, nioHTTP1,
        ], path: "Tests/Providers/\(name)Tests", swiftSettings: settings)
}

let package = Package(
    name: "broker",
    platforms: platforms,
    products: [
        .executable(name: "broker", targets: ["BrokerCLI"]),
        .library(name: "ProviderKit", targets: ["ProviderKit"]),
        .library(name: "ProviderSimulators", targets: ["ProviderSimulators"]),
        .library(name: "BrokerAuthMiddleware", targets: ["BrokerAuthMiddleware"]),
        .library(name: "BrokerClient", targets: ["BrokerClient"]),
        .library(name: "BrokerFirebaseAuth", targets: ["BrokerFirebaseAuth"]),
        .library(name: "BrokerCommand", targets: ["BrokerCommand"]),
        .library(name: "ProviderKitTesting", targets: ["ProviderKitTesting"]),
        .library(
            name: "StandardProviders",
            targets: ["Apple", "Generic", "GitHub", "GitLab", "OnePass", "StandardProviders"]),
    ],
    traits: [
        .trait(name: "Server", description: "The broker, its simulators and BrokerAuthMiddleware for backends."),
        .default(enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.10.0"),
        // 2.100 fixes a remote crash by many header fields (CVE-2026-28980): never go below it.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
    targets: [
        // What a plugin author imports; ProviderKit re-exports StrictJSON.
        .target(name: "StrictJSON", swiftSettings: settings),
        .target(name: "ProviderKit", dependencies: ["Locks", "StrictJSON"], swiftSettings: settings),
        .target(name: "JOSE", dependencies: ["ProviderKit", crypto, cryptoExtras], swiftSettings: settings),
        // The standard library's lock, and one like it for older systems of Apple's.
        .target(name: "Locks", swiftSettings: settings),
        .target(name: "OAuth", dependencies: ["JOSE", "Locks", "StrictJSON", crypto], swiftSettings: settings),

        // What a plugin author tests with.
        .target(
            name: "ProviderKitTesting", dependencies: ["JOSE", "ProviderKit", crypto], swiftSettings: settings),

        // One folder, one plugin, one target.
        provider("Apple"), provider("Generic"), provider("GitHub"), provider("GitLab"), provider("OnePass"),
        // All of them, for a program.
        .target(
            name: "StandardProviders",
            dependencies: ["Apple", "Generic", "GitHub", "GitLab", "OnePass", "ProviderKit"],
            path: "Sources/Providers/Standard", swiftSettings: settings),

        // Stand-ins for the identity providers: tests, `broker demo`, app developers' CI.
        .target(
            name: "ProviderSimulators",
            dependencies: [
                "JOSE", "ProviderKit", "ProviderKitTesting", asyncHTTPClient, crypto, hummingbird, httpTypes, logging,
                nioCore, nioHTTP1, nioHTTPTypes,
            ], swiftSettings: settings),

        // The service.
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        // The system's libpq and libcrypto, which are not linked but opened when they are needed first.
        .target(name: "CPostgres"),
        .target(name: "COpenSSL"),
        // The tables, each declared once, and the program that writes their records.
        .target(name: "StoreSchema", swiftSettings: settings),
        .executableTarget(name: "StoreGenerator", dependencies: ["StoreSchema"], swiftSettings: settings),
        .target(
            name: "BrokerStore",
            dependencies: ["CPostgres", "CSQLite", "StoreSchema", "StrictJSON", coreMetrics, crypto, logging],
            swiftSettings: settings),
        .target(
            name: "Broker",
            dependencies: [
                .target(name: "COpenSSL", condition: .when(platforms: [.linux])), "BrokerStore", "JOSE", "OAuth",
                "ProviderKit", asn1, asyncHTTPClient, coreMetrics, crypto, cryptoExtras,
                httpTypes, hummingbird, hummingbirdCore, hummingbirdTLS, logging, mustache, nioCore, nioHTTP1,
                nioHTTPTypesHTTP1, nioPosix, nioSSL, serviceLifecycle, x509,
            ], swiftSettings: settings),

        // What apps and their backends use: neither knows the service.
        .target(
            name: "BrokerClient", dependencies: ["JOSE", "Locks", "OAuth", "ProviderKit", "StrictJSON", crypto],
            swiftSettings: settings),
        // BrokerClient in the shape of Firebase's API.
        .target(
            name: "BrokerFirebaseAuth", dependencies: ["BrokerClient", "JOSE", "Locks", "StrictJSON"],
            swiftSettings: settings),
        .target(
            name: "BrokerAuthMiddleware",
            dependencies: [
                "JOSE", "OAuth", "StrictJSON", asyncHTTPClient, httpTypes, hummingbird, logging, nioCore, nioHTTP1,
            ], swiftSettings: settings),

        // The program.
        .target(
            name: "BrokerCommand",
            dependencies: [
                "Broker", "BrokerStore", "JOSE", "OAuth", "ProviderKit", "ProviderSimulators", argumentParser,
                asyncHTTPClient, httpTypes, hummingbird, logging, nioCore, nioHTTP1, nioPosix, nioSSL, serviceLifecycle,
                unixSignals,
            ], swiftSettings: settings),
        .executableTarget(
            name: "BrokerCLI", dependencies: ["BrokerCommand", "ProviderKit", "StandardProviders"],
            swiftSettings: settings),
        // A program of an app's author, which the tests run.
        .executableTarget(
            name: "CommandLineApp",
            dependencies: ["BrokerClient", argumentParser, httpTypes, hummingbird, logging, nioCore, serviceLifecycle],
            path: "Examples/CommandLineApp", swiftSettings: settings),
        .executableTarget(
            name: "ExampleBackend", dependencies: ["BrokerAuthMiddleware", hummingbird, logging],
            path: "Examples/Backend", exclude: ["README.md"], swiftSettings: settings),
        .executableTarget(
            name: "MicroBenchmarks",
            dependencies: [
                "Broker", "BrokerStore", "CSQLite", "JOSE", "OAuth", "ProviderKit", argumentParser, crypto,
                cryptoExtras,
                logging,
            ],
            path: "Benchmarks/MicroBenchmarks", swiftSettings: settings),

        // A PostgreSQL for the tests of a process, and databases in it.
        .target(
            name: "PostgreSQLTesting", dependencies: ["BrokerStore", "CPostgres", nioPosix],
            path: "Tests/PostgreSQLTesting", exclude: ["postgresql-cluster"], swiftSettings: settings),

        // A browser for the tests of a process, and web sites for it.
        .target(
            name: "BrowserTesting",
            dependencies: [
                "ProviderSimulators", "StrictJSON", asn1, asyncHTTPClient, crypto, httpTypes, hummingbird, nioCore,
                nioHTTP1, nioPosix, nioSSL, x509,
            ],
            path: "Tests/BrowserTesting", exclude: ["browser-driver"], swiftSettings: settings),

        .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON"], swiftSettings: settings),
        .testTarget(name: "ProviderKitTests", dependencies: ["ProviderKit"], swiftSettings: settings),
        .testTarget(
            name: "JOSETests",
            dependencies: ["JOSE", "ProviderKit", "ProviderKitTesting", crypto, cryptoExtras, jwtKit],
            swiftSettings: settings),
        .testTarget(
            name: "OAuthTests", dependencies: ["JOSE", "OAuth", "StrictJSON", crypto], swiftSettings: settings),
        .testTarget(
            name: "ProviderKitTestingTests", dependencies: ["JOSE", "ProviderKit", "ProviderKitTesting"],
            swiftSettings: settings),
        providerTests("Apple"), providerTests("Generic"), providerTests("GitHub"), providerTests("GitLab"),
        providerTests("OnePass"),
        .testTarget(
            name: "ProviderSimulatorsTests",
            dependencies: [
                "JOSE", "ProviderKit", "ProviderKitTesting", "ProviderSimulators", asyncHTTPClient, crypto, nioCore,
                nioHTTP1, nioPosix,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BrokerStoreTests",
            dependencies: [
                "BrokerStore", "CSQLite", "PostgreSQLTesting", "StoreGenerator", "StoreSchema", "StrictJSON",
                subprocess,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BrokerTests",
            dependencies: [
                "Apple", "Broker", "BrokerStore", "BrowserTesting", "CSQLite", "Generic", "GitHub", "GitLab", "JOSE",
                "OAuth",
                "OnePass", "PostgreSQLTesting", "ProviderKit", "ProviderKitTesting", "ProviderSimulators",
                asyncHTTPClient,
                coreMetrics, crypto, cryptoExtras, httpTypes,
                hummingbird, logging, nioCore, nioEmbedded, nioHTTP1, nioHTTPTypes, nioPosix, nioSSL, subprocess,
            ], exclude: ["Catalogue/Quirks", "HTTP/ErrorAnswers.txt"], swiftSettings: settings),
        .testTarget(
            name: "BrokerClientTests",
            dependencies: [
                "BrokerClient", "JOSE", "ProviderKit", "ProviderKitTesting", "ProviderSimulators", "StrictJSON", crypto,
                httpTypes, hummingbird, nioCore,
            ], swiftSettings: settings),
        .testTarget(
            name: "BrokerAuthMiddlewareTests",
            dependencies: [
                "BrokerAuthMiddleware", "JOSE", "ProviderKit", "ProviderKitTesting", "ProviderSimulators", "StrictJSON",
                asyncHTTPClient, crypto, httpTypes, hummingbird, logging, nioCore, nioHTTP1,
            ], swiftSettings: settings),
        .testTarget(
            name: "BrokerCommandTests",
            dependencies: ["BrokerCommand", "ProviderKit", argumentParser, nioCore, nioPosix],
            swiftSettings: settings),
        .testTarget(
            name: "BrowserTestingTests", dependencies: ["BrowserTesting", "ProviderKit", "ProviderSimulators"],
            swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "BrokerAuthMiddleware", "BrokerCLI", "BrokerClient", "BrokerFirebaseAuth", "BrowserTesting", "CSQLite",
                "CommandLineApp", "ExampleBackend", "JOSE", "PostgreSQLTesting", "ProviderKit",
                "ProviderKitTesting", "ProviderSimulators", asyncHTTPClient, crypto, asn1, hummingbird, nioCore,
                nioHTTP1, nioPosix, nioSSL, nioTLS, subprocess,
                x509,
            ],
            exclude: ["Support/relying-party.py", "Support/service-account.py", "FirebaseAdmin"],
            swiftSettings: settings),
        .testTarget(name: "ArchitectureTests", swiftSettings: settings),
    ]
)

// Plugins with bugs that scripts/mutants plants, and the programs that grade them: by the conformance suite, and by the
// plugins' own tests.
if let folder = Context.environment["MUTANTS"] {
    // Optimized code is tested too.
    let testable: [SwiftSetting] = [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]
    let plugins = package.targets.filter { $0.path == "Sources/Providers/\($0.name)" }.map(\.name)
    func target(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .target(name: name, dependencies: dependencies, path: "\(folder)/\(name)", swiftSettings: settings + testable)
    }
    let tests = plugins.map(providerTests)
    package.targets.first { $0.name == "ProviderKitTesting" }?.swiftSettings = settings + testable
    package.targets += [target("Mutation", ["ProviderKit"])]
    package.targets += plugins.map { target("Mutated\($0)", ["Mutation", "ProviderKit"]) }
    package.targets += zip(plugins, tests).map { plugin, tests in
        target("Mutated\(tests.name)", [.byName(name: "Mutated\(plugin)")] + tests.dependencies.dropFirst())
    }
    package.targets += [
        .executableTarget(
            name: "Mutants",
            dependencies: ["JOSE", "Mutation", "ProviderKit", "ProviderKitTesting", crypto]
                + plugins.map { .byName(name: "Mutated\($0)") },
            path: "\(folder)/Mutants", swiftSettings: settings),
        .executableTarget(
            name: "TestedMutants",
            dependencies: ["Mutation"] + tests.map { .byName(name: "Mutated\($0.name)") },
            path: "\(folder)/TestedMutants", swiftSettings: settings),
    ]
}

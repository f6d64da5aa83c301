// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what only measures is never a dependency of what is measured. It knows the broker as its
// users do: as a program, its files, and HTTP. What has to look inside is `MicroBenchmarks`, a target of the main package.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let histogram: Target.Dependency = .product(name: "Histogram", package: "hdrhistogram-swift")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")

let package = Package(
    name: "broker-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "BrokerBench", targets: ["BrokerBench"]),
        .executable(name: "BareServer", targets: ["BareServer"]),
        .executable(name: "NIOServer", targets: ["NIOServer"]),
        .executable(name: "EpollServer", targets: ["EpollServer"]),
        .library(name: "AllocationCounter", type: .dynamic, targets: ["AllocationCounter"]),
        .library(name: "MainThreadKeeper", type: .dynamic, targets: ["MainThreadKeeper"]),
    ],
    dependencies: [
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    ],
    targets: [
        // What is measured against.
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
        .target(name: "RawGroupCommit", dependencies: ["CSQLite"], swiftSettings: settings),
        .executableTarget(name: "BareServer", dependencies: [hummingbird, nioCore, nioPosix], swiftSettings: settings),
        .executableTarget(name: "NIOServer", dependencies: [nioCore, nioHTTP1, nioPosix], swiftSettings: settings),
        .executableTarget(name: "EpollServer", cSettings: [.define("_GNU_SOURCE")]),
        // Preloaded into a broker.
        .target(name: "AllocationCounter", cSettings: [.define("_GNU_SOURCE")]),
        .target(name: "MainThreadKeeper", cSettings: [.define("_GNU_SOURCE")]),

        // What measures.
        .target(
            name: "BenchmarkLoad", dependencies: [histogram, nioCore, nioHTTP1, nioPosix], swiftSettings: settings),
        .executableTarget(
            name: "BrokerBench",
            dependencies: [
                "BenchmarkLoad", "CLibCrypto", "RawGroupCommit", argumentParser, crypto, cryptoExtras, hummingbird,
                logging,
                nioCore, nioHTTP1,
            ], swiftSettings: settings),

        .testTarget(
            name: "BenchmarkLoadTests",
            dependencies: ["BenchmarkLoad", "RawGroupCommit", nioCore, nioHTTP1, nioPosix], swiftSettings: settings),
    ]
)

// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "custom-broker",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "broker", path: "../..")
    ],
    targets: [
        .target(
            name: "Acme", dependencies: [.product(name: "ProviderKit", package: "broker")], swiftSettings: settings),
        .executableTarget(
            name: "CustomBroker",
            dependencies: [
                "Acme", .product(name: "BrokerCommand", package: "broker"),
                .product(name: "ProviderKit", package: "broker"),
                .product(name: "StandardProviders", package: "broker"),
            ], swiftSettings: settings),
        .testTarget(
            name: "AcmeTests",
            dependencies: [
                "Acme", .product(name: "ProviderKit", package: "broker"),
                .product(name: "ProviderKitTesting", package: "broker"),
            ], swiftSettings: settings),
    ]
)

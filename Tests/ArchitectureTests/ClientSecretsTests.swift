import Testing

/// What an app's users must be able to rely on, and what example code teaches: no token is written where others read it.
@Suite("Secrets of apps that use BrokerClient")
struct ClientSecretsTests {
    private static func files() throws -> [SourceFile] {
        try Repository.swiftFiles(below: "Sources/BrokerClient", "Sources/BrokerFirebaseAuth", "Examples")
    }

    /// The only value in UserDefaults: that this installation has been started.
    private static let marker = "Sources/BrokerClient/Keychain/InstallMarker.swift"

    @Test func `only the install marker is in UserDefaults`() throws {
        let stores = /\b(UserDefaults|NSUbiquitousKeyValueStore|AppStorage|SceneStorage|CFPreferences\w*)\b/
        let files = try Self.files().filter { $0.code.contains { $0.contains(stores) } }

        #expect(files.map(\.path).filter { $0 != Self.marker } == [])
        // What is stored is a constant, so it cannot be a secret.
        let writes = files.flatMap(\.code).filter { $0.contains(/\.set\(|\.setValue\(|\.setObject\(/) }
        #expect(writes.filter { !$0.contains(/\.set\(true, forKey:/) } == [])
    }

    @Test func `the library and the app with a window log nothing`() throws {
        let log = /\b(print|debugPrint|dump|NSLog|os_log|Logger|OSLog|fputs|printf)\s*\(|standardError|standardOutput/
        let files = try Self.files().filter { file in
            ["Sources/BrokerClient/", "Sources/BrokerFirebaseAuth/", "Examples/SwiftUIApp/"].contains {
                file.path.hasPrefix($0)
            }
        }

        #expect(files.filter { $0.code.contains { $0.contains(log) } }.map(\.path) == [])
    }

    @Test func `examples print no token, code or nonce`() throws {
        let secret = /(?i)\b(print|fputs|write)\b.*(token|deviceCode|authorizationCode|nonce|verifier|credential)\b/

        let lines = try Self.files().filter { $0.path.hasPrefix("Examples/") }.flatMap { file in
            file.code.filter { $0.contains(secret) }.map { "\(file.path): \($0)" }
        }
        #expect(lines == [])
    }

    /// A type that holds a secret shows nothing of it where it is printed.
    @Test(arguments: [
        "StoredItem", "StoredSession", "ProviderCredential", "SignInNonce", "ProviderToken", "DeviceAuthorization",
        "OAuthCredential", "AuthTokenResult",
        "OtherAccount", "HighAssuranceToken", "StoredDevices.Device", "PendingSignIn",
    ])
    func `a type with a secret has a description of its own`(type: String) throws {
        let files = try Repository.swiftFiles(below: "Sources/BrokerClient", "Sources/BrokerFirebaseAuth")
        let declaration = "extension \(type): CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable"

        #expect(files.filter { $0.text.contains(declaration) }.count == 1)
    }
}

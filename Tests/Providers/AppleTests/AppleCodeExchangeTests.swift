import Foundation
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("Apple: codes outside a sign-in")
struct AppleCodeExchangeTests {
    static func code(_ value: String, redirectURI: String? = nil) -> Credential.AuthorizationCode {
        Credential.AuthorizationCode(code: value, redirectURI: redirectURI)
    }

    @Test func `a device's code is exchanged as the app that requested it, whichever it was`() async throws {
        try await AppleSimulator.running { apple in
            let ada = try apple.ada
            let apps = [apple.nativeApplication, apple.register(AppleSimulator.Application(kind: .native))]
            let provider = try #require(
                try apple.provider(["clientIds": .array(apps.map { .string($0.clientID) })]) as? any CodeExchange)

            for app in apps {
                let native = apple.nativeCredential(for: ada, application: app)
                let identity = try await provider.exchange(Self.code(native.authorizationCode), of: nil)

                #expect(identity.subject == apple.subject(of: ada, for: app))
                #expect(identity.grant?.clientID == app.clientID)
                #expect(apple.isLive(token: try #require(identity.grant?.refreshToken)))
                #expect(apple.forms(.token).last?["redirect_uri"] == nil)
            }
        }
    }

    @Test func `only the client the caller names is tried`() async throws {
        try await AppleSimulator.running { apple in
            let app = apple.register(AppleSimulator.Application(kind: .native))
            let clients = [apple.nativeApplication.clientID, app.clientID]
            let provider = try #require(
                try apple.provider(["clientIds": .array(clients.map(JSONValue.string))]) as? any CodeExchange)
            let native = apple.nativeCredential(for: try apple.ada, application: app)

            _ = try await provider.exchange(Self.code(native.authorizationCode), of: app.clientID)

            #expect(apple.forms(.token).map { $0["client_id"] } == [app.clientID])
        }
    }

    @Test func `a web site's code is exchanged as the Services ID with its redirect URI`() async throws {
        try await AppleSimulator.running { apple in
            let (ada, site) = (try apple.ada, apple.defaultApplication)
            let provider = try #require(try apple.provider() as? any CodeExchange)
            let code = apple.authorizationCode(for: ada, application: site)

            let identity = try await provider.exchange(
                Self.code(code, redirectURI: site.returnURLs[0]), of: nil)

            #expect(identity.subject == apple.subject(of: ada, for: site) && identity.grant?.clientID == site.clientID)
            #expect(apple.forms(.token).map { $0["client_id"] } == [site.clientID])
        }
    }

    @Test(arguments: ["used", "expired", "invented"])
    func `a code that is worth nothing is the credential's fault`(kind: String) async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any CodeExchange)
            let native = apple.nativeCredential(for: try apple.ada, application: apple.nativeApplication)
            let code = Self.code(kind == "invented" ? "c.invented" : native.authorizationCode)
            if kind == "used" { _ = try await provider.exchange(code, of: nil) }
            if kind == "expired" { apple.clock.advance(by: .seconds(301)) }

            let error = await #expect(throws: ProviderError.self) {
                _ = try await provider.exchange(code, of: nil)
            }

            #expect(error?.fault == .credential && error?.step == .redeem)
        }
    }

    @Test func `after an answer that says nothing of the code no other app tries it`() async throws {
        try await AppleSimulator.running { apple in
            let other = apple.register(AppleSimulator.Application(kind: .native))
            let clients = [apple.nativeApplication.clientID, other.clientID]
            let provider = try #require(
                try apple.provider(["clientIds": .array(clients.map(JSONValue.string))]) as? any CodeExchange)
            let native = apple.nativeCredential(for: try apple.ada, application: apple.nativeApplication)
            let code = Self.code(native.authorizationCode)

            apple.fail(.token, with: .status(502), times: 1)
            let silent = await #expect(throws: ProviderError.self) { _ = try await provider.exchange(code, of: nil) }
            #expect(silent?.fault == .upstream && apple.hits(.token) == 1)
            apple.forgery = .brokenSignature
            let forged = await #expect(throws: ProviderError.self) { _ = try await provider.exchange(code, of: nil) }
            #expect(forged?.fault == .credential && forged?.step == .verifyIDToken && apple.hits(.token) == 2)
        }
    }

    @Test func `an Apple that does not answer or refuses the key is no fault of the code`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any CodeExchange)
            let native = apple.nativeCredential(for: try apple.ada, application: apple.nativeApplication)
            let code = Self.code(native.authorizationCode)

            apple.fail(.token, with: .status(502), times: 1)
            let silent = await #expect(throws: ProviderError.self) {
                _ = try await provider.exchange(code, of: nil)
            }
            apple.revoke(keyID: apple.key.keyID)
            let refused = await #expect(throws: ProviderError.self) {
                _ = try await provider.exchange(code, of: nil)
            }

            #expect(silent?.fault == .upstream && refused?.fault == .configuration)
        }
    }

    @Test func `a web site's code needs a Services ID`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider(["servicesId": nil]) as? any CodeExchange)

            let error = await #expect(throws: ProviderError.self) {
                _ = try await provider.exchange(
                    Self.code("c", redirectURI: "https://app.example/back"), of: nil)
            }

            #expect(error?.fault == .configuration && error?.reason.contains("servicesId") == true)
            #expect(apple.hits(.token) == 0)
        }
    }

    @Test func `an entry with requireCode refuses a device's token without a code`() async throws {
        try await AppleSimulator.running { apple in
            let ada = try apple.ada
            let provider = try apple.provider(["requireCode": true])

            let error = await #expect(throws: ProviderError.self) { _ = try await provider.verify(apple.native(ada)) }
            let identity = try await provider.verify(apple.native(ada, sendsCode: true))

            #expect(error?.fault == .credential && error?.step == .redeem)
            #expect(error?.reason.contains("requireCode") == true)
            #expect(identity.grant?.refreshToken != nil)
        }
    }
}

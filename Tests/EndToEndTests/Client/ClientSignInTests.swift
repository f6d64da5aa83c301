import BrokerClient
import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

@Suite("BrokerClient signs in", .oneEngine("BrokerClient"), .timeLimit(.minutes(20)))
struct ClientSignInTests {
    @Test(arguments: [ProviderID.gitHub, .gitLab, .apple, .onePass])
    func `with every provider through the browser`(provider: ProviderID) async throws {
        try await NativeApp.run { app in
            // 1Pass knows its users by their preferred names.
            if provider == .onePass { app.user.will(.authorize(as: "ada")) }
            let result = try await app.auth.signIn(with: provider)

            #expect(result.provider == provider && result.session.signInProvider == provider)
            #expect(result.isNewUser && !result.session.isAnonymous)
            let account = try await app.auth.account()
            #expect(account.userID == result.session.userID && account.identities.map(\.provider) == [provider])
            #expect(try await app.auth.accessToken() != app.auth.idToken())
            if provider == .gitHub {
                struct Profile: Decodable { let login: String }
                #expect(try result.profile?.decode(Profile.self).login == "ada")
                #expect(result.providerToken?.provider == .gitHub)
                #expect(try await app.auth.providerToken(.gitHub).accessToken == result.providerToken?.accessToken)
            }
            try await app.auth.signOut()

            let again = try await app.auth.signIn(with: provider)

            #expect(again.session.userID == result.session.userID && !again.isNewUser)
        }
    }

    @Test func `with the provider that the user chooses at the broker`() async throws {
        try await NativeApp.run(choosing: "GitLab") { app in
            let result = try await app.auth.signIn()

            #expect(result.provider == .gitLab && result.session.signInProvider == .gitLab)
            #expect(result.profile != nil)
            #expect(try await app.restarted().restore() == result.session)
        }
    }

    @Test func `not when the user cancels at the provider`() async throws {
        try await NativeApp.run { app in
            app.user.will(.cancelAtProvider)

            #expect(await refusal { try await app.auth.signIn(with: .gitHub) } == .userCancelled)
            #expect(await app.auth.session == nil)
        }
    }

    @Test func `natively with Apple: raw nonce to the broker, code and name the first time`() async throws {
        try await NativeApp.run { app in
            let credential = try app.appleCredential(for: "Ada")
            let result = try await app.auth.signIn(with: credential)

            #expect(result.provider == .apple && result.isNewUser && result.session.name == "Ada Example")
            #expect(await refusal { try await app.auth.signIn(with: credential) } == .credentialAlreadyUsed)
            let native = app.broker.providers.apple
            let person = try #require(native.person(givenName: "Ada"))
            let wrong = native.nativeCredential(for: person, application: native.nativeApplication, rawNonce: "x")
            let mismatch = await refusal {
                try await app.auth.signIn(with: .appleIDToken(wrong.idToken, nonce: SignInNonce()))
            }
            #expect(mismatch == .missingOrInvalidNonce)
            #expect(await app.auth.session == result.session)
        }
    }

    @Test func `anonymously, and a link makes the user one with an identity under the same id`() async throws {
        try await NativeApp.run { app in
            let anonymous = try await app.auth.signInAnonymously()
            #expect(anonymous.session.isAnonymous && anonymous.isNewUser && anonymous.provider == nil)

            let linked = try await app.auth.link(.gitHub)

            #expect(linked.session.userID == anonymous.session.userID && !linked.session.isAnonymous)
            #expect(linked.provider == .gitHub && linked.profile != nil && linked.providerToken != nil)
            let second = try await app.auth.link(try app.appleCredential(for: "Ada"))
            #expect(second.provider == .apple)
            #expect(try await app.auth.account().identities.count == 2)

            // No token is in an address that the browser opens.
            let addresses = app.user.shown.map(\.url.absoluteString)
            #expect(addresses.count == 1 && !addresses[0].contains("eyJ"), "\(addresses)")
            let token = try await app.auth.accessToken(forcingRefresh: true)
            #expect(!token.isEmpty, "the session goes on with its refresh token")

            let unlinked = try await app.auth.unlink(.apple)
            #expect(unlinked.identities.map(\.provider) == [.gitHub])
        }
    }

    @Test func `an identity of another user cannot be linked`() async throws {
        try await NativeApp.run { app in
            _ = try await app.auth.signIn(with: .gitHub)
            let other = app.onAnotherDevice(as: "Ben")
            _ = try await other.auth.signInAnonymously()
            other.user.will(.authorize(as: "Ada"))

            let refused = await refusal { try await other.auth.link(.gitHub) }

            #expect(refused == .accountExists(providers: [.gitHub]))
            #expect(await other.auth.session?.isAnonymous == true)
        }
    }

    @Test func `with a credential whose identity is linked already, and after another login by a confirmed link`()
        async throws
    {
        try await NativeApp.run { app in
            let ada = try await app.auth.signIn(with: app.appleCredential(for: "Ada")).session.userID
            let other = app.onAnotherDevice(as: "Ben")
            _ = try await other.auth.signInAnonymously()

            let credential = try app.appleCredential(for: "Ada")
            let refused = await refusal { try await other.auth.link(credential) }
            let result = try await other.auth.signIn(with: credential)

            #expect(refused == .accountExists(providers: [.apple]))
            #expect(result.session.userID == ada && !result.isNewUser && !result.session.isAnonymous)
            #expect(other.auth.unusedCredential == nil)
        }
    }

    @Test func `again with a provider, and as no other user`() async throws {
        try await NativeApp.run { app in
            let first = try await app.auth.signIn(with: .gitLab)
            let before = try await app.auth.sessions().filter { $0.clientID != nil }.map(\.id)

            let again = try await app.auth.reauthenticate(with: .gitLab)

            #expect(again.session.userID == first.session.userID && again.profile != nil)
            #expect(again.session.sessionID != first.session.sessionID)
            let after = try await app.auth.sessions().filter { $0.clientID != nil }.map(\.id)
            #expect(before.count == 1 && after.count == 1 && before != after, "the former session has ended")
            app.user.will(.authorize(as: "Ben"))
            let mismatch = await refusal { try await app.auth.reauthenticate(with: .gitLab) }
            #expect(mismatch == .userMismatch)
            let native = await refusal { try await app.auth.reauthenticate(with: app.appleCredential(for: "Ben")) }
            #expect(native == .userMismatch)
            #expect(await app.auth.session == again.session)
        }
    }

    @Test func `on another device, whose user enters the code`() async throws {
        try await NativeApp.run(choosing: "GitHub") { app in
            let device = try await app.auth.beginDeviceSignIn()
            let address = try #require(device.verificationURLComplete?.absoluteString)

            async let result = app.auth.signIn(approvedOn: device)
            try await app.user.visit(address, until: "never")

            #expect(try await result.provider == .gitHub)
            #expect(try await app.auth.account().identity(at: .gitHub) != nil)
        }
    }
}

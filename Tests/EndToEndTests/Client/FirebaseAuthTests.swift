import BrokerFirebaseAuth
import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

/// The flows of an app that was written for Firebase's SDK, in its calls.
@Suite("BrokerFirebaseAuth", .oneEngine("BrokerClient"), .timeLimit(.minutes(20)))
struct FirebaseAuthTests {
    @Test func `GitHub at its page, and listeners learn of the sign-in and the sign-out`() async throws {
        try await NativeApp.run { app in
            let auth = Auth(app.auth)
            let (states, told) = AsyncStream.makeStream(of: String?.self)
            let handle = auth.addStateDidChangeListener { _, user in told.yield(user?.uid) }
            var state = states.makeAsyncIterator()
            #expect(await state.next() == .some(nil) && auth.currentUser == nil)

            let provider = OAuthProvider.provider(providerID: "github.com")
            let result = try await auth.signIn(with: try await provider.credential(with: nil))

            let user = try #require(auth.currentUser)
            #expect(result.user === user && !user.isAnonymous && user.displayName == "Ada Example")
            #expect(user.email != nil && user.isEmailVerified && user.providerID == "Firebase")
            #expect(user.providerData.map(\.providerID) == ["github.com"] && user.providerData[0].uid != user.uid)
            #expect(user.metadata.creationDate != nil && user.metadata.lastSignInDate != nil)
            let info = try #require(result.additionalUserInfo)
            #expect(info.providerID == "github.com" && info.isNewUser && info.username == "ada")
            #expect(info.profile?["login"] as? String == "ada")
            #expect(result.credential?.accessToken != nil && result.credential?.provider == "github.com")
            #expect(await state.next() == .some(user.uid))

            try auth.signOut()

            #expect(auth.currentUser == nil)
            #expect(await state.next() == .some(nil))
            let refused = await code { try await user.getIDToken() }
            #expect(refused == .userTokenExpired)
            let again = try await auth.signIn(with: provider, uiDelegate: nil)
            #expect(again.user.uid == user.uid && again.additionalUserInfo?.isNewUser == false)
            #expect(await state.next() == .some(user.uid))
            auth.removeStateDidChangeListener(handle)
            try auth.signOut()
            _ = try await auth.signInAnonymously()
            told.finish()
            #expect(await state.next() == nil, "a removed listener is told nothing")
        }
    }

    @Test func `the same with completion handlers`() async throws {
        try await NativeApp.run { app in
            let auth = Auth(app.auth)
            let provider = OAuthProvider.provider(providerID: "github.com")

            let outcome = await withCheckedContinuation { continuation in
                provider.getCredentialWith(nil) { credential, _ in
                    guard let credential else { return continuation.resume(returning: AuthDataResult?.none) }
                    auth.signIn(with: credential) { result, _ in continuation.resume(returning: result) }
                }
            }

            let user = try #require(outcome?.user)
            #expect(auth.currentUser === user)
            let token = await withCheckedContinuation { continuation in
                user.getIDToken { token, _ in continuation.resume(returning: token) }
            }
            #expect(token?.isEmpty == false)
            app.user.will(.authorize(as: "ben"))
            let mismatch = await withCheckedContinuation { continuation in
                user.reauthenticate(with: provider, uiDelegate: nil) { _, error in
                    continuation.resume(returning: (error as? NSError)?.code)
                }
            }
            #expect(mismatch == AuthErrorCode.userMismatch.rawValue)
            let failure = await withCheckedContinuation { continuation in
                user.delete { error in continuation.resume(returning: error == nil) }
            }
            #expect(failure && auth.currentUser == nil)
        }
    }

    @Test func `Apple with a nonce`() async throws {
        try await NativeApp.run { app in
            let auth = Auth(app.auth)
            let nonce = SignInNonce()
            let apple = try app.appleSheet(for: "Ada", nonce: nonce.raw)
            var name = PersonNameComponents()
            (name.givenName, name.familyName) = (apple.givenName, apple.familyName)

            let wrong = OAuthProvider.appleCredential(withIDToken: apple.idToken, rawNonce: nil, fullName: name)
            let refused = await code { try await auth.signIn(with: wrong) }
            let credential = OAuthProvider.appleCredential(
                withIDToken: apple.idToken, rawNonce: nonce.raw, fullName: name)
            let result = try await auth.signIn(with: credential)

            #expect(refused == .missingOrInvalidNonce)
            #expect(
                result.user.displayName == "Ada Example" && result.user.providerData.map(\.providerID) == ["apple.com"])
            #expect(
                result.additionalUserInfo?.providerID == "apple.com" && result.additionalUserInfo?.isNewUser == true)
            let reused = await code { try await auth.signIn(with: credential) }
            #expect(reused == .invalidCredential)
            #expect(!"\(credential)".contains(apple.idToken) && auth.currentUser === result.user)
        }
    }

    @Test func `an anonymous user links, unlinks, and keeps the last way to sign in`() async throws {
        try await NativeApp.run { app in
            let auth = Auth(app.auth)
            let anonymous = try await auth.signInAnonymously()
            #expect(anonymous.user.isAnonymous && anonymous.additionalUserInfo?.isNewUser == true)
            #expect(try await auth.signInAnonymously().user === anonymous.user, "there is one already")

            let user = try await anonymous.user.link(
                with: OAuthProvider.provider(providerID: "github.com"), uiDelegate: nil
            ).user
            #expect(user.uid == anonymous.user.uid && !user.isAnonymous)
            let last = await code { try await user.unlink(fromProvider: "github.com") }
            let nonce = SignInNonce()
            let apple = try app.appleSheet(for: "Ada", nonce: nonce.raw)
            try await user.link(
                with: OAuthProvider.credential(
                    providerID: .apple, idToken: apple.idToken, rawNonce: nonce.raw, accessToken: nil))
            #expect(Set(user.providerData.map(\.providerID)) == ["apple.com", "github.com"])
            let unlinked = try await user.unlink(fromProvider: "github.com")
            let missing = await code { try await user.unlink(fromProvider: "github.com") }

            #expect(last == .operationNotAllowed && missing == .noSuchProvider)
            #expect(unlinked === user && user.providerData.map(\.providerID) == ["apple.com"])
        }
    }

    @Test func `an identity of another user is not linked, and its credential is in the error`() async throws {
        try await NativeApp.run { app in
            let first = try await Auth(app.auth).signIn(with: try await Self.gitHub()).user
            let auth = Auth(app.onAnotherDevice(as: "Ada").auth)
            let user = try await auth.signInAnonymously().user
            let credential = try await Self.gitHub()

            let error = await failure { try await user.link(with: credential) }

            #expect(error?.domain == AuthErrorDomain && error?.code == AuthErrorCode.credentialAlreadyInUse.rawValue)
            #expect(error?.userInfo[AuthErrorUserInfoNameKey] as? String == "ERROR_CREDENTIAL_ALREADY_IN_USE")
            let updated = error?.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential
            #expect(try await auth.signIn(with: try #require(updated)).user.uid == first.uid)
        }
    }

    @Test func `reauthentication as the same user, and as no other`() async throws {
        try await NativeApp.run { app in
            let auth = Auth(app.auth)
            let user = try await auth.signIn(with: try await Self.gitHub()).user
            let before = try await user.getIDTokenResult()

            let result = try await user.reauthenticate(with: try await Self.gitHub())

            #expect(result.user === user && auth.currentUser === user)
            let after = try await user.getIDTokenResult()
            #expect(after.token != before.token && after.authDate >= before.authDate)
            #expect(after.signInProvider == "github.com" && after.expirationDate > after.issuedAtDate)
            #expect(after.claims["sub"] as? String == user.uid && after.claims["exp"] as? Int != nil)
            let nonce = SignInNonce()
            let apple = try app.appleSheet(for: "Ben", nonce: nonce.raw)
            let other = OAuthProvider.appleCredential(withIDToken: apple.idToken, rawNonce: nonce.raw, fullName: nil)
            let mismatch = await code { try await user.reauthenticate(with: other) }
            #expect(mismatch == .userMismatch && auth.currentUser === user)
            app.user.will(.cancelAtProvider)
            let cancelled = await code { try await user.reauthenticate(with: try await Self.gitHub()) }
            #expect(cancelled == .webContextCancelled)
        }
    }

    @Test func `a user of Apple is deleted after the revocation`() async throws {
        try await NativeApp.run { app in
            let auth = Auth(app.auth)
            let nonce = SignInNonce()
            let apple = try app.appleSheet(for: "Ada", nonce: nonce.raw)
            let user = try await auth.signIn(
                with: OAuthProvider.appleCredential(withIDToken: apple.idToken, rawNonce: nonce.raw, fullName: nil)
            ).user
            let refused = await code { try await auth.revokeToken(withAuthorizationCode: "c.used") }
            #expect(refused == .invalidCredential && auth.currentUser === user)

            try await auth.revokeToken(
                withAuthorizationCode: try app.appleSheet(for: "Ada", nonce: "n").authorizationCode)
            #expect(auth.currentUser === user, "the account is there until it is deleted")
            try await user.delete()

            #expect(auth.currentUser == nil)
            #expect(try await app.broker.document("users", "list")["users"]?.array?.isEmpty ?? true)
            let withdrawals = try await app.broker.document("withdrawals", "list", "--all")["withdrawals"]?.array
            #expect(withdrawals?.count == 1, "\(withdrawals ?? [])")
            #expect(try await app.restarted().restore() == nil)
        }
    }

    @Test func `the user is there after a restart, and token listeners learn of new tokens`() async throws {
        try await NativeApp.run { app in
            let user = try await Auth(app.auth).signIn(with: try await Self.gitHub()).user
            let auth = Auth(app.restarted())
            let (states, told) = AsyncStream.makeStream(of: String?.self)
            let handle = auth.addIDTokenDidChangeListener { auth, user in
                #expect(auth.currentUser === user)
                told.yield(user?.uid)
            }
            var state = states.makeAsyncIterator()
            #expect(await state.next() == .some(user.uid))
            let restored = try #require(auth.currentUser)

            let change = restored.createProfileChangeRequest()
            change.displayName = "Countess"
            change.photoURL = nil
            try await change.commitChanges()
            #expect(restored.displayName == "Countess" && restored.photoURL == nil)
            _ = try await restored.idTokenForcingRefresh(true)

            #expect(await state.next() == .some(user.uid))
            try await restored.reload()
            #expect(auth.currentUser?.displayName == "Countess")
            auth.removeIDTokenDidChangeListener(handle)
        }
    }

    @Test func `one line configures the app's own, which refuses calls before it`() async throws {
        try await NativeApp.run { app in
            let before = await code { try await Auth.auth().signInAnonymously() }
            #expect(before == .internalError && Auth.auth().currentUser == nil)

            Auth.configure(app.auth)

            let user = try await Auth.auth().signInAnonymously().user
            #expect(Auth.auth().currentUser === user)
            try Auth.auth().signOut()
        }
    }

    @Test(arguments: [
        (AuthErrorCode.userDisabled, 17005, "ERROR_USER_DISABLED"),
        (.networkError, 17020, "ERROR_NETWORK_REQUEST_FAILED"),
        (.requiresRecentLogin, 17014, "ERROR_REQUIRES_RECENT_LOGIN"),
        (.accountExistsWithDifferentCredential, 17012, "ERROR_ACCOUNT_EXISTS_WITH_DIFFERENT_CREDENTIAL"),
        (.invalidProviderID, 17071, "ERROR_INVALID_PROVIDER_ID"), (.malformedJWT, 18000, "ERROR_MALFORMED_JWT"),
    ])
    func `codes have the numbers and names of Firebase's SDKs`(code: AuthErrorCode, number: Int, name: String) {
        #expect(code.rawValue == number && code.name == name)
    }

    private static func gitHub() async throws -> any AuthCredential {
        try await OAuthProvider.provider(providerID: "github.com").credential(with: nil)
    }
}

/// The error of a call; closures lose the type of what they throw.
private func failure<Value>(_ work: () async throws -> Value) async -> NSError? {
    do {
        _ = try await work()
        return nil
    } catch {
        return error as NSError
    }
}

private func code<Value>(_ work: () async throws -> Value) async -> AuthErrorCode? {
    await failure(work).flatMap { AuthErrorCode(rawValue: $0.code) }
}

extension NativeApp {
    /// What the system's sheet of Sign in with Apple gives the app, whose request had the SHA-256 of `nonce`.
    fileprivate func appleSheet(for givenName: String, nonce: String) throws -> AppleSimulator.NativeCredential {
        let apple = broker.providers.apple
        return apple.nativeCredential(
            for: try #require(apple.person(givenName: givenName)), application: apple.nativeApplication, rawNonce: nonce
        )
    }
}

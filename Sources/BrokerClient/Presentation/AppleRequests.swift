import Foundation
import Locks
import StrictJSON

/// The request to Sign in with Apple that awaits its answer. A new one takes the place of the one before.
final class AppleRequests: Sendable {
    private let pending = Mutex<SignInNonce?>(nil)

    /// Begins a request with a nonce of its own. Its SHA-256 goes to Apple.
    func begin() -> SignInNonce {
        let nonce = SignInNonce()
        pending.withLock { $0 = nonce }
        return nonce
    }

    /// Forgets the request, which has failed.
    func cancel() { pending.withLock { $0 = nil } }

    /// Joins the answer with the nonce of the pending request, once.
    func authorization(for answer: AppleAnswer) throws(BrokerAuthError) -> AppleAuthorization {
        let nonce = pending.withLock { pending in
            defer { pending = nil }
            return pending
        }
        guard let nonce else { throw .noPendingRequest }
        return AppleAuthorization(answer: answer, nonce: nonce)
    }
}

/// The values of an `ASAuthorizationAppleIDCredential`.
struct AppleAnswer: Sendable {
    var identityToken: Data?
    var authorizationCode: Data?
    var fullName: PersonNameComponents?
    var email: String?
}

/// An answer of Sign in with Apple with the nonce of its request.
struct AppleAuthorization: Sendable {
    let answer: AppleAnswer
    let nonce: SignInNonce

    /// The credential of a sign-in, a link or a reauthentication.
    func credential() throws(BrokerAuthError) -> ProviderCredential {
        try ProviderCredential(
            appleIdentityToken: answer.identityToken, authorizationCode: answer.authorizationCode, nonce: nonce,
            fullName: answer.fullName, email: answer.email)
    }

    /// For a deletion: the user's proof without the authorization code, and the code. Each is redeemed once, apart from
    /// the other.
    func deletion() throws(BrokerAuthError) -> (proof: ProviderCredential, authorizationCode: String?) {
        let proof = try ProviderCredential(
            appleIdentityToken: answer.identityToken, authorizationCode: nil, nonce: nonce)
        guard let code = answer.authorizationCode else { return (proof, nil) }
        guard let text = String(utf8: code) else { throw .invalidTokenText }
        return (proof, text)
    }
}

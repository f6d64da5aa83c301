import Foundation
import Testing

@testable import BrokerClient

@Suite("Requests to Sign in with Apple")
struct AppleRequestsTests {
    private static let answer = AppleAnswer(
        identityToken: Data("token".utf8), authorizationCode: Data("code".utf8),
        fullName: PersonNameComponents(givenName: "Ada", familyName: "Lovelace"), email: "ada@example.com")

    @Test func `each request has a nonce of its own, whose raw text goes to the broker`() throws {
        let requests = AppleRequests()

        let first = requests.begin()
        let second = requests.begin()
        let credential = try requests.authorization(for: Self.answer).credential()

        #expect(first != second)
        #expect(credential.rawNonce == second.raw && credential.idToken == "token")
        #expect(credential.authorizationCode == "code" && credential.user?.contains("Lovelace") == true)
    }

    @Test func `an answer without a pending request is refused, and so is a second answer`() throws {
        let requests = AppleRequests()

        #expect(throws: BrokerAuthError.noPendingRequest) { try requests.authorization(for: Self.answer) }
        _ = requests.begin()
        _ = try requests.authorization(for: Self.answer)
        #expect(throws: BrokerAuthError.noPendingRequest) { try requests.authorization(for: Self.answer) }
        _ = requests.begin()
        requests.cancel()
        #expect(throws: BrokerAuthError.noPendingRequest) { try requests.authorization(for: Self.answer) }
    }

    @Test func `an answer without a token, or with text that is not UTF-8, is refused`() throws {
        let requests = AppleRequests()
        func error(_ change: (inout AppleAnswer) -> Void) -> BrokerAuthError? {
            _ = requests.begin()
            var answer = Self.answer
            change(&answer)
            do throws(BrokerAuthError) {
                _ = try requests.authorization(for: answer).credential()
                return nil
            } catch {
                return error
            }
        }

        #expect(error { $0.identityToken = nil } == .missingIdentityToken)
        #expect(error { $0.identityToken = Data([0xFF, 0xFE]) } == .invalidTokenText)
        #expect(error { $0.authorizationCode = Data([0xC3]) } == .invalidTokenText)
        #expect(error { $0.authorizationCode = nil } == nil)
    }

    @Test func `for a deletion the code is apart from the proof, so that each is redeemed once`() throws {
        let requests = AppleRequests()
        let nonce = requests.begin()

        let (proof, code) = try requests.authorization(for: Self.answer).deletion()

        #expect(proof.authorizationCode == nil && proof.rawNonce == nonce.raw && proof.idToken == "token")
        #expect(code == "code")
    }
}

import ArgumentParser
import Broker
import Foundation
import ProviderKit

/// Reads a provider's credential from a file or standard input.
enum CredentialInput {
    /// - Throws: ``CommandFailure``; no message repeats the input.
    static func read(_ path: String) throws(CommandFailure) -> Credential {
        guard let text = SecretInput.text(path) else {
            throw failure(
                "no credential: name a file with --credential, pipe it in, or sign in with --browser or --device")
        }
        return try parse(text)
    }

    /// Reads a credential's text.
    ///
    /// - Throws: ``CommandFailure``; no message repeats the input.
    static func parse(_ text: String) throws(CommandFailure) -> Credential {
        guard text.hasPrefix("{") else {
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw failure("the credential is neither one token nor a JSON object")
            }
            return Credential(.accessToken(text))
        }
        let shape = try shape(text)
        let name = shape.user?.name
        return Credential(
            try proof(shape),
            firstTimeProfile: name.map { .init(givenName: $0.firstName, familyName: $0.lastName) })
    }

    private static func shape(_ text: String) throws(CommandFailure) -> Shape {
        do {
            var decoder = JSONValueDecoder()
            decoder.unknownNames = .refused
            return try decoder.decode(Shape.self, from: try JSONValue(parsing: text.utf8))
        } catch let error as JSONDecodingError {
            // An unknown name may be a token that stands in the wrong place.
            if case .unknownName(let nearest) = error.kind {
                throw failure("the credential has an unknown name\(nearest.map { ": did you mean \($0)?" } ?? "")")
            }
            throw failure("the credential at \(error.path) has the wrong type")
        } catch {
            throw failure("the credential is malformed JSON")
        }
    }

    private static func proof(_ shape: Shape) throws(CommandFailure) -> Credential.Proof {
        if let token = shape.idToken {
            return .idToken(
                .init(
                    token: token, rawNonce: shape.nonce, accessToken: shape.accessToken, authorizationCode: shape.code))
        }
        if let code = shape.code, let redirectURI = shape.redirectUri {
            return .authorizationCode(
                .init(
                    code: code, redirectURI: redirectURI, verifier: shape.codeVerifier, expectedNonce: shape.nonce))
        }
        if let token = shape.accessToken { return .accessToken(token) }
        throw failure("the credential needs accessToken, idToken, or code with redirectUri")
    }

    private static func failure(_ message: String) -> CommandFailure {
        CommandFailure(code: "INVALID_CREDENTIAL", message, exitCode: .validationFailure)
    }

    private struct Shape: Decodable {
        let accessToken: String?
        let idToken: String?
        let nonce: String?
        let code: String?
        let redirectUri: String?
        let codeVerifier: String?
        /// The first-time profile of Sign in with Apple.
        let user: User?

        struct User: Decodable {
            let name: Name?
            let email: String?
        }

        struct Name: Decodable {
            let firstName: String?
            let lastName: String?
        }
    }
}

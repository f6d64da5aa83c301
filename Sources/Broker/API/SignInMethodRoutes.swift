import BrokerStore
import Foundation
import Hummingbird
import ProviderKit

/// `accounts:createAuthUri` of Identity Toolkit v1, for asking which providers an address signs in with.
struct SignInMethodRoutes: Sendable {
    let callers: CallerCheck
    let signInMethods: SignInMethods

    func add(to routes: Routes) {
        routes.account("createAuthUri", legacy: "createAuthUri", createAuthUri)
    }

    @Sendable
    func createAuthUri(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try callers(request)
        let fields = try await RequestFields(request).ofThisProject()
        if try fields.nonEmpty("providerId") != nil {
            throw WireError.code("OPERATION_NOT_ALLOWED", "Sign-in through the browser is not available here.")
        }
        let methods = try await signInMethods(try Self.identifier(fields))
        var answer = JSONObject([("kind", "identitytoolkit#CreateAuthUriResponse")])
        if let methods {
            let providers = JSONValue.array(methods.providers.map(JSONValue.string))
            answer["registered"] = .bool(methods.isRegistered)
            answer["allProviders"] = providers
            answer["signinMethods"] = providers
        }
        answer["sessionId"] = .string(try fields.nonEmpty("sessionId") ?? RandomText.alphanumeric(27))
        return .json(.object(answer))
    }

    /// - Throws: ``WireError`` in the order of contract §2.4.
    private static func identifier(_ fields: RequestFields) throws(WireError) -> EmailAddress {
        guard let identifier = try fields.nonEmpty("identifier") else { throw .code("MISSING_IDENTIFIER") }
        guard let continueURI = try fields.nonEmpty("continueUri") else { throw .code("MISSING_CONTINUE_URI") }
        guard let email = EmailAddress(identifier) else { throw .code("INVALID_IDENTIFIER") }
        let isPlain = continueURI.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isPlain, let url = URL(string: continueURI, encodingInvalidCharacters: false), url.scheme != nil,
            url.host()?.isEmpty == false
        else { throw .code("INVALID_CONTINUE_URI") }
        return email
    }
}

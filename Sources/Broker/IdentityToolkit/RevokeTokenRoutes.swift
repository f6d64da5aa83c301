import Hummingbird
import ProviderKit

/// `accounts:revokeToken` of Identity Toolkit v2 (contract §2.11).
struct RevokeTokenRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        routes.identityToolkit(.post, "/v2/accounts:revokeToken", revokeToken)
    }

    @Sendable
    func revokeToken(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let caller = try await toolkit.app(request, takesProof: true)
        let body = try RevokeTokenBody(try await RequestFields(request).ofThisProject())
        try await toolkit.accounts.revokeProviderToken(
            .idToken(body.idToken), provider: body.provider, body.proof, clientID: body.clientID,
            origin: context.origin(caller))
        return .json([:])
    }
}

/// The body of `accounts:revokeToken`.
struct RevokeTokenBody: Sendable {
    let idToken: String
    let provider: String
    let proof: GrantProof
    /// The broker's own field: the client that the token or the code was issued to.
    let clientID: String?

    /// - Throws: ``WireError``.
    init(_ fields: RequestFields) throws(WireError) {
        guard let idToken = try fields.nonEmpty("idToken") else { throw WireError(BrokerError.missingIDToken) }
        guard let provider = try fields.nonEmpty("providerId")?.lowercasedASCII else {
            throw .field("/providerId", "is missing")
        }
        guard let token = try fields.nonEmpty("token") else { throw .field("/token", "is missing") }
        let clientID = try fields.nonEmpty("clientId")
        switch try Self.type(try fields.string("tokenType")) {
        case .accessToken: proof = .accessToken(try Self.checked(token))
        case .refreshToken: proof = .refreshToken(try Self.checked(token))
        case .code:
            proof = .code(
                ProviderCode(
                    provider: provider, code: token, redirectURI: try fields.nonEmpty("redirectUri"),
                    clientID: clientID))
        case .unspecified: throw .field("/tokenType", "must be one of CODE, REFRESH_TOKEN, ACCESS_TOKEN")
        }
        self.idToken = idToken
        self.provider = provider
        self.clientID = clientID
    }

    /// The values on the wire, also by number, in this order: Firebase's SDK for iOS sends `"3"`.
    private enum TokenType: String, CaseIterable {
        case unspecified = "TOKEN_TYPE_UNSPECIFIED"
        case refreshToken = "REFRESH_TOKEN"
        case accessToken = "ACCESS_TOKEN"
        case code = "CODE"
    }

    private static func type(_ text: String?) throws(WireError) -> TokenType {
        guard let text else { return .unspecified }
        let types = TokenType.allCases
        if let named = types.first(where: { $0.rawValue.hasSameBytes(as: text) }) { return named }
        guard let number = Int(text), types.indices.contains(number) else { return .unspecified }
        return types[number]
    }

    /// RFC 6750 §2.1 has no other characters in tokens.
    private static func checked(_ token: String) throws(WireError) -> String {
        guard token.utf8.count <= 4096, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .field("/token", "must be printable ASCII of at most 4096 bytes")
        }
        return token
    }
}

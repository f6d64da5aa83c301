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
struct RevokeTokenBody: DeclaredRequest {
    private(set) var idToken = ""
    private(set) var provider = ""
    private(set) var proof = GrantProof.accessToken("")
    /// The broker's own field: the client that the token or the code was issued to.
    private(set) var clientID: String?
    private var token = ""
    private var redirectURI: String?

    static let body = DeclaredBody<RevokeTokenBody>([
        CommonFields.idToken { $0.idToken = $1 },
        .text("providerId", orThrow: .field("/providerId", "is missing"), "The provider of the token.") {
            $0.provider = $1.lowercasedASCII
        }.example("github.com"),
        .text("token", orThrow: .field("/token", "is missing"), "The provider's token, or an authorization code.") {
            $0.token = $1
        }.example("<provider token>"),
        .text("clientId", "The client at the provider that the token was issued to.") { $0.clientID = $1 },
        .text("redirectUri", "The redirect URI of a code; absent for the code of a device.") { $0.redirectURI = $1 },
        .value(
            "tokenType",
            schema: ["type": "string", "enum": .array(TokenType.allCases.map { .string($0.rawValue) })],
            "What `token` is; `TOKEN_TYPE_UNSPECIFIED` is refused."
        ) { (fields, body) throws(WireError) in
            body.proof = try body.checkedProof(of: tokenType(try fields.string("tokenType")))
        }.required().example(.string(TokenType.accessToken.rawValue)),
    ])

    private func checkedProof(of type: TokenType) throws(WireError) -> GrantProof {
        switch type {
        case .accessToken: .accessToken(try Self.checked(token))
        case .refreshToken: .refreshToken(try Self.checked(token))
        case .code:
            .code(ProviderCode(provider: provider, code: token, redirectURI: redirectURI, clientID: clientID))
        case .unspecified: throw .field("/tokenType", "must be one of CODE, REFRESH_TOKEN, ACCESS_TOKEN")
        }
    }

    /// The values on the wire, also by number, in this order: Firebase's SDK for iOS sends `"3"`.
    private enum TokenType: String, CaseIterable {
        case unspecified = "TOKEN_TYPE_UNSPECIFIED"
        case refreshToken = "REFRESH_TOKEN"
        case accessToken = "ACCESS_TOKEN"
        case code = "CODE"
    }

    private static func tokenType(_ text: String?) -> TokenType {
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

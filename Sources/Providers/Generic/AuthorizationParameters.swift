import ProviderKit

/// `options.authorizationParameters`: additional parameters of every authorization request, such as `prompt`.
struct AuthorizationParameters: Sendable {
    let pairs: [(name: String, value: String)]

    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` for a parameter of the protocol.
    init(_ parameters: [String: String]) throws(ProviderError) {
        pairs = parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        for (name, _) in pairs where OAuth2Client.isReserved(name) || name.isEmpty {
            throw ProviderError(
                .configuration, at: .configure,
                "options.authorizationParameters must not set \(name): the broker sets it")
        }
    }
}

/// Common error codes of token endpoints that no RFC defines.
enum TokenErrors {
    static let faults: [String: ProviderError.Fault] = [
        "bad_client_secret": .configuration, "bad_redirect_uri": .configuration, "code_already_used": .credential,
        "code_expired": .credential, "invalid_client_id": .configuration, "invalid_code": .credential,
        "invalid_refresh_token": .credential, "redirect_uri_mismatch": .configuration, "user_denied": .cancelled,
    ]
}

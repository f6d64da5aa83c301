import Foundation
import ProviderKit
import StrictJSON

/// The reading of an authorization response: state and issuer first, since everything else is another's word until then
/// (RFC 6749 §4.1.2, RFC 9207 §2.4).
struct AuthorizationResponse: Sendable {
    let state: String
    let metadata: BrokerMetadata
    let purpose: SignInPurpose

    /// The code of a redirect.
    ///
    /// - Throws: ``BrokerAuthError/stateMismatch``, ``BrokerAuthError/missingCode``, or the error of the response.
    func code(of url: URL) throws(BrokerAuthError) -> String {
        guard let values = Self.parameters(of: url), let state = values["state"], state.hasSameBytes(as: self.state)
        else { throw .stateMismatch }
        if let issuer = values["iss"] {
            guard issuer.hasSameBytes(as: metadata.issuer) else { throw .stateMismatch }
        } else if metadata.namesIssuerInResponses {
            throw .stateMismatch
        }
        if let error = values["error"] { throw refusal(error, values["error_description"] ?? "") }
        guard let code = values["code"], !code.isEmpty else { throw .missingCode }
        return code
    }

    /// The `state` of a redirect.
    static func state(of url: URL) -> String? { parameters(of: url)?["state"] }

    /// The parameters of a redirect; `nil` where one is there twice, which says nothing (RFC 6749 §3.1).
    private static func parameters(of url: URL) -> [String: String]? {
        let query = URLComponents(string: url.absoluteString)?.percentEncodedQuery ?? ""
        let pairs = FormEncoding.decode(query.utf8) ?? []
        let values = Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
        return values.count == pairs.count ? values : nil
    }

    private func refusal(_ error: String, _ text: String) -> BrokerAuthError {
        switch error {
        // Policies answer access_denied too, and a user who is turned away has not cancelled.
        case "access_denied" where text.isEmpty || text.hasPrefix("The user declined"): .userCancelled
        case "login_required" where purpose == .reauthenticate && text.contains("differs from id_token_hint"):
            .userMismatch
        case "login_required" where purpose == .link: .recentLoginRequired
        case "temporarily_unavailable": .network(NetworkFailure(.unavailable(status: 503)))
        default: .server(code: error, message: text)
        }
    }
}

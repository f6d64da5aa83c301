import Foundation
import ProviderKit

/// A `signInWithIdp` request (contract §3.1): the credential from the merged parameters of `requestUri` and `postBody`, a
/// pending token, or the authorization response to a sign-in that was begun here.
enum SignInWithIdpRequest: Sendable {
    case credential(Credential, provider: String)
    case pendingToken(String)
    case redirect(AppSignInAnswer)

    /// - Throws: ``WireError`` in the contract's order; no message repeats what was sent.
    init(_ body: SignInWithIdpBody) throws(WireError) {
        guard let requestURI = body.requestURI else { throw .code(.missingRequestURI) }
        let parts = try Self.parts(requestURI, postBody: body.postBody ?? "")
        // Later parts go before earlier ones; in each the first of a repeated name counts.
        let parameters = parts.reduce(into: [String: String]()) { result, pairs in
            result.merge(Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }) { _, later in later }
        }
        if let token = body.pendingToken {
            self = .pendingToken(token)
            return
        }
        if let sessionID = body.sessionID, parameters["state"]?.isEmpty == false {
            self = .redirect(
                try Self.answer(
                    parts.flatMap(\.self), to: requestURI, sessionID, provider: parameters["providerId"],
                    idToken: body.idToken))
            return
        }
        switch parameters["error"] {
        case nil: break
        case "access_denied": throw .code(.userCancelled, "The user declined at the provider.")
        default: throw .code(.invalidIDPResponse, "The provider sent no credential.")
        }
        guard let providerID = parameters["providerId"], !providerID.isEmpty else {
            throw .code(
                .invalidCredentialOrProviderID, "Invalid IdP response/credential: providerId is missing.")
        }
        let credential = Credential(
            try Self.proof(parameters, requestURI: requestURI),
            firstTimeProfile: try Self.firstTimeProfile(parameters["user"]))
        self = .credential(credential, provider: providerID.lowercasedASCII)
    }

    private static func answer(
        _ pairs: [(name: String, value: String)], to url: String, _ sessionID: String, provider: String?,
        idToken: String?
    ) throws(WireError) -> AppSignInAnswer {
        do {
            let sent = provider.flatMap { $0.isEmpty ? nil : $0.lowercasedASCII }
            return AppSignInAnswer(
                response: try AuthorizationResponse(pairs), url: url, sessionID: sessionID, provider: sent,
                idToken: idToken)
        } catch {
            throw WireError(error)
        }
    }

    /// The pairs of the request URI's query, of the form and of the fragment.
    private static func parts(
        _ requestURI: String, postBody: String
    ) throws(WireError) -> [[(name: String, value: String)]] {
        guard requestURI.isASCII(from: 0x21), let url = URL(string: requestURI, encodingInvalidCharacters: false),
            url.scheme != nil
        else { throw .code(.invalidRequestURI) }
        var result: [[(name: String, value: String)]] = []
        for part in [url.query() ?? "", postBody, url.fragment() ?? ""] {
            guard let pairs = FormEncoding.decode(part.utf8) else {
                throw .code(.invalidCredentialOrProviderID, "Invalid IdP response/credential: malformed form.")
            }
            result.append(pairs)
        }
        return result
    }

    private static func firstTimeProfile(_ text: String?) throws(WireError) -> Credential.FirstTimeProfile? {
        do {
            return try text.flatMap { text throws(BrokerError) in try AuthorizationResponse.firstTimeProfile(text) }
        } catch {
            throw WireError(error)
        }
    }

    /// The strongest credential that was sent.
    private static func proof(
        _ parameters: [String: String], requestURI: String
    ) throws(WireError) -> Credential.Proof {
        func value(_ name: String) -> String? { parameters[name].flatMap { $0.isEmpty ? nil : $0 } }
        if value("state") != nil {
            throw .code(.invalidIDPResponse, "This sign-in was not started here.")
        }
        if let token = value("id_token") {
            return .idToken(
                .init(
                    token: token, rawNonce: value("nonce"), accessToken: value("access_token"),
                    authorizationCode: value("code")))
        }
        if let code = value("code") {
            return .authorizationCode(
                .init(
                    code: code,
                    redirectURI: value("redirect_uri") ?? String(requestURI.prefix { $0 != "?" && $0 != "#" }),
                    verifier: value("code_verifier"), expectedNonce: value("nonce")))
        }
        if let token = value("access_token") { return .accessToken(token) }
        throw .code(.invalidCredentialOrProviderID, "Invalid IdP response/credential: no credential was sent.")
    }
}

import BrokerStore
import Foundation
import HTTPTypes
import Hummingbird
import ProviderKit

/// The credentials of a client, sent by one method (RFC 6749 §2.3).
struct ClientCredentials: Sendable, Equatable {
    let id: String
    /// Absent for public and native clients.
    let secret: String?

    /// - Throws: ``OAuthError``.
    init(_ request: Request, _ parameters: QueryParameters) throws(OAuthError) {
        let headers = request.headers[values: .authorization]
        guard let header = headers.first else {
            guard let id = parameters[OAuthParameter.clientID] else {
                throw OAuthError(.invalidClient, "client_id is missing.")
            }
            self.init(id: id, secret: parameters[OAuthParameter.clientSecret])
            return
        }
        guard headers.count == 1, let basic = Self(basic: header) else {
            throw OAuthError(.invalidClient, "The Authorization header is not well-formed HTTP Basic.")
        }
        guard parameters[OAuthParameter.clientSecret] == nil else {
            throw OAuthError(.invalidRequest, "Authenticate by one method: the Authorization header or the form.")
        }
        // Many libraries repeat the id in the form.
        guard parameters[OAuthParameter.clientID].map({ $0.hasSameBytes(as: basic.id) }) ?? true else {
            throw OAuthError(.invalidRequest, "client_id differs from the client that authenticates.")
        }
        self = basic
    }

    init(id: String, secret: String?) {
        self.id = id
        self.secret = secret
    }

    /// Id and secret, form-encoded each, a colon between them, all in Base64 (RFC 6749 §2.3.1, RFC 7617).
    init?(basic header: String) {
        let scheme = "basic "
        guard header.utf8.count > scheme.utf8.count, header.prefix(scheme.count).lowercased() == scheme,
            let decoded = Data(base64Encoded: String(header.dropFirst(scheme.count)))
        else { return nil }
        let halves = Array(decoded).split(
            separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let id = Self.value(halves[0]), let secret = Self.value(halves[1]), !id.isEmpty else {
            return nil
        }
        self.init(id: id, secret: secret.isEmpty ? nil : secret)
    }

    private static func value(_ encoded: ArraySlice<UInt8>) -> String? {
        guard let pairs = FormEncoding.decode("value=".utf8 + encoded), pairs.count == 1 else { return nil }
        return pairs[0].value
    }
}

/// A request of an authenticated client.
struct OAuthCall: Sendable {
    let client: Client
    let parameters: QueryParameters
    let origin: Origin
}

extension OpenIDContext {
    /// Reads the form of an OAuth client's request and authenticates the client.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: Its context.
    ///   - takesProof: Whether the request may prove more than its client; otherwise it counts as unproven unless the
    ///     client has a secret.
    /// - Returns: The request, of an authenticated client.
    /// - Throws: ``OAuthError``, ``ParameterError``, ``BrokerError/tooManyAttempts(retryAfter:)``, or a store's error.
    func call(
        _ request: Request, _ context: BrokerRequestContext, takesProof: Bool = false
    ) async throws -> OAuthCall {
        let parameters = try await FormBody(of: request).parameters
        let credentials = try ClientCredentials(request, parameters)
        // The client is read for a caller who may be admitted only; without a secret it proves nothing.
        if credentials.secret == nil, takesProof, !carriesProof(parameters) {
            try RequestAdmission.current?.checkAddress()
        } else if credentials.secret == nil, !takesProof {
            try RequestAdmission.current?.countUnproven()
        }
        let client = try await authenticateClient(id: credentials.id, secret: credentials.secret)
        if !takesProof { try RequestAdmission.current?.countUnproven() }
        return OAuthCall(
            client: client, parameters: parameters,
            origin: Origin(.client, actor: "client:\(client.id)", requestID: context.requestID, device: context.device))
    }

    /// Whether a form has a token that may prove more than its client does, as far as the store need not be asked.
    private func carriesProof(_ parameters: QueryParameters) -> Bool {
        TokenExchangeRequest.carriesProof(parameters)
            || parameters[OAuthParameter.refreshToken].map { tokens.refreshTokens.decode($0) != nil } ?? false
    }
}

extension QueryParameters {
    /// A required parameter.
    func required(_ name: String) throws(OAuthError) -> String {
        guard let value = self[name] else { throw OAuthError(.invalidRequest, "\(name) is missing.") }
        return value
    }
}

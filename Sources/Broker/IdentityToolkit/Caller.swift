import BrokerStore
import HTTPTypes
import Hummingbird
import ProviderKit

/// The caller, as far as the transport identifies it (contract §1.2).
struct Caller: Sendable {
    /// The API key the app carries: a public identifier, no secret.
    let apiKey: Configuration.APIKey

    /// For the audit: enough of the key to recognise the app.
    var name: String { "key:" + apiKey.key.prefix(8) }
}

/// Recognises callers.
struct CallerCheck: Sendable {
    let apiKeys: [Configuration.APIKey]

    /// The app that calls; `onlyKey` is for the Secure Token endpoint, where a bearer credential counts for nothing.
    ///
    /// - Throws: ``WireError``: a bearer that is no admin's goes before a good key, as the contract says.
    func callAsFunction(_ request: Request, onlyKey: Bool = false) throws(WireError) -> Caller {
        if !onlyKey, let authorization = request.headers[.authorization],
            authorization.utf8.count >= 7, authorization.prefix(7).lowercased() == "bearer "
        {
            throw .invalidCredentials
        }
        guard let key = try key(of: request), !key.isEmpty else { throw .missingAPIKey }
        guard let known = entry(of: key) else { throw .unknownAPIKey }
        return Caller(apiKey: known)
    }

    /// Whether a key that a page names is an app's.
    func knows(_ key: String) -> Bool { entry(of: key) != nil }

    private func entry(of key: String) -> Configuration.APIKey? {
        apiKeys.first { $0.key.hasSameBytes(as: key) }
    }

    private func key(of request: Request) throws(WireError) -> String? {
        let query = request.uri.query ?? ""
        guard let pairs = FormEncoding.decode(query.utf8) else { throw .badRequest("The query is malformed.") }
        let keys = pairs.filter { $0.name == "key" }
        guard keys.count <= 1 else { throw .badRequest("The query names key twice.") }
        if let key = keys.first { return key.value }
        return HTTPField.Name("x-goog-api-key").flatMap { request.headers[$0] }
    }
}

extension BrokerRequestContext {
    /// The app as the origin of a flow.
    func origin(_ caller: Caller) -> Origin {
        Origin(.client, actor: caller.name, requestID: requestID, device: device)
    }
}

import Foundation
import JOSE
import StrictJSON

/// The endpoints of a broker, from its discovery document (RFC 8414 §2).
struct BrokerMetadata: Sendable {
    let issuer: String
    let authorizationEndpoint: URL
    let tokenEndpoint: URL
    let revocationEndpoint: URL
    let deviceAuthorizationEndpoint: URL?
    let pushedAuthorizationEndpoint: URL?
    /// The broker's own: begins a sign-in at a provider that answers the app itself.
    let appAuthorizationEndpoint: URL?
    let keySetURL: URL
    /// Whether every authorization response has `iss` (RFC 9207 §3).
    let namesIssuerInResponses: Bool

    /// The path of the document below the issuer (OpenID Connect Discovery §4).
    static let path = "/.well-known/openid-configuration"

    /// - Throws: ``BrokerAuthError/invalidToken(_:)`` when the document is another issuer's (RFC 8414 §3.3) or lacks an
    ///   endpoint.
    init(_ members: JSONObject, of issuer: String) throws(BrokerAuthError) {
        guard let name = members["issuer"]?.string, name.hasSameBytes(as: issuer) else {
            throw .invalidToken("the metadata names another issuer")
        }
        func endpoint(_ name: String) throws(BrokerAuthError) -> URL? {
            guard let text = members[name]?.string else { return nil }
            guard let url = URL(string: text), url.isSecureOrLoopback else {
                throw .invalidToken("\(name) of the metadata is no https URL")
            }
            return url
        }
        func required(_ name: String) throws(BrokerAuthError) -> URL {
            guard let url = try endpoint(name) else { throw .invalidToken("the metadata has no \(name)") }
            return url
        }
        self.issuer = issuer
        authorizationEndpoint = try required("authorization_endpoint")
        tokenEndpoint = try required("token_endpoint")
        revocationEndpoint = try required("revocation_endpoint")
        deviceAuthorizationEndpoint = try endpoint("device_authorization_endpoint")
        pushedAuthorizationEndpoint = try endpoint("pushed_authorization_request_endpoint")
        appAuthorizationEndpoint = try endpoint("app_authorization_endpoint")
        keySetURL = try required("jwks_uri")
        namesIssuerInResponses = members["authorization_response_iss_parameter_supported"]?.bool ?? false
    }
}

extension BrokerConfiguration {
    /// The issuer as its tokens name it: without the slash that URL types like to add.
    var issuerText: String {
        let text = issuer.absoluteString
        return text.utf8.last == UInt8(ascii: "/") ? String(text.dropLast()) : text
    }
}

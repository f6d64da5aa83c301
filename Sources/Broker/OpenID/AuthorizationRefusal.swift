/// Why a client's authorization request is not granted, in the words it is told through the browser (RFC 6749 §4.1.2.1,
/// OpenID Connect Core §3.1.2.6). The set is closed: nothing a provider said ever stands there.
package struct AuthorizationRefusal: Error, Sendable, Equatable {
    package typealias Code = OAuthError.Code

    package let code: Code
    /// For the client's developer.
    package let text: String

    init(_ code: Code, _ text: String) {
        self.code = code
        self.text = text
    }
}

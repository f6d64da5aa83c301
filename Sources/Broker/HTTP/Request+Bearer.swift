import Hummingbird
import OAuth

extension Request {
    /// The bearer token of the request (RFC 6750 §2.1), unverified; `nil` without one.
    ///
    /// - Throws: ``WireError`` for several `Authorization` headers, and for a malformed token.
    func bearerToken() throws(WireError) -> String? {
        do {
            return try BearerCredentials.token(in: headers[values: .authorization])
        } catch {
            throw .badRequest(error.description)
        }
    }
}

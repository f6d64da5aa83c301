import BrokerStore
package import ProviderKit

/// `tokens.inspect`: a token's claims, its issuer family, and whether it is valid. The token itself is not answered.
package struct InspectTokenOperation: AdminOperation {
    package static let name = "tokens.inspect"
    package static let summary = "Returns the claims of a token of the broker, and whether it is valid."
    package static let scope: AdminScope? = .readUsers

    /// A signed token.
    let token: String

    package struct Answer: Codable, Sendable {
        package let header: JSONObject
        package let claims: JSONValue
        package let signature: String
        /// Whether the token is valid now.
        package let counts: Bool
        package let family: String?
        /// The state of its session.
        package let session: String?
        /// The reason it is invalid.
        package let refusal: String?
    }

    package init(token: String) {
        self.token = token
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard let report = try await call.admin.inspectToken(token) else {
            throw AdminFailure(
                code: "INVALID_TOKEN", "the input is not a signed token: use --file or pipe it in",
                kind: .invalidParameters)
        }
        return Answer(
            header: report.header, claims: report.claims, signature: report.signature.rawValue,
            counts: report.refusal == nil, family: report.family?.rawValue, session: report.session?.rawValue,
            refusal: report.refusal?.message)
    }
}

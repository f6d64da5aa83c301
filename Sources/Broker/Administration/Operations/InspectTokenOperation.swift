import BrokerStore
package import ProviderKit

/// `tokens.inspect`: a token's claims, its issuer family, and whether it is valid. The token itself is not answered.
package struct InspectTokenOperation: AdminOperation {
    package static let declaration = OperationDeclaration(
        "tokens.inspect", "Returns the claims of a token of the broker, and whether it is valid.", .readUsers, .reads,
        [
            .option("token", "A signed token.", example: "eyJhbGciOiJFUzI1NiJ9.e30.AA")
        ], heading: "Inspect a token")

    let token: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "header": "The header of the token.",
            "claims": "Its claims.",
            "signature": "Whether the signature is one of the broker.",
            "counts": "Whether the token is valid now.",
            "family": "The family of its issuer.",
            "session": "The state of its session.",
            "refusal": "The reason it is invalid.",
        ]

        package let header: JSONObject
        package let claims: JSONValue
        package let signature: String
        package let counts: Bool
        package let family: String?
        package let session: String?
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

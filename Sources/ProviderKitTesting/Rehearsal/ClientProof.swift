import Foundation
import JOSE
import ProviderKit

/// The authentication of our client, as a provider examines it: a secret, or an assertion signed with a key of the options.
struct ClientProof: Sendable {
    private let secrets: [String]
    /// Every text of the options, among them the client's id.
    private let names: Set<String>
    private let keys: [PublicVerificationKey]
    private let now: Date

    init(of rehearsal: Rehearsal) {
        secrets = rehearsal.uses.secrets
        let migration = rehearsal.script.migration?.options.namedTexts ?? []
        names = Set((JSONValue.object(rehearsal.fixture.options).namedTexts + migration).map(\.value))
        keys = secrets.flatMap { pem in
            [IDTokenPolicy.Algorithm.es256, .rs256].compactMap { algorithm in
                try? ClientAssertion.Key(pem: Secret(pem), keyID: nil, algorithm: algorithm).signingKey().publicKey
            }
        }
        now = rehearsal.fixture.now
    }

    /// What a provider misses in a request; `nil` when it authenticates our client.
    func objection(to request: UpstreamRequest) -> String? {
        if let (clientID, secret) = request.basicPair {
            guard names.contains(clientID) else { return "an unknown client in its Basic authorization" }
            return secrets.contains { $0.hasSameBytes(as: secret) } ? nil : "another secret than the client's"
        }
        let clientID = request.value(named: "client_id")
        guard clientID.map(names.contains) ?? true else { return "a client_id that is not in the options" }
        let isSecret = secrets.contains { secret in
            request.contains(token: secret) || request.isOpaque && request.contents.contains(secret)
        }
        if isSecret {
            return clientID == nil && request.value(named: "client_secret") != nil ? "a secret without client_id" : nil
        }
        let assertions = request.values.compactMap { try? CompactJWS(parsing: $0) }
        let claims = assertions.lazy.compactMap { assertion in
            keys.lazy.compactMap { try? assertion.verified(with: $0) }.first
        }.first
        guard let claims else { return "neither the client's secret nor an assertion signed with its key" }
        return objection(to: claims, in: request)
    }

    /// RFC 7523 §3.
    private func objection(to claims: JSONValue, in request: UpstreamRequest) -> String? {
        func isKnown(_ claim: String) -> Bool { claims[claim]?.string.map(names.contains) ?? false }
        guard isKnown("sub"), isKnown("iss") else { return "an assertion of an unknown client" }
        let subject = claims["sub"]?.string
        guard request.value(named: "client_id").map({ $0 == subject }) ?? true else {
            return "an assertion of another client than client_id"
        }
        let audience = claims["aud"]?.string ?? ""
        guard !audience.isEmpty, names.contains(audience) || request.url.hasPrefix(audience) else {
            return "an assertion for another audience"
        }
        guard let end = claims["exp"]?.number?.integer, Double(end) > now.timeIntervalSince1970 else {
            return "an assertion that has expired"
        }
        return nil
    }
}

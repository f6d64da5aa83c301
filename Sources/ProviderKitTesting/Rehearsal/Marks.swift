import ProviderKit

/// The secrets of one rehearsal, for the search for leaks.
struct Marks: Sendable {
    /// The minimum length: shorter secrets would match by chance.
    static let minimumLength = 16

    private let clientSecrets: [String]
    private let personTokens: [String]

    /// The secrets of the fixture, of its credentials and grants, and the tokens in the provider's responses.
    init(_ rehearsal: Rehearsal) {
        clientSecrets = rehearsal.fixture.secrets.flatMap(Self.lines)
        let script = rehearsal.script
        let answered = rehearsal.upstream.exchanges.flatMap { exchange in
            exchange.answer.flatMap { try? JSONValue(parsing: $0.body) }.map(Self.tokens) ?? []
        }
        personTokens =
            (script.signIns.map(\.credential) + (script.unverified + script.foreign).compactMap(\.credential))
            .flatMap(Self.tokens).filter { $0.utf8.count >= Self.minimumLength }
            + ([script.grant].compactMap(\.self).flatMap(Self.tokens) + answered)
            .filter { $0.utf8.count >= Self.minimumLength }
    }

    func hasClientSecret(_ text: String) -> Bool { clientSecrets.contains { text.contains($0) } }
    func hasPersonToken(_ text: String) -> Bool { personTokens.contains { text.contains($0) } }
    func isMarked(_ text: String) -> Bool { hasClientSecret(text) || hasPersonToken(text) }

    /// The text with every secret replaced by dots.
    func blanked(_ text: String) -> String {
        (clientSecrets + personTokens).reduce(text) { $0.replacing($1, with: "•••") }
    }

    /// The searched parts of a secret: each line of a PEM key.
    private static func lines(_ secret: String) -> [String] {
        secret.split(whereSeparator: \.isNewline).map(String.init)
            .filter { $0.utf8.count >= minimumLength && !$0.hasPrefix("-----") }
    }

    static func tokens(_ credential: Credential) -> [String] {
        switch credential.proof {
        case .authorizationCode(let code): [code.code, code.verifier].compactMap(\.self)
        case .accessToken(let token): [token]
        case .idToken(let token): [token.token, token.accessToken, token.authorizationCode].compactMap(\.self)
        case .assertion(let fields): Array(fields.values)
        }
    }

    private static func tokens(_ grant: UpstreamGrant) -> [String] {
        [grant.accessToken, grant.refreshToken, grant.idToken].compactMap(\.self)
    }

    private static func tokens(_ answer: JSONValue) -> [String] {
        ["access_token", "refresh_token", "id_token", "device_code"].compactMap { answer[$0]?.string }
    }
}

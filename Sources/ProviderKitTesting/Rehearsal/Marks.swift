import Foundation
import ProviderKit
import Synchronization

/// The secrets of one rehearsal, for the search for leaks.
struct Marks: Sendable {
    /// The minimum length: shorter secrets would match by chance.
    static let minimumLength = 16

    private let clientSecrets: [String]
    /// The tokens of users.
    let userTokens: [String]
    private let encodings: (clientSecrets: [[UInt8]], userTokens: [[UInt8]])

    /// The secrets of the fixture, of its credentials and grants, and the tokens in the provider's responses.
    init(_ rehearsal: Rehearsal) {
        self.init(
            clientSecrets: rehearsal.uses.secrets.flatMap(Self.lines),
            userTokens: Self.userTokens(of: rehearsal.script, in: rehearsal.upstream.exchanges))
    }

    /// A search for these tokens alone.
    init(of userTokens: [String]) { self.init(clientSecrets: [], userTokens: userTokens) }

    private init(clientSecrets: [String], userTokens: [String]) {
        self.clientSecrets = clientSecrets
        self.userTokens = userTokens
        encodings = (clientSecrets.flatMap(Self.encodings), userTokens.flatMap(Self.encodings))
    }

    /// The tokens of a script's users: those of its credentials and of its grant, and those in these responses.
    static func userTokens(
        of script: ProviderScript, in exchanges: some Sequence<ScriptedUpstream.Exchange>
    ) -> [String] {
        let answered = exchanges.flatMap { exchange in
            exchange.answer.flatMap { try? JSONValue(parsing: $0.body) }.map(tokens) ?? []
        }
        return (script.signIns.map(\.credential) + (script.unverified + script.foreign).compactMap(\.credential))
            .flatMap(tokens).filter { $0.utf8.count >= minimumLength }
            + ([script.grant].compactMap(\.self).flatMap(tokens) + answered).filter { $0.utf8.count >= minimumLength }
    }

    func hasClientSecret(_ text: String) -> Bool { Self.contains(encodings.clientSecrets, in: text) }
    func hasPersonToken(_ text: String) -> Bool { Self.contains(encodings.userTokens, in: text) }
    func isMarked(_ text: String) -> Bool { hasClientSecret(text) || hasPersonToken(text) }

    /// The text with every secret replaced by dots.
    func blanked(_ text: String) -> String {
        (clientSecrets + userTokens).reduce(text) { $0.replacing($1, with: "•••") }
    }

    /// The spellings of a secret: itself, percent-encoded, in hexadecimal and in base64 from each of three positions, since
    /// base64 of a text depends on what precedes it.
    private static func encodings(of secret: String) -> [[UInt8]] {
        if let known = known.withLock({ $0[secret] }) { return known }
        let encodings = madeEncodings(of: secret)
        known.withLock { known in
            if known.count == maximumKnown { known = [:] }
            known[secret] = encodings
        }
        return encodings
    }

    /// The spellings that were made: every plugin call is searched for the same secrets.
    private static let known = Mutex<[String: [[UInt8]]]>([:])
    private static let maximumKnown = 10_000

    private static func madeEncodings(of secret: String) -> [[UInt8]] {
        let bytes = Array(secret.utf8)
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let base64 = (0..<3).map { shift in
            // The first characters belong to the preceding bytes as well, the last ones to the following.
            let text = Data(repeating: 0, count: shift) + Data(bytes.prefix(bytes.count - (bytes.count + shift) % 3))
            return String(text.base64EncodedString().dropFirst(shift == 0 ? 0 : 4))
        }
        let all =
            [secret, FormEncoding.encode(secret), digits, digits.uppercased()] + base64
            + base64.map { $0.replacing("+", with: "-").replacing("/", with: "_") }
        var seen: Set<String> = []
        return all.filter { seen.insert($0).inserted && $0.utf8.count >= 12 }.map { Array($0.utf8) }
    }

    private static func contains(_ encodings: [[UInt8]], in text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            encodings.contains { encoding in
                guard let first = encoding.first, var start = bytes.baseAddress else { return false }
                let end = start + bytes.count
                // The C library's functions, since loops over bytes take most of the time of a debug build's checks.
                while end - start >= encoding.count, let found = memchr(start, Int32(first), end - start) {
                    start = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
                    if end - start >= encoding.count, memcmp(start, encoding, encoding.count) == 0 { return true }
                    start += 1
                }
                return false
            }
        }
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

    static func tokens(_ grant: UpstreamGrant) -> [String] {
        [grant.accessToken, grant.refreshToken, grant.idToken].compactMap(\.self)
    }

    private static func tokens(_ answer: JSONValue) -> [String] {
        ["access_token", "refresh_token", "id_token", "device_code"].compactMap { answer[$0]?.string }
    }
}

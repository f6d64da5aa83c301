import Foundation
import ProviderKit

/// Hides tokens and secrets in what a provider answered: by the names of their places, by their shapes, and wherever a
/// hidden value is repeated.
///
/// Personal data stays: the one who shows it decides about that.
struct TokenMask: Sendable {
    /// Values that are hidden wherever they are, also in a longer text. The longest come first: one may contain another.
    private let secrets: [String]
    /// Values that look like tokens and are none, such as a subject.
    private let identifiers: Set<[UInt8]>

    /// - Parameters:
    ///   - secrets: The values of this sign-in that are secret wherever they are.
    ///   - identifiers: Its values that are shown although they may look like tokens.
    init(hiding secrets: [String], showing identifiers: [String] = []) {
        self.secrets = Set(secrets.filter { $0.utf8.count >= Self.shortestSecret })
            .sorted { $0.utf8.count > $1.utf8.count }
        let hidden = Set(secrets.map { Array($0.utf8) })
        self.identifiers = Set(identifiers.map { Array($0.utf8) }).subtracting(hidden)
    }

    /// A shorter value would be found in texts by chance.
    private static let shortestSecret = 8

    /// What is shown in the place of a text.
    static func hidden(_ text: String) -> String { "(hidden: \(text.utf8.count) bytes)" }
}

extension TokenMask {
    /// The document without tokens.
    func masking(_ document: JSONValue) -> JSONValue {
        switch document {
        case .object(let object):
            return .object(
                JSONObject(
                    object.map { name, value in
                        (masking(name), Self.isSecret(place: name) ? hiding(value) : masking(value))
                    }))
        case .array(let elements): return .array(elements.map { masking($0) })
        case .string(let text): return .string(masking(text))
        case .number, .bool, .null: return document
        }
    }

    /// The value at the place of a secret: texts and numbers are hidden, whatever they look like.
    private func hiding(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): text.isEmpty ? value : .string(Self.hidden(text))
        case .number: .string(Self.hidden(value.serialized()))
        case .array(let elements): .array(elements.map(hiding))
        case .object, .bool, .null: masking(value)
        }
    }

    /// The text without tokens.
    func masking(_ text: String) -> String {
        guard !identifiers.contains(Array(text.utf8)) else { return text }
        let known = secrets.reduce(text) { $0.replacing($1, with: Self.hidden($1)) }
        return words(of: known).map { word in Self.isToken(word) ? Self.hidden(String(word)) : String(word) }.joined()
    }

    /// A URL without the secrets of its query.
    func masking(url: String) -> String {
        guard let mark = url.firstIndex(of: "?") else { return masking(url) }
        let pairs = FormEncoding.decode(url[url.index(after: mark)...].utf8) ?? []
        return masking(String(url[..<mark])) + "?"
            + masking(pairs: pairs).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// The members of a form without its secrets; the code of an authorization response is one.
    func masking(pairs: [(name: String, value: String)]) -> [(name: String, value: String)] {
        pairs.map { name, value in
            let isSecret = Self.isSecret(place: name) || ["code", "state"].contains(name.lowercased())
            return (masking(name), isSecret && !value.isEmpty ? Self.hidden(value) : masking(value))
        }
    }

    /// The text cut where characters of tokens end, with all that stands between.
    private func words(of text: String) -> [Substring] {
        var words: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            let word = rest.prefix { $0.isTokenCharacter }
            let between = rest[word.endIndex...].prefix { !$0.isTokenCharacter }
            if !word.isEmpty { words.append(word) }
            if !between.isEmpty { words.append(between) }
            rest = rest[between.endIndex...]
        }
        return words
    }
}

extension TokenMask {
    /// Whether a member of this name has a secret.
    static func isSecret(place name: String) -> Bool {
        let folded = String(name.lowercased().filter { $0.isLetter || $0.isNumber })
        return folded.hasSuffix("token") || folded.hasSuffix("tokens") || folded.hasSuffix("secret")
            || folded.hasSuffix("password") || secretPlaces.contains(folded)
    }

    private static let secretPlaces: Set<String> = [
        "apikey", "appsecretproof", "assertion", "authorization", "bearer", "clientassertion", "codeverifier", "cookie",
        "credential", "credentials", "devicecode", "jwt", "nonce", "otp", "passcode", "privatekey", "sessionkey",
        "setcookie", "sig", "signature", "ticket",
    ]

    /// Whether a word looks like a token: a JWT, the form of a known issuer, or long with letters and digits and no
    /// meaning.
    static func isToken(_ word: Substring) -> Bool {
        guard !word.hasPrefix("eyJ") || word.utf8.count < 20 else { return true }
        if tokenPrefixes.contains(where: word.hasPrefix), word.utf8.count >= 12 { return true }
        guard word.utf8.count >= 24, word.isMixed, UUID(uuidString: String(word)) == nil else { return false }
        // Host names and dates consist of short parts, and have letters of one case.
        let isOfBothCases = word.contains(where: \.isUppercase) && word.contains(where: \.isLowercase)
        return isOfBothCases && word.utf8.count >= 32
            || word.split { ".-_~/+=".contains($0) }.contains { $0.utf8.count >= 20 && $0.isMixed }
    }

    private static let tokenPrefixes = [
        "gho_", "ghp_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "gloas-", "xoxa-", "xoxb-", "xoxe", "xoxp-",
        "xoxr-", "xapp-", "ya29.", "sk_live_", "rk_live_", "shpat_", "EAAC", "AIza",
    ]
}

extension Character {
    /// Of tokens (RFC 6750 §2.1) but the slash, which separates the parts of URLs.
    fileprivate var isTokenCharacter: Bool {
        isASCII && (isLetter || isNumber || "-._~+=%".contains(self))
    }
}

extension Substring {
    /// Whether it has letters and digits.
    fileprivate var isMixed: Bool { contains(where: \.isNumber) && contains(where: \.isLetter) }
}

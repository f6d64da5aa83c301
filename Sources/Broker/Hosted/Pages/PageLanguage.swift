import ProviderKit

/// The languages the hosted pages speak.
enum PageLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case korean = "ko"

    /// The language a request asks for: the first known one of `ui_locales` (OpenID Connect Core §3.1.2.1, separated by
    /// spaces), else the one `Accept-Language` prefers (RFC 9110 §12.5.4), else English.
    init(uiLocales: String?, acceptLanguage: String?) {
        self = Self.first(of: uiLocales) ?? Self.preferred(of: acceptLanguage) ?? .english
    }

    /// The language of a tag, by its primary subtag: `ko-KR` is Korean.
    private init?(tag: some StringProtocol) {
        let primary = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        self.init(rawValue: String(decoding: primary, as: UTF8.self).lowercased())
    }

    /// The first known one of `ui_locales`.
    static func first(of uiLocales: String?) -> PageLanguage? {
        uiLocales?.split(separator: " ").prefix(longestList).lazy.compactMap(PageLanguage.init(tag:)).first
    }

    /// An address with this language in the place of any other.
    static func address(_ target: String, in language: PageLanguage) -> String {
        let split = target.firstIndex(of: "?") ?? target.endIndex
        let pairs = (FormEncoding.decode(target[split...].dropFirst().utf8) ?? []).filter { $0.name != "ui_locales" }
        return target[..<split] + "?" + FormEncoding.encode(pairs + [("ui_locales", language.rawValue)])
    }

    private static func preferred(of acceptLanguage: String?) -> PageLanguage? {
        let wishes = acceptLanguage?.split(separator: ",").prefix(longestList).compactMap(Wish.init) ?? []
        // A stable choice: of two equal weights the one that stands first.
        return wishes.reduce(nil as Wish?) { best, wish in (best?.weight ?? 0) >= wish.weight ? best : wish }?.language
    }

    /// More entries than a browser sends; the rest of a longer list is not read.
    private static let longestList = 20

    /// One known language of an `Accept-Language` field, with its weight in thousandths.
    private struct Wish {
        let language: PageLanguage
        let weight: Int

        init?(_ range: Substring) {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let tag = parts.first, let named = tag == "*" ? .english : PageLanguage(tag: tag)
            else { return nil }
            language = named
            guard let quality = parts.dropFirst().first(where: { $0.lowercased().hasPrefix("q=") }) else {
                weight = 1000
                return
            }
            guard let value = Double(quality.dropFirst(2)), (0...1).contains(value) else { return nil }
            weight = Int(value * 1000)
        }
    }
}

/// The categories of numbers that languages tell apart (Unicode CLDR, Language Plural Rules).
enum PluralCategory: String, Sendable, CodingKey, CaseIterable {
    case zero, one, two, few, many, other
}

/// Which whole numbers are in which category; the rules of CLDR 46 for cardinals.
enum PluralRule: Sendable {
    /// All numbers are alike.
    case none
    /// 1 stands alone.
    case one
    /// 0 and 1 stand alone.
    case zeroAndOne
    /// Hebrew.
    case oneAndTwo
    /// Czech and Slovak.
    case oneAndFew
    case polish
    /// Russian and Ukrainian.
    case eastSlavic
    case arabic

    /// The categories that whole numbers are in.
    var categories: [PluralCategory] {
        switch self {
        case .none: [.other]
        case .one, .zeroAndOne: [.one, .other]
        case .oneAndTwo: [.one, .two, .other]
        case .oneAndFew: [.one, .few, .other]
        case .polish, .eastSlavic: [.one, .few, .many]
        case .arabic: [.zero, .one, .two, .few, .many, .other]
        }
    }

    /// The category of a number that is not negative.
    func category(of number: Int) -> PluralCategory {
        let (ten, hundred) = (number % 10, number % 100)
        let isFew = (2...4).contains(ten) && !(12...14).contains(hundred)
        switch self {
        case .none: return .other
        case .one: return number == 1 ? .one : .other
        case .zeroAndOne: return number <= 1 ? .one : .other
        case .oneAndTwo: return number == 1 ? .one : number == 2 ? .two : .other
        case .oneAndFew: return number == 1 ? .one : (2...4).contains(number) ? .few : .other
        case .polish: return number == 1 ? .one : isFew ? .few : .many
        case .eastSlavic: return ten == 1 && hundred != 11 ? .one : isFew ? .few : .many
        case .arabic:
            switch (number, hundred) {
            case (0, _): return .zero
            case (1, _): return .one
            case (2, _): return .two
            case (_, 3...10): return .few
            case (_, 11...99): return .many
            default: return .other
            }
        }
    }
}

/// The rules of a language for numbers and for the direction of its text.
struct PageGrammar: Sendable {
    enum Direction: String, Sendable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"
    }

    let plural: PluralRule
    var direction = Direction.leftToRight
    /// The digits from 0 to 9.
    private var digits = "0123456789"

    private init(_ plural: PluralRule, _ direction: Direction = .leftToRight, digits: String = "0123456789") {
        self.plural = plural
        self.direction = direction
        self.digits = digits
    }

    /// The language's rules, by its primary subtag (BCP 47); `nil` for one that is not known.
    init?(tag: String) {
        guard let grammar = Self.all[tag] else { return nil }
        self = grammar
    }

    /// The rules of the texts that are being decoded.
    init(of decoder: any Decoder) throws {
        guard let grammar = decoder.userInfo[Self.key] as? PageGrammar else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "has no language"))
        }
        self = grammar
    }

    static let key: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "broker.pageGrammar") else { preconditionFailure() }
        return key
    }()

    /// A value inside a text of the language: isolated where their directions may differ, so that neither moves what stands
    /// around it (UAX #9 §2.4). The value cannot end its isolate.
    func isolated(_ value: String) -> String {
        let scalars = value.unicodeScalars
        guard direction == .rightToLeft || scalars.contains(where: Self.isRightToLeft) else { return value }
        let inner = String(String.UnicodeScalarView(scalars.filter { !(0x2066...0x2069).contains($0.value) }))
        return "\u{2068}\(inner)\u{2069}"
    }

    /// Whether a scalar is in a block of letters that are written from right to left.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }

    /// A number in the language's digits.
    func digits(of number: String) -> String {
        let digits = Array(digits)
        return String(number.map { $0.wholeNumberValue.map { digits[$0] } ?? $0 })
    }

    /// The languages whose rules are known.
    static var tags: [String] { all.keys.sorted() }

    private static let all: [String: PageGrammar] = {
        let plurals: [(PluralRule, tags: String)] = [
            (.none, "id ja ko ms th vi zh"), (.one, "bg da de el en es et fi hu it nb nl no sv tr"),
            (.zeroAndOne, "fr hi pt"), (.oneAndFew, "cs sk"), (.polish, "pl"), (.eastSlavic, "ru uk"),
        ]
        var all: [String: PageGrammar] = [
            "ar": .init(.arabic, .rightToLeft), "bn": .init(.zeroAndOne, digits: "০১২৩৪৫৬৭৮৯"),
            "fa": .init(.zeroAndOne, .rightToLeft, digits: "۰۱۲۳۴۵۶۷۸۹"), "he": .init(.oneAndTwo, .rightToLeft),
            "ur": .init(.one, .rightToLeft),
        ]
        for (plural, tags) in plurals {
            for tag in tags.split(separator: " ") { all[String(tag)] = .init(plural) }
        }
        return all
    }()
}

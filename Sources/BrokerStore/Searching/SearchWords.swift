import Foundation
import StoreSchema

/// The rule that makes words of texts, for those that are stored and those that are searched for
/// (Docs/Decisions/0058-search-words.md).
///
/// A word is folded: compatibility forms decomposed, without marks, without case. It goes on to the end of what stands
/// between two spaces, so that a beginning is found across punctuation: an address has the word `lovelace@example.com`.
package enum SearchWords {
    /// The version of the rule. A broker with a later one writes the words of all users anew.
    package static let rule: UInt8 = 1
    /// The maximum number of words that are searched for together.
    package static let maximumTyped = 8
    /// What follows in a word is neither stored nor compared.
    private static let maximumLength = 64
    /// The words of one text, so that a name of spaces is not a hundred rows.
    private static let maximumOfText = 8

    /// The stored words of a user with these texts: without those that are the beginning of another one.
    static func words(of texts: [(kind: SearchedText, text: String)]) -> Set<String> {
        let all = texts.flatMap { words(of: $0.text, $0.kind) }.map { Array($0.utf8) }
            .sorted { $0.lexicographicallyPrecedes($1) }
        return Set(
            all.indices.filter { index in
                index + 1 == all.endIndex || !all[index + 1].starts(with: all[index])
            }.map { String(decoding: all[$0], as: UTF8.self) })
    }

    /// The words that are searched for; none where the text has nothing but spaces.
    package static func typed(_ text: String) -> [String] {
        pieces(of: text).map { word($0, from: starts(in: $0).first ?? 0) }
    }

    private static func words(of text: String, _ kind: SearchedText) -> [String] {
        let words = pieces(of: text).flatMap { piece in
            starts(of: kind, in: piece).map { word(piece, from: $0) }
        }
        return Array(words.prefix(maximumOfText))
    }

    private typealias Piece = [Unicode.Scalar]

    /// The folded text, split at its spaces.
    private static func pieces(of text: String) -> [Piece] {
        folded(text).split(whereSeparator: \.properties.isWhitespace).map(Array.init)
    }

    private static func word(_ piece: Piece, from start: Int) -> String {
        var word = String.UnicodeScalarView()
        word.append(contentsOf: piece[start...].prefix(maximumLength))
        return String(word)
    }

    private static func starts(of kind: SearchedText, in piece: Piece) -> [Int] {
        let starts = starts(in: piece)
        switch kind {
        case .name: return starts
        case .identifier: return Array(starts.prefix(1))
        case .address:
            guard let at = piece.lastIndex(of: "@") else { return Array(starts.prefix(1)) }
            return starts.filter { $0 < at } + starts.filter { $0 > at }.prefix(1)
        }
    }

    /// Where a letter or a digit follows something else; the beginning of a piece that has neither.
    private static func starts(in piece: Piece) -> [Int] {
        let starts = piece.indices.filter { index in
            isOfWord(piece[index]) && (index == 0 || !isOfWord(piece[index - 1]))
        }
        return starts.isEmpty ? [0] : starts
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return isASCIILetterOrDigit(scalar.value) }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    private static func isASCIILetterOrDigit(_ value: UInt32) -> Bool {
        (0x30...0x39).contains(value) || (0x61...0x7A).contains(value)
    }

    private static func folded(_ text: String) -> Piece {
        text.decomposedStringWithCompatibilityMapping.unicodeScalars.flatMap { scalar -> Piece in
            if scalar.isASCII { return foldedASCII(scalar) }
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format, .control: return []
            default: break
            }
            // Upper case first: it has one form where lower case has several (σ and ς).
            return scalar.properties.uppercaseMapping.unicodeScalars.flatMap { upper in
                upper.properties.lowercaseMapping.unicodeScalars.flatMap { lower in
                    Array((undecomposed[lower] ?? String(lower)).unicodeScalars)
                }
            }
        }
    }

    private static func foldedASCII(_ scalar: Unicode.Scalar) -> Piece {
        switch scalar {
        case "A"..."Z": [Unicode.Scalar(UInt8(scalar.value) + 0x20)]
        case _ where scalar.value < 0x20 && !scalar.properties.isWhitespace: []
        default: [scalar]
        }
    }

    /// What Unicode does not decompose and a keyboard may not have.
    private static let undecomposed: [Unicode.Scalar: String] = [
        "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ł": "l", "ŧ": "t", "þ": "th",
        "‘": "'", "’": "'", "ʼ": "'", "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-",
    ]
}

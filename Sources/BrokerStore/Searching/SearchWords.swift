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
        pieces(of: text).map { word($0, from: starts(in: $0)[0]) }
    }

    private static func words(of text: String, _ kind: SearchedText) -> [String] {
        var words: [String] = []
        for piece in pieces(of: text) {
            for start in starts(of: kind, in: piece) where words.count < maximumOfText {
                words.append(word(piece, from: start))
            }
        }
        return words
    }

    /// What stands between two spaces, folded.
    private typealias Piece = ArraySlice<Unicode.Scalar>

    private static func pieces(of text: String) -> [Piece] { folded(text).split(whereSeparator: isSpace) }

    private static func word(_ piece: Piece, from start: Int) -> String {
        var word = String.UnicodeScalarView()
        word.append(contentsOf: piece[start...].prefix(maximumLength))
        return String(word)
    }

    private static func starts(of kind: SearchedText, in piece: Piece) -> [Int] {
        let starts = starts(in: piece)
        switch kind {
        case .name: return starts
        case .identifier: return [starts[0]]
        case .address:
            guard let at = piece.lastIndex(of: "@") else { return [starts[0]] }
            return starts.filter { $0 < at } + starts.filter { $0 > at }.prefix(1)
        }
    }

    /// Where a letter or a digit follows something else; the beginning of a piece that has neither.
    private static func starts(in piece: Piece) -> [Int] {
        var starts: [Int] = []
        var follows = false
        for index in piece.indices {
            let isOfWord = isOfWord(piece[index])
            if isOfWord, !follows { starts.append(index) }
            follows = isOfWord
        }
        return starts.isEmpty ? [piece.startIndex] : starts
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "a"..."z": true
        case _ where scalar.isASCII: false
        default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == " " || ("\t"..."\r").contains(scalar) : scalar.properties.isWhitespace
    }

    private static func folded(_ text: String) -> [Unicode.Scalar] {
        var folded: [Unicode.Scalar] = []
        folded.reserveCapacity(text.utf8.count)
        // Most texts are ASCII, which has nothing to decompose.
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8 { appendASCII(Unicode.Scalar(byte), to: &folded) }
            return folded
        }
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
            if scalar.isASCII { appendASCII(scalar, to: &folded) } else { append(scalar, to: &folded) }
        }
        return folded
    }

    private static func appendASCII(_ scalar: Unicode.Scalar, to folded: inout [Unicode.Scalar]) {
        switch scalar {
        case "A"..."Z": folded.append(Unicode.Scalar(UInt8(scalar.value) + 0x20))
        case " "..."~", "\t"..."\r": folded.append(scalar)
        default: break
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to folded: inout [Unicode.Scalar]) {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return
        default: break
        }
        // Upper case first: it has one form where lower case has several (σ and ς).
        for upper in scalar.properties.uppercaseMapping.unicodeScalars {
            for lower in upper.properties.lowercaseMapping.unicodeScalars {
                if let letters = undecomposed[lower] {
                    folded += letters.unicodeScalars
                } else if lower.properties.generalCategory != .nonspacingMark {
                    folded.append(lower)
                }
            }
        }
    }

    /// What Unicode does not decompose and a keyboard may not have.
    private static let undecomposed: [Unicode.Scalar: String] = [
        "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ł": "l", "ŧ": "t", "þ": "th",
        "‘": "'", "’": "'", "ʼ": "'", "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-",
    ]
}

import ProviderKit

/// A reader of the part of XML that an SVG needs. It knows no declarations, so that no entity can expand and nothing
/// outside the file can be read.
struct SVGParser {
    private typealias Refusal = BrandImage.Refusal

    private let bytes: [UInt8]
    private var position = 0

    /// Deeper than drawing programs nest groups.
    private static let maximumDepth = 64

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a file.
    ///
    /// - Parameter file: All of it, in UTF-8.
    /// - Returns: Its root.
    /// - Throws: ``BrandImage/Refusal`` for what is not well-formed, and for declarations and processing instructions.
    static func root(of file: [UInt8]) throws(BrandImage.Refusal) -> SVGElement {
        guard String(utf8: file) != nil else {
            throw Refusal("it is neither a PNG nor an SVG in UTF-8")
        }
        var parser = SVGParser(file)
        return try parser.document()
    }

    private mutating func document() throws(BrandImage.Refusal) -> SVGElement {
        _ = takes([0xEF, 0xBB, 0xBF])
        if takes("<?xml") { try skip(past: "?>", "an XML declaration") }
        try skipSpaceAndComments()
        if takes("<!DOCTYPE") {
            try skipDocumentType()
            try skipSpaceAndComments()
        }
        guard takes("<") else { throw refusal("it is neither a PNG nor an SVG") }
        let root = try element(depth: 1)
        try skipSpaceAndComments()
        guard position == bytes.count else { throw refusal("it goes on after its root element") }
        return root
    }

    /// Reads an element, after the `<` of its start tag.
    private mutating func element(depth: Int) throws(BrandImage.Refusal) -> SVGElement {
        guard depth <= Self.maximumDepth else { throw refusal("it is nested too deeply") }
        let line = line
        var element = SVGElement(name: try name(), attributes: [], line: line)
        while true {
            let hasSpace = skipSpace()
            if takes("/>") { return element }
            if takes(">") { break }
            guard hasSpace else { throw refusal("it is not well-formed") }
            let attribute = try attribute()
            guard element[attribute.name] == nil else { throw refusal("it has an attribute twice") }
            element.attributes.append(attribute)
        }
        while !takes("</") {
            if takes("<!--") {
                try skip(past: "-->", "a comment")
            } else if takes("<!") {
                throw refusal("it has a CDATA section or a declaration")
            } else if takes("<?") {
                throw refusal("it has a processing instruction")
            } else if takes("<") {
                element.children.append(try self.element(depth: depth + 1))
            } else {
                element.text += try text(upTo: "<")
            }
        }
        guard try name() == element.name else { throw refusal("an element is not closed") }
        _ = skipSpace()
        guard takes(">") else { throw refusal("it is not well-formed") }
        return element
    }

    private mutating func attribute() throws(BrandImage.Refusal) -> (name: String, value: String) {
        let name = try name()
        _ = skipSpace()
        guard takes("=") else { throw refusal("it is not well-formed") }
        _ = skipSpace()
        let quote: Unicode.Scalar = takes("\"") ? "\"" : "'"
        guard quote == "\"" || takes("'") else { throw refusal("it is not well-formed") }
        let value = try text(upTo: quote)
        position += 1
        return (name, value)
    }

    /// A name of ASCII letters, digits, `-`, `_` and `.`, with at most one prefix.
    private mutating func name() throws(BrandImage.Refusal) -> String {
        let start = position
        while position < bytes.count, Self.isInName(bytes[position]) { position += 1 }
        let name = bytes[start..<position]
        let parts = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let areNames = parts.allSatisfy { part in
            part.first.map { Self.isLetter($0) || $0 == UInt8(ascii: "_") } ?? false
        }
        guard parts.count <= 2, areNames else { throw refusal("it is not well-formed") }
        return String(decoding: name, as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

    private static func isInName(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || "-_.:".utf8.contains(byte)
    }

    /// Text before a character that stands outside of references. White space is one space each, as in attributes.
    private mutating func text(upTo end: Unicode.Scalar) throws(BrandImage.Refusal) -> String {
        var result: [UInt8] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: end) {
            let byte = bytes[position]
            switch byte {
            case 0x09, 0x0A, 0x0D: result.append(0x20)
            case ..<0x20, 0x7F, UInt8(ascii: "<"): throw refusal("it has a character that XML does not allow there")
            case UInt8(ascii: "&"):
                result += try reference()
                continue
            default: result.append(byte)
            }
            position += 1
        }
        guard position < bytes.count else { throw refusal("it ends too early") }
        return String(decoding: result, as: UTF8.self)
    }

    /// A reference to a character, or to one of the five entities that need no declaration.
    private mutating func reference() throws(BrandImage.Refusal) -> [UInt8] {
        let start = position + 1
        let longest = bytes[start...].prefix(12)
        guard let end = longest.firstIndex(of: UInt8(ascii: ";")) else { throw refusal("it has an entity") }
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        position = end + 1
        switch name {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default: break
        }
        let isHexadecimal = name.hasPrefix("#x")
        let digits = name.utf8.dropFirst(isHexadecimal ? 2 : 1)
        let areDigits = digits.allSatisfy { Hexadecimal.value(of: $0) != nil }
        guard name.hasPrefix("#"), areDigits,
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(number), number >= 0x20, !(0x7F...0x9F).contains(number)
        else { throw refusal("it has an entity") }
        return Array(String(scalar).utf8)
    }

    /// A document type without declarations of its own. What it names is not read.
    private mutating func skipDocumentType() throws(BrandImage.Refusal) {
        let rest = bytes[position...]
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")),
            !rest[..<end].contains(where: { "[<&%".utf8.contains($0) })
        else { throw refusal("its document type has declarations") }
        position = end + 1
    }

    private mutating func skipSpaceAndComments() throws(BrandImage.Refusal) {
        while true {
            _ = skipSpace()
            guard takes("<!--") else { return }
            try skip(past: "-->", "a comment")
        }
    }

    private mutating func skip(past end: String, _ subject: String) throws(BrandImage.Refusal) {
        while position < bytes.count {
            if takes(end) { return }
            position += 1
        }
        throw refusal("\(subject) of it is not closed")
    }

    private mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
        return position > start
    }

    private mutating func takes(_ text: String) -> Bool { takes(Array(text.utf8)) }

    private mutating func takes(_ expected: [UInt8]) -> Bool {
        guard bytes[position...].starts(with: expected) else { return false }
        position += expected.count
        return true
    }

    private var line: Int { 1 + bytes[..<position].count { $0 == 0x0A } }

    private func refusal(_ problem: String) -> BrandImage.Refusal { .init("\(problem) (line \(line))") }
}

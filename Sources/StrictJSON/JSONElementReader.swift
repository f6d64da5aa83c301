/// Reads the elements of one large array while the document arrives, so that the document need not fit into memory.
///
/// The array is the document itself, or the member `name` of the object that the document is. Every element and every
/// other member is parsed strictly, within the limits of one document; other members are discarded.
package struct JSONElementReader {
    private enum State {
        case start
        case firstName, name, colon, member, afterMember
        case firstElement, element, afterElement
        case end
    }

    /// The maximum number of members beside the array.
    private static let maximumMembers = 1000

    private let name: String
    private let limits: JSONLimits
    private var state = State.start
    /// The names of the members before; empty where the document is the array.
    private var names: [String] = []
    private var frame = JSONValueFrame()
    private var buffer: [UInt8] = []
    private var position = 0
    /// The offset in the document of the first byte of ``buffer``.
    private var base = 0

    /// - Parameters:
    ///   - name: The member that is the array, where the document is an object.
    ///   - limits: Those of each element.
    package init(member name: String, limits: JSONLimits = .standard) {
        self.name = name
        self.limits = limits
    }

    /// Adds the next bytes of the document.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        buffer.removeFirst(position)
        base += position
        position = 0
        buffer.append(contentsOf: bytes)
    }

    /// The next element; nil when more bytes are needed, or the document has ended.
    ///
    /// - Throws: ``JSONParseError`` with its offset in the document.
    package mutating func next() throws(JSONParseError) -> JSONValue? {
        while let byte = skipToToken() {
            switch state {
            case .element,
                .firstElement where byte != UInt8(ascii: "]"):
                state = .element
                guard let element = try value() else { return nil }
                state = .afterElement
                return element
            case .member where byte != UInt8(ascii: "[") || names.last?.hasSameBytes(as: name) != true:
                guard try value() != nil else { return nil }
                state = .afterMember
            case .name,
                .firstName where byte != UInt8(ascii: "}"):
                state = .name
                guard let value = try value() else { return nil }
                try add(value)
                state = .colon
            default: try punctuation(byte)
            }
        }
        return nil
    }

    /// Checks that the document is complete.
    ///
    /// - Throws: ``JSONParseError``.
    package mutating func finish() throws(JSONParseError) {
        guard skipToToken() == nil, state == .end else { throw malformed("unexpected end of the document") }
    }

    private mutating func punctuation(_ byte: UInt8) throws(JSONParseError) {
        switch (state, byte) {
        case (.start, UInt8(ascii: "[")): state = .firstElement
        case (.start, UInt8(ascii: "{")): state = .firstName
        case (.colon, UInt8(ascii: ":")): state = .member
        case (.member, UInt8(ascii: "[")): state = .firstElement
        case (.afterMember, UInt8(ascii: ",")): state = .name
        case (.afterMember, UInt8(ascii: "}")), (.firstName, UInt8(ascii: "}")): state = .end
        case (.afterElement, UInt8(ascii: ",")): state = .element
        case (.afterElement, UInt8(ascii: "]")), (.firstElement, UInt8(ascii: "]")):
            state = names.isEmpty ? .end : .afterMember
        default: throw malformed("unexpected character")
        }
        position += 1
    }

    private mutating func add(_ name: JSONValue) throws(JSONParseError) {
        guard let name = name.string else { throw malformed("expected a name in double quotes") }
        guard names.count < Self.maximumMembers else { throw malformed("too many members") }
        guard !names.contains(where: { $0.hasSameBytes(as: name) }) else {
            throw JSONParseError(
                kind: .duplicateName, offset: base + position, reason: "second member with the same name")
        }
        names.append(name)
    }

    /// The value at the position; nil while it is incomplete.
    private mutating func value() throws(JSONParseError) -> JSONValue? {
        let length = frame.length(of: buffer, from: position)
        guard (length ?? buffer.count - position) <= limits.maximumBytes else {
            throw JSONParseError(
                kind: .tooLarge, offset: base + position, reason: "value of more than \(limits.maximumBytes) bytes")
        }
        guard let length else { return nil }
        let start = position
        position += length
        frame = JSONValueFrame()
        do throws(JSONParseError) {
            return try JSONValue(parsing: buffer[start..<position], limits: limits)
        } catch {
            throw JSONParseError(kind: error.kind, offset: base + start + error.offset, reason: error.reason)
        }
    }

    private mutating func skipToToken() -> UInt8? {
        while position < buffer.count {
            switch buffer[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case let byte: return byte
            }
        }
        return nil
    }

    private func malformed(_ reason: String) -> JSONParseError {
        JSONParseError(kind: .malformed, offset: base + position, reason: reason)
    }
}

/// Finds where a value ends that arrives in parts. It looks at brackets and quotes only; the parser judges the rest.
private struct JSONValueFrame {
    private var scanned = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// Whether the value is a number or a literal, which ends before the next delimiter.
    private var isScalar = false

    /// The number of bytes of the value that begins at `start`; nil while its end is not there.
    mutating func length(of bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var offset = start + scanned
            defer { scanned = offset - start }
            while offset < bytes.count {
                let byte = bytes[offset]
                if isScalar {
                    if Self.endsScalar(byte) { return offset - start }
                } else if take(byte, isFirst: offset == start) {
                    return offset + 1 - start
                }
                offset += 1
            }
            return nil
        }
    }

    /// - Returns: Whether `byte` is the last one of the value.
    private mutating func take(_ byte: UInt8, isFirst: Bool) -> Bool {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
                return depth == 0
            }
            return false
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            return depth <= 0
        default: isScalar = isFirst
        }
        return false
    }

    private static func endsScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): true
        default: false
        }
    }
}

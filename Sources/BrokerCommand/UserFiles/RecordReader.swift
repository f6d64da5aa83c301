import Foundation
import ProviderKit

/// Reads records from a file that arrives in parts.
protocol RecordReader {
    mutating func append(_ bytes: [UInt8])

    /// The next record; nil when more bytes are needed, or there is none. `isLast` tells that no more bytes follow.
    mutating func next(isLast: Bool) throws -> JSONObject?
}

/// The limits of one record.
let recordLimits = JSONLimits(maximumBytes: 1 << 20)

/// A reader for a file that begins with `bytes`: a JSON array, an object with the array `users`, one JSON object in each
/// line, or CSV with a header.
func recordReader(beginning bytes: [UInt8]) -> any RecordReader {
    let start = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    switch start.first {
    case UInt8(ascii: "["): return DocumentReader()
    case UInt8(ascii: "{"):
        let line = start.prefix { $0 != UInt8(ascii: "\n") }
        let first = (try? JSONValue(parsing: line, limits: recordLimits))?.object
        return first.map { $0["users"] == nil } == true ? JSONLineReader() : DocumentReader()
    default: return CSVReader()
    }
}

/// Reads the objects of a JSON array, which may be the member `users`.
struct DocumentReader: RecordReader {
    private var elements = JSONElementReader(member: "users", limits: recordLimits)

    mutating func append(_ bytes: [UInt8]) {
        elements.append(bytes)
    }

    mutating func next(isLast: Bool) throws -> JSONObject? {
        guard let element = try elements.next() else {
            if isLast { try elements.finish() }
            return nil
        }
        guard let object = element.object else { throw UserFileError("a user is no object") }
        return object
    }
}

/// Reads one JSON object in each line.
struct JSONLineReader: RecordReader {
    private var lines = LineReader()

    mutating func append(_ bytes: [UInt8]) {
        lines.append(bytes)
    }

    mutating func next(isLast: Bool) throws -> JSONObject? {
        while let line = try lines.next(isLast: isLast) {
            guard !line.isEmpty else { continue }
            let value: JSONValue
            do throws(JSONParseError) {
                value = try JSONValue(parsing: line, limits: recordLimits)
            } catch {
                throw UserFileError("line \(lines.number): \(error)")
            }
            guard let object = value.object else { throw UserFileError("line \(lines.number) is no object") }
            return object
        }
        return nil
    }
}

/// The reason a file of users is not read on.
struct UserFileError: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// Reads lines.
struct LineReader {
    private var buffer: [UInt8] = []
    private var position = 0
    private var searched = 0
    /// The number of the last line, from 1.
    private(set) var number = 0

    mutating func append(_ bytes: [UInt8]) {
        buffer.removeFirst(position)
        searched -= position
        position = 0
        buffer.append(contentsOf: bytes)
    }

    /// The next line without its end; nil when more bytes are needed, or there is none.
    mutating func next(isLast: Bool) throws(UserFileError) -> ArraySlice<UInt8>? {
        let end = buffer.withUnsafeBufferPointer { bytes -> Int? in
            guard searched < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + searched, 0x0A, bytes.count - searched)
            else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
        guard end != nil || isLast && position < buffer.count else {
            searched = buffer.count
            guard buffer.count - position <= recordLimits.maximumBytes else {
                throw UserFileError("line \(number + 1) is longer than \(recordLimits.maximumBytes) bytes")
            }
            return nil
        }
        var line = buffer[position..<(end ?? buffer.count)]
        position = end.map { $0 + 1 } ?? buffer.count
        searched = position
        number += 1
        if line.last == 0x0D { line.removeLast() }
        return line
    }
}

/// Reads CSV with a header (RFC 4180): the lines as objects whose values are texts.
struct CSVReader: RecordReader {
    private var lines = LineReader()
    private var header: [String]?
    /// A record so far, where a quoted field contains line ends.
    private var pending: [UInt8] = []

    mutating func append(_ bytes: [UInt8]) {
        lines.append(bytes)
    }

    mutating func next(isLast: Bool) throws -> JSONObject? {
        while let line = try lines.next(isLast: isLast) {
            pending += pending.isEmpty ? Array(line) : [0x0A] + line
            guard pending.count <= recordLimits.maximumBytes else {
                throw UserFileError("line \(lines.number) has a quoted field without an end")
            }
            // A quote within a field is doubled, so a record with an odd number of them continues.
            guard pending.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2) else { continue }
            defer { pending = [] }
            guard !pending.isEmpty else { continue }
            let fields = try Self.fields(of: pending, line: lines.number)
            guard let header else {
                self.header = fields.map { $0.hasPrefix("\u{FEFF}") ? String($0.dropFirst()) : $0 }
                continue
            }
            guard fields.count == header.count else {
                throw UserFileError("line \(lines.number) has \(fields.count) fields, the header \(header.count)")
            }
            return JSONObject(zip(header, fields).map { ($0, .string($1)) })
        }
        guard !isLast || pending.isEmpty else { throw UserFileError("the last line has a quoted field without an end") }
        return nil
    }

    private static func fields(of bytes: [UInt8], line: Int) throws(UserFileError) -> [String] {
        var fields: [String] = []
        var field: [UInt8] = []
        var offset = 0
        func text() throws(UserFileError) -> String {
            guard let text = String(validating: field, as: UTF8.self) else {
                throw UserFileError("line \(line) is not UTF-8")
            }
            guard !text.utf8.contains(0) else { throw UserFileError("line \(line) has U+0000") }
            return text
        }
        while offset < bytes.count {
            if bytes[offset] == UInt8(ascii: "\"") {
                offset += 1
                while offset < bytes.count {
                    if bytes[offset] == UInt8(ascii: "\"") {
                        offset += 1
                        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { break }
                    }
                    field.append(bytes[offset])
                    offset += 1
                }
            } else if bytes[offset] == UInt8(ascii: ",") {
                fields.append(try text())
                field = []
                offset += 1
            } else {
                field.append(bytes[offset])
                offset += 1
            }
        }
        fields.append(try text())
        return fields
    }
}

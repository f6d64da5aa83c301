/// Writes a JSON object member by member, without making values first: for documents that are written for every request.
///
/// Each name is added once, by its caller's care. Names that are literals need no escape.
package struct JSONObjectWriter: ~Copyable {
    private var bytes: [UInt8] = []
    private var isEmpty = true

    /// The bytes of most documents. With the header of an array it is a block that each thread keeps when it is freed; glibc
    /// does not keep those of more than 1,032 bytes, and tidies its lists for each of them.
    package static var ordinaryCapacity: Int { 960 }

    /// - Parameter capacity: The bytes to make room for.
    package init(capacity: Int = ordinaryCapacity) {
        bytes.reserveCapacity(capacity)
        bytes.append(UInt8(ascii: "{"))
    }

    /// Adds a string.
    package mutating func add(_ name: StaticString, _ text: String) {
        begin(name)
        JSONValue.append(text, to: &bytes)
    }

    /// Adds an integer.
    package mutating func add(_ name: StaticString, _ number: Int64) {
        begin(name)
        bytes += String(number).utf8
    }

    /// Adds a boolean.
    package mutating func add(_ name: StaticString, _ flag: Bool) {
        begin(name)
        bytes += (flag ? "true" : "false").utf8
    }

    /// Adds an object that `write` adds the members of.
    package mutating func add(_ name: StaticString, _ write: (inout JSONObjectWriter) -> Void) {
        begin(name)
        bytes.append(UInt8(ascii: "{"))
        isEmpty = true
        write(&self)
        bytes.append(UInt8(ascii: "}"))
        isEmpty = false
    }

    /// Adds a member that was made before.
    package mutating func add(named name: String, _ value: JSONValue) {
        separate()
        JSONValue.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.append(to: &bytes)
    }

    /// Adds the members of an object.
    package mutating func add(contentsOf object: JSONObject) {
        for member in object { add(named: member.name, member.value) }
    }

    /// The object, without white space, in UTF-8.
    package consuming func finish() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private mutating func begin(_ name: StaticString) {
        separate()
        name.withUTF8Buffer { JSONValue.append(plain: $0, to: &bytes) }
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func separate() {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
    }
}

/// The members of a JSON object in their order, each name once.
///
/// Names are compared byte by byte: canonically equivalent names are different members.
public struct JSONObject: Sendable {
    /// A name and its value.
    public typealias Member = (name: String, value: JSONValue)

    /// The number of members below which a linear search is faster than hashing.
    private static let indexThreshold = 16

    /// A structure, because arrays of tuples are slow to release.
    struct Entry: Sendable {
        let name: String
        /// Tells names apart without a look at their bytes.
        fileprivate let mark: UInt64
        fileprivate(set) var value: JSONValue
    }

    private(set) var members: [Entry]
    /// The index of names; nil while there are few members.
    private var positions: [ExactName: Int]?

    /// Makes an empty object.
    public init() {
        members = []
    }

    /// Makes an object; of several members with one name the last is used.
    public init(_ members: [(String, JSONValue)]) {
        self.init()
        self.members.reserveCapacity(members.count)
        for (name, value) in members { self[name] = value }
    }

    /// The value of the member called `name`; nil when there is none. Setting nil removes the member.
    public subscript(_ name: String) -> JSONValue? {
        get { position(of: name).map { members[$0].value } }
        set {
            guard let newValue else { return remove(name) }
            let mark = Self.mark(of: name)
            guard let position = position(of: name, mark) else { return append(name, mark, newValue) }
            members[position].value = newValue
        }
    }

    /// The names, in order.
    public var names: [String] { members.map(\.name) }

    /// The number of members.
    public var count: Int { members.count }

    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// Adds a member unless its name exists.
    ///
    /// - Returns: Whether it was added.
    mutating func insert(_ name: String, _ value: JSONValue) -> Bool {
        let mark = Self.mark(of: name)
        guard position(of: name, mark) == nil else { return false }
        append(name, mark, value)
        return true
    }

    private func position(of name: String) -> Int? { position(of: name, Self.mark(of: name)) }

    private func position(of name: String, _ mark: UInt64) -> Int? {
        if let positions { return positions[ExactName(name)] }
        for position in members.indices
        where members[position].mark == mark && members[position].name.hasSameBytes(as: name) {
            return position
        }
        return nil
    }

    /// Most names that differ have different marks: it has the length, and the first and the last eight bytes.
    private static func mark(of name: String) -> UInt64 {
        var name = name
        return name.withUTF8 { name in
            let bytes = UnsafeRawBufferPointer(name)
            let mark = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
            guard bytes.count >= 8 else { return bytes.reduce(mark) { $0 &<< 8 ^ $0 &>> 56 ^ UInt64($1) } }
            let first = bytes.loadUnaligned(as: UInt64.self)
            let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
            return mark ^ first ^ (last &<< 29 | last &>> 35)
        }
    }

    private mutating func append(_ name: String, _ mark: UInt64, _ value: JSONValue) {
        if members.isEmpty { members.reserveCapacity(Self.indexThreshold / 2) }
        members.append(Entry(name: name, mark: mark, value: value))
        if positions != nil {
            positions?[ExactName(name)] = members.count - 1
        } else if members.count > Self.indexThreshold {
            indexNames()
        }
    }

    private mutating func remove(_ name: String) {
        guard let position = position(of: name) else { return }
        members.remove(at: position)
        if positions != nil { indexNames() }
    }

    private mutating func indexNames() {
        var positions = [ExactName: Int](minimumCapacity: members.count)
        for (position, member) in members.enumerated() { positions[ExactName(member.name)] = position }
        self.positions = positions
    }
}

extension JSONObject: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { 0 }

    /// The position after the last member.
    public var endIndex: Int { members.count }

    /// The member at `position`.
    public subscript(position: Int) -> Member { (members[position].name, members[position].value) }
}

extension JSONObject: Equatable {
    /// Whether both have the same members, in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.name] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object; of several members with one name the last is used.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}

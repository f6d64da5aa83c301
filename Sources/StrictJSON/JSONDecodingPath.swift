/// The current place of decoding, converted to text only for errors.
indirect enum JSONDecodingPath {
    case root(String)
    case member(String, of: JSONDecodingPath)
    case element(Int, of: JSONDecodingPath)

    /// The place as a JSON Pointer (RFC 6901 §3).
    var pointer: String {
        switch self {
        case .root(let prefix): prefix
        case .member(let name, let parent): parent.pointer + "/" + Self.token(name)
        case .element(let position, let parent): parent.pointer + "/\(position)"
        }
    }

    /// The place in the standard library's form.
    var codingPath: [any CodingKey] {
        switch self {
        case .root: []
        case .member(let name, let parent): parent.codingPath + [Key(name)]
        case .element(let position, let parent): parent.codingPath + [Key(position)]
        }
    }

    /// The path of `keys` below this path.
    func appending(_ keys: some Sequence<any CodingKey>) -> JSONDecodingPath {
        keys.reduce(self) { path, key in
            (key as? Key)?.position.map { .element($0, of: path) } ?? .member(key.stringValue, of: path)
        }
    }

    /// Names are untrusted: long ones are cut, and control characters become U+FFFD.
    private static func token(_ name: String) -> String {
        var token = ""
        for scalar in name.unicodeScalars.prefix(64) {
            switch scalar {
            case "~": token += "~0"
            case "/": token += "~1"
            case _ where scalar.properties.generalCategory == .control: token += "\u{FFFD}"
            default: token.unicodeScalars.append(scalar)
            }
        }
        return name.unicodeScalars.count > 64 ? token + "…" : token
    }

    /// A name or a position, as a `CodingKey`.
    struct Key: CodingKey {
        let stringValue: String
        /// The position of an array element; nil for members, even with a numeric name.
        let position: Int?
        var intValue: Int? { position ?? Int(stringValue) }

        init(_ name: String) { (stringValue, position) = (name, nil) }
        init(_ position: Int) { (stringValue, self.position) = (String(position), position) }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { self.init(String(intValue)) }
    }
}

extension JSONDecodingError {
    /// The JSON Pointer of the member `name`, or of the element at that position, of the value at `parent`.
    package static func pointer(to name: String, below parent: String) -> String {
        JSONDecodingPath.member(name, of: .root(parent)).pointer
    }
}

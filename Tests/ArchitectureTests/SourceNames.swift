/// The names that one Swift file declares, and those that it uses, read from its text.
///
/// The indentation of `swift format` tells a member from a local name. Subscripts, initializers without a label and the
/// operators of the standard library have no name to be found by.
struct SourceNames {
    struct Extension: Hashable {
        /// The first part of the extended type's name, such as `Withdrawal` of `Withdrawal.State`.
        let type: String
        let member: String
    }

    /// The types at the file's top level that other files may name.
    private(set) var types: Set<String> = []
    /// The members of the file's types and extensions, and what stands outside of all types; private ones included.
    private(set) var members: Set<String> = []
    /// The members that the file's extensions add for other files.
    private(set) var extensions: Set<Extension> = []
    /// The operators and functions that stand outside of all types, for other files.
    private(set) var globals: Set<String> = []
    /// The names that begin like a type's.
    private(set) var usedTypes: Set<String> = []
    /// The names behind a dot or before a parenthesis, an initializer as `Type(label:`, and the operators.
    private(set) var usedMembers: Set<String> = []

    init(_ file: SourceFile) {
        let text = file.bareText
        readUses(in: text)
        var scopes: [Scope] = []
        for line in text.split(separator: "\n") {
            let depth = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
            let code = line.dropFirst(depth)
            if code.hasPrefix("}") { scopes.removeAll { $0.depth >= depth } }
            guard depth == 0 || scopes.last?.depth == depth - 4, let declaration = Declaration(code) else { continue }
            if let scope = scopes.last { add(declaration, in: scope) } else { add(declaration) }
            if declaration.opensScope, !code.hasSuffix("}") { scopes.append(Scope(declaration, depth: depth)) }
        }
    }

    /// Adds a declaration outside of all types.
    private mutating func add(_ declaration: Declaration) {
        let names = declaration.members(of: nil)
        members.formUnion(names)
        guard !declaration.isPrivate else { return }
        if declaration.isType { types.insert(declaration.type) }
        globals.formUnion(names)
    }

    private mutating func add(_ declaration: Declaration, in scope: Scope) {
        let names = declaration.members(of: scope.type)
        members.formUnion(names)
        guard scope.isExtension, !scope.isPrivate, !declaration.isPrivate else { return }
        let type = scope.type.prefix { $0 != "." }
        extensions.formUnion(names.map { Extension(type: String(type), member: $0) })
    }

    private mutating func readUses(in text: String) {
        let bytes = Array(text.utf8)
        var call: (name: String, arguments: Int)?
        for word in bytes.split(whereSeparator: { !Self.isPartOfName($0) }) {
            let name = String(decoding: word, as: UTF8.self)
            let previous = word.startIndex > 0 ? bytes[word.startIndex - 1] : 0
            let next = word.endIndex < bytes.count ? bytes[word.endIndex] : 0
            if let call, next == UInt8(ascii: ":"), bytes[call.arguments..<word.startIndex].allSatisfy({ $0 <= 32 }) {
                usedMembers.insert("\(call.name)(\(name):")
            }
            call = next == UInt8(ascii: "(") ? (name, word.endIndex + 1) : nil
            let isMember = previous == UInt8(ascii: ".")
            if isMember || call != nil { usedMembers.insert(name) }
            if !isMember, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(word[word.startIndex]) {
                usedTypes.insert(name)
            }
        }
        let operators = bytes.split { !"-+*/%=<>!&|^~?".utf8.contains($0) }
        usedMembers.formUnion(operators.map { String(decoding: $0, as: UTF8.self) })
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// A type or an extension whose members are being read.
    private struct Scope {
        let type: String
        let depth: Int
        let isExtension: Bool
        let isPrivate: Bool

        init(_ declaration: Declaration, depth: Int) {
            type = declaration.type
            self.depth = depth
            isExtension = declaration.keyword == "extension"
            isPrivate = declaration.isPrivate
        }
    }

    /// A line that declares something.
    private struct Declaration {
        private static let modifiers: Set<Substring> = [
            "package", "public", "internal", "private", "fileprivate", "static", "mutating", "nonmutating",
            "nonisolated", "consuming", "borrowing", "final", "indirect", "override", "required", "convenience", "lazy",
            "weak", "private(set)", "fileprivate(set)", "package(set)", "prefix", "infix", "postfix",
        ]
        private static let types: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        private static let members: Set<Substring> = ["func", "var", "let", "case", "init", "operator"]

        let keyword: Substring
        let rest: Substring
        let isPrivate: Bool

        var isType: Bool { Self.types.contains(keyword) }
        var opensScope: Bool { isType && keyword != "typealias" || keyword == "extension" }
        /// The name of the type that the line declares or extends.
        var type: String { String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }) }

        init?(_ code: Substring) {
            var rest = code
            var isPrivate = false
            while true {
                let word = rest.prefix { $0 != " " }
                guard word.hasPrefix("@") || Self.modifiers.contains(word) else { break }
                isPrivate = isPrivate || word == "private" || word == "fileprivate"
                rest = rest.dropFirst(word.count).drop { $0 == " " }
            }
            keyword = rest.prefix(while: \.isLetter)
            guard keyword == "extension" || Self.types.contains(keyword) || Self.members.contains(keyword) else {
                return nil
            }
            self.rest = rest.dropFirst(keyword.count).drop { $0 == " " || $0 == "`" }
            self.isPrivate = isPrivate
        }

        /// The members that the line declares in a type: every case of an enum, an initializer as `Type(label:`.
        func members(of type: String?) -> [String] {
            switch keyword {
            case "init":
                let label = rest.drop { $0 != "(" }.dropFirst().prefix { $0.isLetter || $0.isNumber }
                guard let name = type?.split(separator: ".").last, !label.isEmpty else { return [] }
                return ["\(name)(\(label):"]
            case "case":
                return rest.split(separator: ",").compactMap { $0.firstMatch(of: /\w+/).map { String($0.0) } }
            case "func", "var", "let":
                let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                return name.isEmpty ? [] : [String(name)]
            case "operator":
                return [String(rest.prefix { $0 != " " && $0 != ":" })]
            default:
                return []
            }
        }
    }
}

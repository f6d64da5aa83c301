public import StrictJSON

/// An object of a configuration file, by its declared keys.
public struct DeclaredObject<Root: Sendable>: Sendable {
    /// In the order in which they are read.
    package let keys: [DeclaredKey<Root>]
    private let completions: [Completion]
    /// What it is.
    private var text: String?
    /// Further keywords of JSON Schema.
    private var keywords = JSONObject()

    /// Checks what one key alone cannot, after all are read; gets the names that the file has.
    package typealias Completion = @Sendable (inout Root, Set<String>, ValuePlace) throws -> Void

    /// - Parameters:
    ///   - text: What it is: a sentence.
    ///   - keys: In the order of the documentation. Each is read in its turn.
    ///   - keywords: Further keywords of JSON Schema, for editors, such as `anyOf` with several `required`. The plugin
    ///     checks what they tell.
    public init(_ text: String, _ keys: [DeclaredKey<Root>], narrowedBy keywords: JSONObject = [:]) {
        self.init(keys)
        self.text = text
        self.keywords = keywords
    }

    package init(_ keys: [DeclaredKey<Root>], complete: Completion? = nil) {
        self.keys = keys
        completions = complete.map { [$0] } ?? []
    }

    package init(joining parts: [DeclaredObject<Root>]) {
        keys = parts.flatMap(\.keys)
        completions = parts.flatMap(\.completions)
    }

    /// Reads a document: an unknown name anywhere in it is refused, absent keys get their initial values.
    ///
    /// - Parameters:
    ///   - document: The object.
    ///   - root: Takes the values.
    ///   - place: The object's place.
    ///   - environment: The variables.
    /// - Throws: `JSONDecodingError` naming the place and the nearest valid name; ``VariableError``; the errors of keys.
    package func read(
        _ document: JSONValue, into root: inout Root, at place: ValuePlace, environment: [String: String] = [:]
    ) throws {
        let document = whole(document)
        try checkNames(in: document, [], place)
        var present: Set<String> = []
        for key in keys {
            if let variable = key.environment, let text = environment[variable] {
                var place = ValuePlace(source: variable, pointer: "", resolve: place.resolve, secrets: place.secrets)
                place.isVariable = true
                do {
                    try key.read(.string(text), &root, place)
                } catch let error as JSONDecodingError {
                    throw VariableError(variable: variable, error: error)
                }
            } else if let value = try value(of: key, in: document, place) {
                present.insert(key.name)
                try key.read(value, &root, place.below(key.path))
            } else if let value = key.initialValue {
                try key.read(value, &root, place.below(key.path))
            }
        }
        for complete in completions { try complete(&root, present, place) }
    }

    /// Where the value of a key comes from.
    package enum Origin: Sendable, Hashable {
        case file
        case variable(String)
        case initial
    }

    /// The value of each key and where it comes from: the file, a variable, or what counts without them.
    ///
    /// - Parameters:
    ///   - document: The object.
    ///   - root: What was read of it.
    ///   - environment: The variables.
    /// - Returns: The keys in their order; a value is nil where there is none.
    package func values(
        in document: JSONValue, _ root: Root, environment: [String: String] = [:]
    ) -> [(key: DeclaredKey<Root>, value: JSONValue?, origin: Origin)] {
        let document = whole(document)
        return keys.map { key in
            if let variable = key.environment, let text = environment[variable] {
                return (key, .string(text), .variable(variable))
            }
            if let value = key.path.reduce(document as JSONValue?, { $0?[$1] }), value != .null {
                return (key, value, .file)
            }
            return (key, key.initialValue ?? key.derivedValue?(root), .initial)
        }
    }

    /// JSON Schema of the object.
    package var schema: JSONObject {
        var schema = JSONObject()
        schema["description"] = text.map(JSONValue.string)
        for (name, value) in self.schema(below: []) { schema[name] = value }
        for (name, value) in keywords { schema[name] = value }
        return schema
    }

    /// A document without the text of secrets. What no key declares is hidden as well.
    package func hidingSecrets(in document: JSONValue) -> JSONValue {
        guard let members = document.object else { return KeyDeclaration.hidden }
        return .object(
            JSONObject(
                members.map { name, value in
                    let key = keys.first { $0.name.hasSameBytes(as: name) }
                    return (name, key?.declaration.hidingSecrets(in: value) ?? KeyDeclaration.hidden)
                }))
    }

    /// The object as a section of a whole, of which `Root` is a part.
    package func below<Whole: Sendable>(
        _ name: String, of part: any WritableKeyPath<Whole, Root> & Sendable
    ) -> DeclaredObject<Whole> {
        DeclaredObject<Whole>(
            joining: [
                DeclaredObject<Whole>(
                    keys.map { key -> DeclaredKey<Whole> in
                        key.of(part).with { $0.declaration.name = "\(name).\(key.name)" }
                    })
            ]
                + completions.map { complete in
                    DeclaredObject<Whole>([]) { whole, present, place in
                        let own = present.filter { $0.hasPrefix(name + ".") }.map {
                            String($0.dropFirst(name.count + 1))
                        }
                        try complete(&whole[keyPath: part], Set(own), place.below([name]))
                    }
                })
    }

    /// The document with a value in the place of a section as the key that it stands for.
    private func whole(_ document: JSONValue) -> JSONValue {
        guard case .object(var object) = document else { return document }
        for key in keys where key.standsForSection && key.path.count == 2 {
            guard let value = object[key.path[0]], value.object == nil, value != .null else { continue }
            object[key.path[0]] = .object(JSONObject([(key.path[1], value)]))
        }
        return .object(object)
    }

    private func checkNames(
        in value: JSONValue, _ path: [String], _ place: ValuePlace
    ) throws(JSONDecodingError) {
        let names = names(below: path)
        guard let object = value.object else {
            // Says what was found in its place.
            _ = try place.below(path).decode([String: JSONValue].self, from: value)
            return
        }
        for name in object.names where place.unknownNames == .refused {
            guard !names.contains(where: { $0.hasSameBytes(as: name) }) else { continue }
            throw JSONDecodingError(
                path: place.below(path + [name]).pointer,
                kind: .unknownName(nearest: NearestName.nearest(to: name, among: names)))
        }
        for name in names where isSection(path + [name]) {
            guard let section = object[name], section != .null else { continue }
            try checkNames(in: section, path + [name], place)
        }
    }

    /// - Throws: `JSONDecodingError` for a key that must be there.
    private func value(
        of key: DeclaredKey<Root>, in document: JSONValue, _ place: ValuePlace
    ) throws(JSONDecodingError) -> JSONValue? {
        var value = document
        for (depth, name) in key.path.enumerated() {
            let isLast = depth == key.path.count - 1
            if let found = value[name], found != .null || isLast && key.presence != .optional {
                value = found
                continue
            }
            guard key.presence == .required || key.presence == .requiredInSection && isLast else { return nil }
            throw JSONDecodingError(path: place.below(Array(key.path[...depth])).pointer, kind: .missing)
        }
        return value
    }

    /// The names below a section, each once.
    private func names(below path: [String]) -> [String] {
        var names: [String] = []
        for key in keys where key.path.count > path.count && key.path.starts(with: path) {
            let name = key.path[path.count]
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    private func isSection(_ path: [String]) -> Bool {
        keys.contains { $0.path.count > path.count && $0.path.starts(with: path) }
    }

    private func schema(below path: [String]) -> JSONObject {
        var (properties, required) = (JSONObject(), [JSONValue]())
        for name in names(below: path) {
            let inner = path + [name]
            if let key = keys.first(where: { $0.path == inner }) {
                properties[name] = .object(key.declaration.describedSchema)
                if key.presence != .optional { required.append(.string(name)) }
            } else {
                let section = JSONValue.object(schema(below: inner))
                let whole = keys.first { $0.standsForSection && Array($0.path.dropLast()) == inner }
                properties[name] = whole.map { ["anyOf": [.object($0.schema), section]] } ?? section
                let isRequired = keys.contains { $0.presence == .required && $0.path.starts(with: inner) }
                if isRequired { required.append(.string(name)) }
            }
        }
        var schema: JSONObject = ["type": "object", "additionalProperties": false, "properties": .object(properties)]
        if !required.isEmpty { schema["required"] = .array(required) }
        return schema
    }
}

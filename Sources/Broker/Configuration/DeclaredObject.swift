package import ProviderKit

/// An object of a configuration file, by its declared keys.
package struct DeclaredObject<Root: Sendable>: Sendable {
    /// In the order in which they are read.
    package let keys: [DeclaredKey<Root>]
    private let completions: [Completion]

    /// Checks what one key alone cannot, after all are read; gets the names that the file has.
    typealias Completion = @Sendable (inout Root, Set<String>, ValuePlace) throws(ConfigurationError) -> Void

    init(_ keys: [DeclaredKey<Root>], complete: Completion? = nil) {
        self.keys = keys
        completions = complete.map { [$0] } ?? []
    }

    init(joining parts: [DeclaredObject<Root>]) {
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
    /// - Throws: ``ConfigurationError`` naming the place, the nearest valid name and a fix.
    func read(
        _ document: JSONValue, into root: inout Root, at place: ValuePlace, environment: [String: String] = [:]
    ) throws(ConfigurationError) {
        let document = whole(document)
        try checkNames(in: document, [], place)
        var present: Set<String> = []
        for key in keys {
            if let variable = key.environment, let text = environment[variable] {
                var place = ValuePlace(source: variable, pointer: "", resolve: place.resolve, secrets: place.secrets)
                place.isVariable = true
                try key.read(.string(text), &root, place)
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
    func values(
        in document: JSONValue, _ root: Root, environment: [String: String]
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
    package var schema: JSONObject { schema(below: []) }

    /// The object as a section of a whole, of which `Root` is a part.
    func below<Whole: Sendable>(
        _ name: String, of part: any WritableKeyPath<Whole, Root> & Sendable
    ) -> DeclaredObject<Whole> {
        DeclaredObject<Whole>(
            joining: [
                DeclaredObject<Whole>(keys.map { key -> DeclaredKey<Whole> in key.lifted(below: name, of: part) })
            ]
                + completions.map { complete in
                    DeclaredObject<Whole>([]) { (whole, present, place) throws(ConfigurationError) in
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
    ) throws(ConfigurationError) {
        let names = names(below: path)
        guard let object = value.object else {
            // Says what was found in its place.
            _ = try place.below(path).decode([String: JSONValue].self, from: value)
            return
        }
        for name in object.names where !names.contains(name) {
            let error = JSONDecodingError(
                path: place.below(path + [name]).pointer,
                kind: .unknownName(nearest: NearestName.nearest(to: name, among: names)))
            throw ConfigurationError(place.source, error)
        }
        for name in names where isSection(path + [name]) {
            guard let section = object[name], section != .null else { continue }
            try checkNames(in: section, path + [name], place)
        }
    }

    /// - Throws: ``ConfigurationError`` for a key that must be there.
    private func value(
        of key: DeclaredKey<Root>, in document: JSONValue, _ place: ValuePlace
    ) throws(ConfigurationError) -> JSONValue? {
        var value = document
        for (depth, name) in key.path.enumerated() {
            let isLast = depth == key.path.count - 1
            if let found = value[name], found != .null || isLast && key.presence != .optional {
                value = found
                continue
            }
            guard key.presence == .required || key.presence == .requiredInSection && isLast else { return nil }
            let place = place.below(Array(key.path[...depth]))
            throw ConfigurationError(place.source, JSONDecodingError(path: place.pointer, kind: .missing))
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
                properties[name] = .object(key.describedSchema)
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

extension DeclaredKey {
    /// The schema with text, initial value and example.
    fileprivate var describedSchema: JSONObject {
        var described = JSONObject()
        described["description"] = .string(text)
        for (name, value) in schema { described[name] = value }
        described["default"] = initialValue
        described["examples"] = example.map { [$0] }
        return described
    }
}

extension DeclaredKey {
    /// The key as one of a whole, of which `Root` is a part.
    fileprivate func lifted<Whole: Sendable>(
        below section: String, of part: any WritableKeyPath<Whole, Root> & Sendable
    ) -> DeclaredKey<Whole> {
        let readPart = read
        var key = DeclaredKey<Whole>(name: "\(section).\(name)", text: text, schema: schema) {
            (value, whole, place) throws(ConfigurationError) in
            try readPart(value, &whole[keyPath: part], place)
        }
        (key.presence, key.initialValue, key.initialText) = (presence, initialValue, initialText)
        if let derivedValue { key.derivedValue = { derivedValue($0[keyPath: part]) } }
        key.environment = environment
        (key.example, key.isSecret, key.standsForSection) = (example, isSecret, standsForSection)
        return key
    }
}

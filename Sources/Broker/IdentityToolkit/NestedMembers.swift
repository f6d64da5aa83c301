import ProviderKit

/// JSON Schema of an object whose members are declared by dotted paths.
struct NestedSchema: Sendable {
    private var properties = JSONObject()

    /// Adds a member; the objects around it are added with it.
    mutating func add(_ path: String, _ schema: JSONObject, _ text: String) {
        var schema = schema
        schema["description"] = .string(text)
        Self.add(path.split(separator: ".").map(String.init)[...], schema, to: &properties)
    }

    var value: JSONValue { ["type": "object", "properties": .object(properties)] }

    private static func add(_ path: ArraySlice<String>, _ schema: JSONObject, to properties: inout JSONObject) {
        guard let name = path.first else { return }
        guard path.count > 1 else { return properties[name] = .object(schema) }
        var section = properties[name]?.object ?? ["type": "object", "description": "See its members."]
        var members = section["properties"]?.object ?? JSONObject()
        add(path.dropFirst(), schema, to: &members)
        section["properties"] = .object(members)
        properties[name] = .object(section)
    }
}

extension JSONObject {
    /// Sets a member at a dotted path.
    mutating func setMember(at path: String, to value: JSONValue?) {
        guard let dot = path.firstIndex(of: ".") else { return self[path] = value }
        guard let value else { return }
        var object = self[String(path[..<dot])]?.object ?? JSONObject()
        object.setMember(at: String(path[path.index(after: dot)...]), to: value)
        self[String(path[..<dot])] = .object(object)
    }
}

extension RequestFields {
    /// The object around the field at a dotted path, and the field's name.
    ///
    /// - Throws: ``WireError`` for what is no object.
    func place(of path: String) throws(WireError) -> (RequestFields, String) {
        guard let dot = path.lastIndex(of: ".") else { return (self, path) }
        return (try object(at: String(path[..<dot])), String(path[path.index(after: dot)...]))
    }
}

import BrokerStore
package import ProviderKit

/// The form of a type in JSON: what its `init(from:)` asks a decoder for.
package indirect enum JSONForm {
    case text, integer, flag, moment
    case choice(any CaseIterable.Type)
    case list(of: JSONForm)
    case object([JSONMember])
    /// An object whose members the type does not know.
    case anyObject
    case anything

    /// - Throws: An error of the type, when it cannot be decoded from values of the forms it asks for.
    package init<Value: Decodable>(of type: Value.Type) throws {
        self = try FormRecorder.record(type).form
    }

    /// The members of an object.
    package var members: [JSONMember] {
        switch self {
        case .object(let members): members
        case .list(let element): element.members
        default: []
        }
    }

    /// The names of an enumeration's cases on the wire.
    package static func names<Choice: CaseIterable>(of type: Choice.Type) -> [String] {
        type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
    }
}

/// A member of an object in JSON.
package struct JSONMember {
    package let name: String
    package let form: JSONForm
    package let isOptional: Bool
    /// nil where the object's type has none.
    package let text: MemberText?
}

extension JSONForm {
    /// JSON Schema of the form. Objects have no other members.
    package var schema: JSONObject {
        switch self {
        case .text: ["type": "string"]
        case .integer: ["type": "integer"]
        case .flag: ["type": "boolean"]
        case .moment: ["type": "string", "format": "date-time"]
        case .choice(let type): ["type": "string", "enum": .array(Self.names(of: type).map(JSONValue.string))]
        case .list(let element): ["type": "array", "items": .object(element.schema)]
        case .object(let members): Self.schema(members) { $0.form.schema(describedBy: $0.text) }
        case .anyObject: ["type": "object"]
        case .anything: [:]
        }
    }

    /// The schema with a text, or what stands in its place.
    package func schema(describedBy text: MemberText?) -> JSONObject {
        var described = JSONObject()
        described["description"] = text.map { .string($0.text) }
        for (name, value) in text?.schema ?? schema { described[name] = value }
        return described
    }

    /// The schema of an object, in which `schema` describes each member.
    package static func schema(_ members: [JSONMember], _ schema: (JSONMember) -> JSONObject) -> JSONObject {
        var object: JSONObject = ["type": "object", "additionalProperties": false]
        if !members.isEmpty {
            object["properties"] = .object(JSONObject(members.map { ($0.name, .object(schema($0))) }))
        }
        let required = members.filter { !$0.isOptional }
        if !required.isEmpty { object["required"] = .array(required.map { .string($0.name) }) }
        return object
    }
}

/// A decoder without a document: it notes what it is asked for, and answers something of that form.
private final class FormRecorder: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let texts: [String: MemberText]
    private var members: [JSONMember] = []
    private var optionalNames: Set<String> = []
    /// Of a value that is no object.
    fileprivate var plain: JSONForm?

    private init(texts: [String: MemberText]) {
        self.texts = texts
    }

    static func record<Value: Decodable>(_ type: Value.Type) throws -> (form: JSONForm, value: Value) {
        let known: (JSONForm, Any)? =
            switch type {
            case is String.Type: (.text, "")
            case is Bool.Type: (.flag, false)
            case is Int.Type: (.integer, 0)
            case is Int64.Type: (.integer, Int64(0))
            case is Timestamp.Type: (.moment, Timestamp(milliseconds: 0))
            case is JSONObject.Type: (.anyObject, JSONObject())
            case is JSONValue.Type: (.anything, JSONValue.null)
            case let type as any CaseIterable.Type: firstCase(of: type).map { (JSONForm.choice(type), $0) }
            default: nil
            }
        if let known, let value = known.1 as? Value { return (known.0, value) }
        let recorder = FormRecorder(texts: (type as? any DescribedObject.Type)?.texts ?? [:])
        let value = try type.init(from: recorder)
        return (recorder.plain ?? .object(recorder.members), value)
    }

    private static func firstCase<Choice: CaseIterable>(of type: Choice.Type) -> Any? {
        type.allCases.first
    }

    fileprivate func noteOptional(_ name: String) { optionalNames.insert(name) }

    fileprivate func note(_ name: String, _ form: JSONForm) {
        members.append(
            JSONMember(name: name, form: form, isOptional: optionalNames.contains(name), text: texts[name]))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members<Key>(recorder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements(recorder: self) }

    func singleValueContainer() -> any SingleValueDecodingContainer { Plain(recorder: self) }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let recorder: FormRecorder
        let codingPath: [any CodingKey] = []
        let allKeys: [Key] = []

        /// Only optional properties are looked for.
        func contains(_ key: Key) -> Bool {
            recorder.noteOptional(key.stringValue)
            return true
        }

        func decodeNil(forKey key: Key) -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let (form, value) = try FormRecorder.record(type)
            recorder.note(key.stringValue, form)
            return value
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw Unrecordable() }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw Unrecordable() }

        func superDecoder() throws -> any Decoder { throw Unrecordable() }

        func superDecoder(forKey key: Key) throws -> any Decoder { throw Unrecordable() }
    }

    /// A list of one element.
    private struct Elements: UnkeyedDecodingContainer {
        let recorder: FormRecorder
        let codingPath: [any CodingKey] = []
        let count: Int? = 1
        var currentIndex = 0
        var isAtEnd: Bool { currentIndex == 1 }

        mutating func decodeNil() -> Bool { false }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            currentIndex += 1
            let (form, value) = try FormRecorder.record(type)
            recorder.plain = .list(of: form)
            return value
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> { throw Unrecordable() }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unrecordable() }

        mutating func superDecoder() throws -> any Decoder { throw Unrecordable() }
    }

    private struct Plain: SingleValueDecodingContainer {
        let recorder: FormRecorder
        let codingPath: [any CodingKey] = []

        func decodeNil() -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            let (form, value) = try FormRecorder.record(type)
            recorder.plain = form
            return value
        }
    }

    /// A container that synthesized initializers do not ask for.
    private struct Unrecordable: Error {}
}

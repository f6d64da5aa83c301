import BrokerStore
import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

@Suite("declared operations")
struct OperationDeclarationTests {
    @Test func `each property of an operation is a declared argument with a text, and nothing else is`() throws {
        for operation in AdminOperations.all {
            let properties = try JSONForm(of: operation).members.map(\.name).sorted()
            let arguments = operation.declaration.arguments

            #expect(arguments.map(\.name).sorted() == properties, "\(operation.name)")
            #expect(arguments.allSatisfy { $0.text.hasSuffix(".") }, "\(operation.name)")
            #expect(Set(arguments.map(\.spelledName)).count == arguments.count, "\(operation.name)")
        }
    }

    @Test func `each member of an answer has a text, and each text a member`() throws {
        func check(_ form: JSONForm, _ place: String) {
            if case .object(let members) = form, members.isEmpty { Issue.record("\(place) has no members") }
            for member in form.members {
                #expect(member.text != nil, "\(place).\(member.name)")
                if member.text?.schema == nil { check(member.form, "\(place).\(member.name)") }
            }
        }
        for operation in AdminOperations.all {
            let form = try Self.answerForm(of: operation)
            #expect(form.members.isEmpty == (operation.declaration.answer != nil), "\(operation.name)")
            check(form, operation.name)
            let names = Set(form.members.map(\.name))
            #expect(Self.texts(of: operation).filter { !names.contains($0) } == [], "\(operation.name)")
        }
    }

    private static func answerForm<Operation: AdminOperation>(of operation: Operation.Type) throws -> JSONForm {
        try JSONForm(of: Operation.Answer.self)
    }

    private static func texts<Operation: AdminOperation>(of operation: Operation.Type) -> [String] {
        (Operation.Answer.self as? any DescribedObject.Type)?.texts.keys.sorted() ?? []
    }

    @Test func `an effect that depends on an argument names one`() {
        for operation in AdminOperations.all {
            guard case .irreversibleWith(let name) = operation.declaration.effect else { continue }
            #expect(operation.declaration.arguments.contains { $0.name == name }, "\(operation.name)")
        }
    }

    @Test func `the type of an object says which members may be absent, and what they are`() throws {
        struct Inner: DescribedObject {
            static let texts: [String: MemberText] = ["kind": "The kind.", "at": "The time."]
            let kind: MergedClaims
            let at: Int64
        }
        struct Outer: Codable {
            let name: String?
            let inner: [Inner]
        }

        let schema = try JSONForm(of: Outer.self).schema

        #expect(
            JSONValue.object(schema) == [
                "type": "object", "additionalProperties": false,
                "properties": [
                    "name": ["type": "string"],
                    "inner": [
                        "type": "array",
                        "items": [
                            "type": "object", "additionalProperties": false,
                            "properties": [
                                "kind": [
                                    "description": "The kind.", "type": "string", "enum": ["survivor", "absorbed"],
                                ],
                                "at": ["description": "The time.", "type": "integer"],
                            ],
                            "required": ["kind", "at"],
                        ],
                    ],
                ],
                "required": ["inner"],
            ])
    }

    /// The list of operations and scopes: each is called with all scopes but its own, and with its own alone.
    @Test func `each operation is called over HTTP with its scope and no other, and answers as it is described`()
        async throws
    {
        try await TestBroker.run { broker in
            _ = try await broker.signIn(broker.person("ada"))
            let caller = Caller(broker)
            let client = try await caller.call(
                "clients.add", ["type": "public", "name": "Notes", "redirectUris": ["https://notes.example/"]],
                [.admin])
            let webhook = try await caller.call("webhooks.add", ["url": "https://shop.example/events"], [.admin])
            let known: [String: JSONValue?] = [
                "user": "ada@example.com",
                "client": client.body["client"]?["clientId"], "webhook": webhook.body["webhook"]?["id"],
            ]
            let document = try BrokerServer(broker.core).openAPIDocument().json
            var done: [String] = []

            for operation in Self.readsFirst {
                var body = operation.exampleBody
                for (name, value) in known where body[name] != nil { body[name] = value }
                if let scope = operation.declaration.scope {
                    let others = Set(AdminScope.allCases).subtracting([scope, .admin])
                    let refused = try await caller.call(operation.name, .object(body), others)
                    #expect(refused.status == 403, "\(operation.name): \(refused.text)")
                }
                let scopes: Set<AdminScope> = operation.declaration.scope.map { [$0] } ?? []
                let answer = try await caller.call(operation.name, .object(body), scopes)
                #expect([200, 400].contains(answer.status), "\(operation.name): \(answer.text)")
                // The body was read: what is refused is the state of the broker.
                #expect(answer.message?.hasPrefix("Invalid JSON") != true, "\(operation.name): \(answer.text)")
                guard answer.status == 200 else { continue }
                done.append(operation.name)
                try Self.decode(answer.body, of: operation)
                let schema = document["paths"]?[operation.path]?["post"]?["responses"]?["200"]?["content"]?[
                    "application/json"]?["schema"]
                #expect(
                    Misfits(document).find(in: answer.body, schema ?? [:], operation.name) == [], "\(answer.text)")
            }
            #expect(done.count >= 40, "\(done)")
        }
    }

    private static var readsFirst: [any AdminOperation.Type] {
        AdminOperations.all.filter { $0.declaration.effect == .reads }
            + AdminOperations.all.filter { $0.declaration.effect != .reads }
    }

    private static func decode<Operation: AdminOperation>(_ answer: JSONValue, of operation: Operation.Type) throws {
        _ = try JSONValueDecoder(unknownNames: .refused).decode(Operation.Answer.self, from: answer)
    }
}

/// Calls operations with credentials of its own.
private struct Caller {
    private let broker: TestBroker

    init(_ broker: TestBroker) {
        self.broker = broker
    }

    func call(_ name: String, _ body: JSONValue, _ scopes: Set<AdminScope>) async throws -> Answer {
        let (_, token) = try await broker.core.sessions.adminCredentials.create(
            named: "Test", scopes: scopes.isEmpty ? [.readAudit] : scopes, lifetime: nil,
            origin: .init(.admin, actor: "test"))
        return try await broker.send(
            .POST, "/v1/broker/admin/\(name)",
            headers: ["Authorization": "Bearer \(token.text)", "Content-Type": "application/json"],
            body: Array(body.serialized().utf8))
    }
}

/// The places of a document that do not match its JSON Schema, of the part of it that the broker writes.
private struct Misfits {
    private let document: JSONObject

    init(_ document: JSONObject) {
        self.document = document
    }

    func find(in value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        if let reference = schema["$ref"]?.string {
            let path = reference.dropFirst(2).split(separator: "/")
            let target = path.reduce(JSONValue?.some(.object(document))) { $0?[String($1)] }
            return find(in: value, target ?? false, place)
        }
        if let names = schema["enum"]?.array, !names.contains(value) { return ["\(place) is none of \(names)"] }
        switch (schema["type"]?.string, value) {
        case ("object", .object(let object)):
            let properties = schema["properties"]?.object ?? [:]
            let missing = (schema["required"]?.array ?? []).compactMap(\.string).filter { object[$0] == nil }
            let unknown = schema["additionalProperties"] == false ? object.names.filter { properties[$0] == nil } : []
            return missing.map { "\(place) lacks \($0)" } + unknown.map { "\(place) has \($0)" }
                + object.flatMap { name, value in find(in: value, properties[name] ?? [:], "\(place).\(name)") }
        case ("array", .array(let elements)):
            return elements.flatMap { find(in: $0, schema["items"] ?? [:], "\(place)[]") }
        case ("string", .string), ("boolean", .bool), (nil, _): return []
        case ("integer", _) where value.integer != nil: return []
        case (let type, _): return ["\(place) is no \(type ?? "")"]
        }
    }
}

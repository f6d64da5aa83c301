import Foundation
import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

@Suite("the OpenAPI document")
struct OpenAPIDocumentTests {
    @Test func `everything that is served is described, and nothing else`() async throws {
        try await TestBroker.run { broker in
            let document = try BrokerServer(broker.core).openAPIDocument()

            #expect(document.undescribed == [])
            #expect(document.unserved == [])
            #expect(try await broker.get(OpenAPIDocument.path).body.object == document.json)
        }
    }

    @Test func `operations have identifiers of their own, and every reference leads somewhere`() async throws {
        try await TestBroker.run { broker in
            let json = try BrokerServer(broker.core).openAPIDocument().json
            let operations = (json["paths"]?.object ?? [:]).flatMap { path in
                (path.value.object ?? [:]).compactMap { $0.value["operationId"]?.string }
            }

            #expect(operations.count > 100 && Set(operations).count == operations.count)
            for reference in Self.references(in: .object(json)) {
                let path = reference.dropFirst(2).split(separator: "/")
                let target = path.reduce(JSONValue?.some(.object(json))) { $0?[String($1)] }
                #expect(target != nil, "\(reference)")
            }
        }
    }

    @Test func `a sign-up is described as it is answered, to apps and to administrators`() async throws {
        try await TestBroker.run { broker in
            let paths = try BrokerServer(broker.core).openAPIDocument().json["paths"]?.object ?? [:]
            let backend = try await TestBackend(broker)
            let signUps = paths.names.filter { $0.hasSuffix("accounts:signUp") || $0.hasSuffix("signupNewUser") }

            #expect(signUps.count == 4)
            for path in signUps {
                let operation = try #require(paths[path]?["post"])
                let schema = operation["responses"]?["200"]?["content"]?["application/json"]?["schema"]
                let shapes = try #require(schema?["anyOf"]?.array)
                let app = try await broker.post(path, ["returnSecureToken": true])
                let administrator = try await backend.send(.POST, path, ["email": .string("\(UUID())@example.com")])

                for answer in [app, administrator] {
                    let names = Set(answer.body.object?.names ?? [])
                    #expect(answer.status == 200, "\(answer.text)")
                    #expect(shapes.contains { Self.describes($0, names) }, "\(path) \(answer.text)")
                }
                let schemes = (operation["security"]?.array ?? []).compactMap { $0.object?.names.first }
                #expect(schemes == ["apiKey", "apiKeyHeader", "administrator"])
            }
        }
    }

    private static func describes(_ shape: JSONValue, _ names: Set<String>) -> Bool {
        let required = Set((shape["required"]?.array ?? []).compactMap(\.string))
        return required.isSubset(of: names) && names.isSubset(of: Set(shape["properties"]?.object?.names ?? []))
    }

    private static func references(in value: JSONValue) -> [String] {
        switch value {
        case .object(let object):
            object.flatMap { name, value in
                name == "$ref" ? [value.string].compactMap(\.self) : references(in: value)
            }
        case .array(let values): values.flatMap(references)
        default: []
        }
    }
}

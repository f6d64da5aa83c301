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

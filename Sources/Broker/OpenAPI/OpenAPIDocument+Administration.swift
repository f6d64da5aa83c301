import HTTPTypes
import ProviderKit

/// The administrative operations, as their registry has them.
extension OpenAPIDocument {
    static let administration = AdminOperations.all.map { operation in
        OpenAPIOperation(
            .post, operation.path, identifier(operation.name), operation.summary, answer: Schema.anyObject
        ).with { ($0.access, $0.body) = (.administrator(operation.scope ?? .admin), .json(Schema.anyObject)) }
    }

    /// `users.list` as `usersList`.
    private static func identifier(_ name: String) -> String {
        let words = name.split { $0 == "." || $0 == "-" }
        return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

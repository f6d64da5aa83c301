import ProviderKit

/// A parameter of a query, a form, a path or a header, declared once: its reader and the OpenAPI document take it from here.
struct DeclaredParameter: Sendable {
    let name: String
    /// What it is, for the document.
    let text: String
    /// Of its values, in JSON Schema.
    var schema: JSONObject = ["type": "string"]
    var example: String?
    /// Whether a request without it is refused.
    var isRequired = false

    init(_ name: String, _ text: String) {
        (self.name, self.text) = (name, text)
    }

    var required: DeclaredParameter { with { $0.isRequired = true } }

    func example(_ text: String) -> DeclaredParameter { with { $0.example = text } }

    func schema(_ schema: JSONObject) -> DeclaredParameter { with { $0.schema = schema } }

    /// With these values alone.
    func choices(_ values: [String]) -> DeclaredParameter {
        schema(["type": "string", "enum": .array(values.map(JSONValue.string))])
    }

    private func with(_ change: (inout DeclaredParameter) -> Void) -> DeclaredParameter {
        var copy = self
        change(&copy)
        return copy
    }
}

extension QueryParameters {
    /// The value of a declared parameter, unless it is absent or empty.
    subscript(parameter: DeclaredParameter) -> String? { self[parameter.name] }
}

import HTTPTypes
import ProviderKit

/// The description of one method of one path in the OpenAPI document (OpenAPI 3.1 §4.8.10).
struct OpenAPIOperation: Sendable {
    /// The credential of a request.
    enum Access: Sendable {
        case none, apiKey, client, accessToken, browser
        /// An OAuth client, or an administrator.
        case clientOrAdministrator(AdminScope)
        case administrator(AdminScope)
        /// An app with its API key, or an administrator.
        case apiKeyOrAdministrator(AdminScope)
    }

    /// The form in which errors are answered.
    enum Errors: Sendable {
        case identityToolkit, oauth, page
    }

    /// The body of a request.
    enum Body: Sendable {
        case json(JSONValue)
        case form(JSONValue)
        case jsonOrForm(JSONValue)
    }

    var method: HTTPRequest.Method
    /// As it is registered, without the prefixes of Google's hosts.
    let path: String
    /// In lower camel case; unique in the document, and the same in every release.
    let id: String
    let summary: String
    var access = Access.none
    var errors = Errors.identityToolkit
    var query: [DeclaredParameter] = []
    var headers: [DeclaredParameter] = []
    var body: Body?
    /// The body of a request that is accepted.
    var example: JSONValue?
    /// The media type and schema of success; nil for an answer without content.
    var answer: (type: String, schema: JSONValue)?
    var status = 200
    /// Statuses besides those of the access and of the errors.
    var furtherStatuses: [Int] = []

    /// An operation that answers JSON.
    init(_ method: HTTPRequest.Method, _ path: String, _ id: String, _ summary: String, answer: JSONValue) {
        self.init(method, path, id, summary)
        self.answer = ("application/json", answer)
    }

    /// An operation of the browser: it answers a page, or redirects.
    static func page(
        _ method: HTTPRequest.Method, _ path: String, _ id: String, _ summary: String
    ) -> OpenAPIOperation {
        var operation = OpenAPIOperation(method, path, id, summary)
        operation.answer = ("text/html", Schema.string)
        (operation.access, operation.errors) = (.browser, .page)
        operation.furtherStatuses = [303]
        return operation
    }

    private init(_ method: HTTPRequest.Method, _ path: String, _ id: String, _ summary: String) {
        (self.method, self.path, self.id, self.summary) = (method, path, id, summary)
    }

    func with(_ change: (inout OpenAPIOperation) -> Void) -> OpenAPIOperation {
        var copy = self
        change(&copy)
        return copy
    }

    /// The operation with a declared body.
    func taking<Root>(_ body: DeclaredBody<Root>) -> OpenAPIOperation {
        with { ($0.body, $0.example) = (.json(body.schema), body.example) }
    }

    /// The operation with a form. Its example has the parameters with these names, or else those that have one.
    func taking(form parameters: [DeclaredParameter], example names: [String]? = nil) -> OpenAPIOperation {
        with { operation in
            operation.body = .form(Schema.form(parameters))
            let shown = parameters.filter { names?.contains($0.name) ?? true }
            operation.example = .object(
                JSONObject(shown.compactMap { shown in shown.example.map { (shown.name, .string($0)) } }))
        }
    }
}

extension OpenAPIOperation {
    /// All statuses that an answer may have, in order.
    private var statuses: [Int] {
        var result: Set = [status, 503]
        result.formUnion(furtherStatuses)
        switch errors {
        case .identityToolkit, .page: result.insert(400)
        case .oauth: result.formUnion([400, 401, 429])
        }
        switch access {
        case .none, .browser: break
        case .apiKey, .administrator, .apiKeyOrAdministrator: result.formUnion([401, 403])
        case .accessToken: result.formUnion([401, 403])
        case .client: result.insert(401)
        case .clientOrAdministrator: result.formUnion([401, 403])
        }
        if errors == .page { result.formUnion([403, 429]) }
        if body != nil { result.insert(413) }
        return result.sorted()
    }

    /// The operation's object in the document.
    ///
    /// - Parameters:
    ///   - identifier: Unique in it.
    ///   - aliases: The other paths that it is served at.
    ///   - tag: Its group.
    /// - Returns: The object.
    func document(identifier: String, aliases: [String], tag: String) -> JSONValue {
        var object: JSONObject = [
            "operationId": .string(identifier), "summary": .string(summary), "tags": [.string(tag)],
        ]
        let parameters =
            pathParameters.map { Schema.parameter($0, in: "path") } + query.map { Schema.parameter($0, in: "query") }
            + headers.map { Schema.parameter($0, in: "header") }
        if !parameters.isEmpty { object["parameters"] = .array(parameters) }
        object["requestBody"] = body.map { document($0) }
        object["responses"] = .object(responses)
        object["security"] = security
        if !aliases.isEmpty { object[Self.aliases] = .array(aliases.map(JSONValue.string)) }
        object["x-codeSamples"] = [["lang": "Shell", "label": "curl", "source": .string(command)]]
        return .object(object)
    }

    /// The extension with the other paths of an operation.
    static let aliases = "x-aliases"

    /// The example as a command.
    private var command: String {
        var path = pathParameters.reduce(path) { path, parameter in
            path.replacing("{\(parameter.name)}", with: parameter.example ?? "")
        }
        var query = query.compactMap { parameter in parameter.example.map { (name: parameter.name, value: $0) } }
        var options = method == .get ? [] : method == .head ? ["--head"] : ["-X \(method.rawValue)"]
        switch access {
        case .none, .client, .clientOrAdministrator, .browser: break
        case .apiKey, .apiKeyOrAdministrator: query.append(("key", "API_KEY"))
        case .administrator: options.append("-H \"Authorization: Bearer $ADMIN_TOKEN\"")
        case .accessToken: options.append("-H \"Authorization: Bearer $ACCESS_TOKEN\"")
        }
        if !query.isEmpty { path += "?" + FormEncoding.encode(query) }
        switch body {
        case .json, .jsonOrForm:
            options.append("-H 'Content-Type: application/json'")
            options.append("-d '\((example ?? [:]).serialized())'")
        case .form:
            for (name, value) in example?.object ?? [:] {
                options.append("--data-urlencode '\(name)=\(value.string ?? "")'")
            }
        case nil: break
        }
        return (["curl"] + options + ["\"$BROKER\(path)\""]).joined(separator: " ")
    }

    private var responses: JSONObject {
        var result = JSONObject()
        for status in statuses { result[String(status)] = response(status) }
        return result
    }

    private func response(_ status: Int) -> JSONValue {
        switch status {
        case self.status:
            var response: JSONObject = ["description": .string(summary)]
            if let answer { response["content"] = [answer.type: ["schema": answer.schema]] }
            return .object(response)
        case 303: return ["$ref": "#/components/responses/Redirect"]
        default:
            let form =
                switch errors {
                case .identityToolkit: "Error"
                case .oauth: "OAuthError"
                case .page: "Page"
                }
            return ["$ref": .string("#/components/responses/\(status == 503 ? "Unavailable" : form)")]
        }
    }

    private var security: JSONValue? {
        switch access {
        case .none, .browser: []
        case .apiKey: [["apiKey": []], ["apiKeyHeader": []]]
        case .administrator(let scope): [["administrator": [.string(scope.rawValue)]]]
        case .apiKeyOrAdministrator(let scope):
            [["apiKey": []], ["apiKeyHeader": []], ["administrator": [.string(scope.rawValue)]]]
        case .client: [["client": []], [:]]
        case .clientOrAdministrator(let scope): [["client": []], [:], ["administrator": [.string(scope.rawValue)]]]
        case .accessToken: [["accessToken": []]]
        }
    }

    private func document(_ body: Body) -> JSONValue {
        let media: [(String, JSONValue)] =
            switch body {
            case .json(let schema): [("application/json", schema)]
            case .form(let schema): [("application/x-www-form-urlencoded", schema)]
            case .jsonOrForm(let schema): [("application/json", schema), ("application/x-www-form-urlencoded", schema)]
            }
        let content = JSONObject(
            media.map { type, schema in
                var object: JSONObject = ["schema": schema]
                object["example"] = example
                return (type, .object(object))
            })
        return ["required": true, "content": .object(content)]
    }

    private var pathParameters: [DeclaredParameter] {
        path.split(separator: "{").dropFirst().map { part in
            let name = String(part.prefix { $0 != "}" })
            let declared = PathParameter.all.first { $0.name == name } ?? DeclaredParameter(name, "")
            return declared.schema(["type": "string", "minLength": 1]).required
        }
    }
}

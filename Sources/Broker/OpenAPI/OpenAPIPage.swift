import ProviderKit

/// The markup of `/docs`: the OpenAPI document for readers, without a script.
struct OpenAPIPage {
    static let path = "/docs"

    private let document: JSONObject
    private var html = ""

    /// - Parameter document: The OpenAPI document.
    /// - Returns: The content of the page.
    static func html(of document: JSONObject) -> String {
        var page = OpenAPIPage(document: document)
        page.write()
        return page.html
    }

    private init(document: JSONObject) {
        self.document = document
    }

    private typealias Operation = (method: String, path: String, object: JSONObject)

    private mutating func write() {
        element("h1", "\(document["info"]?["title"]?.string ?? "") API")
        html += "<p class=\"soft\">\(marked(document["info"]?["description"]?.string ?? ""))</p>"
        html += "<p><a href=\"\(OpenAPIDocument.path)\">\(OpenAPIDocument.path)</a></p>"
        let groups = Dictionary(grouping: operations) { $0.object["tags"]?.array?.first?.string ?? "" }
        for (tag, operations) in groups.sorted(by: { $0.key < $1.key }) {
            html += "<section class=\"panel\">"
            element("h2", tag)
            for operation in operations { write(operation) }
            html += "</section>"
        }
        html += "<section class=\"panel\">"
        element("h2", "Schemas")
        for (name, schema) in document["components"]?["schemas"]?.object ?? [:] {
            html += "<details id=\"schema-\(escaped(name))\"><summary><code>\(escaped(name))</code></summary>"
            facts(rows(of: schema))
            html += "</details>"
        }
        html += "</section>"
    }

    /// Those of the document, but for HEAD, which is GET without the content.
    private var operations: [Operation] {
        (document["paths"]?.object ?? [:]).flatMap { path, item in
            (item.object ?? [:]).compactMap { method, operation -> Operation? in
                guard method != "head", let object = operation.object else { return nil }
                return (method.uppercased(), path, object)
            }
        }
    }

    private mutating func write(_ operation: Operation) {
        let (method, path, object) = operation
        html += "<details id=\"\(escaped(object["operationId"]?.string ?? ""))\"><summary>"
        html += "<span><code>\(escaped(method)) \(escaped(path))</code><br />"
        html += "\(escaped(object["summary"]?.string ?? ""))</span></summary>"
        var fields: [Row] = [("Credential", credential(of: object))]
        let aliases = (object[OpenAPIOperation.aliases]?.array ?? []).compactMap(\.string)
        if !aliases.isEmpty { fields.append(("Other paths", aliases.map(code).joined(separator: "<br />"))) }
        facts(fields)
        section("Parameters", (object["parameters"]?.array ?? []).map(row(ofParameter:)))
        for (type, media) in object["requestBody"]?["content"]?.object ?? [:] {
            section("Body, \(type)", media["schema"].map { rows(of: $0) } ?? [])
        }
        section("Answers", (object["responses"]?.object ?? [:]).flatMap { rows(ofStatus: $0, $1) })
        let sample = object["x-codeSamples"]?.array?.first?["source"]?.string ?? ""
        html += "<pre><code>\(escaped(sample))</code></pre></details>"
    }

    private func credential(of operation: JSONObject) -> String {
        let names = (operation["security"]?.array ?? []).flatMap { scheme in
            (scheme.object ?? [:]).map { name, scopes in
                let scopes = (scopes.array ?? []).compactMap(\.string).map(code).joined(separator: ", ")
                let text = document["components"]?["securitySchemes"]?[name]?["description"]?.string ?? name
                return marked(text) + (scopes.isEmpty ? "" : " \(scopes)")
            }
        }
        return names.isEmpty ? "None." : names.joined(separator: "<br />")
    }

    private typealias Row = (label: String, markup: String)

    private func row(ofParameter parameter: JSONValue) -> Row {
        let isRequired = parameter["required"]?.bool == true
        let place = parameter["in"]?.string ?? ""
        return (
            "\(code(parameter["name"]?.string ?? "")) \(escaped(place))\(isRequired ? ", required" : "")",
            marked(parameter["description"]?.string ?? "")
        )
    }

    private func rows(ofStatus status: String, _ response: JSONValue) -> [Row] {
        if let name = response["$ref"]?.string?.split(separator: "/").last {
            let text = document["components"]?["responses"]?[String(name)]?["description"]?.string ?? ""
            return [(code(status), escaped(text))]
        }
        let schema = response["content"]?.object?.first?.value["schema"]
        return [(code(status), escaped(response["description"]?.string ?? "") + (schema.map(named) ?? ""))]
            + (schema.map { rows(of: $0) } ?? [])
    }

    /// A link to the schema that another one refers to.
    private func named(_ schema: JSONValue) -> String {
        guard let name = schema["$ref"]?.string?.split(separator: "/").last else { return "" }
        return " <a href=\"#schema-\(escaped(String(name)))\">\(escaped(String(name)))</a>"
    }

    /// The members of a schema and of the objects in it.
    private func rows(of schema: JSONValue, below prefix: String = "") -> [Row] {
        let alternatives = (schema["anyOf"]?.array ?? []).flatMap { rows(of: $0, below: prefix) }
        let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
        return alternatives
            + (schema["properties"]?.object ?? [:]).flatMap { name, member -> [Row] in
                let items = member["items"]
                let kind = (items ?? member)["type"]?.string
                let type = [items == nil ? kind : "list", required.contains(name) ? "required" : nil].compactMap(\.self)
                let label = code(prefix + name) + (type.isEmpty ? "" : " " + type.joined(separator: ", "))
                let text = marked(member["description"]?.string ?? "") + named(items ?? member)
                return [(label, text)] + rows(of: items ?? member, below: prefix + name + ".")
            }
    }

    private mutating func section(_ heading: String, _ rows: [Row]) {
        guard !rows.isEmpty else { return }
        element("h3", heading)
        facts(rows)
    }

    private mutating func facts(_ rows: [Row]) {
        guard !rows.isEmpty else { return }
        html += "<dl class=\"facts\">"
        for row in rows { html += "<div><dt>\(row.label)</dt><dd>\(row.markup)</dd></div>" }
        html += "</dl>"
    }

    private mutating func element(_ name: String, _ text: String) {
        html += "<\(name)>\(escaped(text))</\(name)>"
    }

    private func code(_ text: String) -> String { "<code>\(escaped(text))</code>" }

    private func escaped(_ text: String) -> String { text.escapedForMarkup }

    /// The text with what stands between backticks as code.
    private func marked(_ text: String) -> String {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
            index.isMultiple(of: 2) ? escaped(String(part)) : code(String(part))
        }.joined()
    }
}

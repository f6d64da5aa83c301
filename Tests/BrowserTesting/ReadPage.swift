import Foundation

/// What a browser without scripts can do on a page: its links and forms, read from HTML as the broker and the simulators
/// write it.
package struct ReadPage: Sendable {
    private let html: String

    package init(_ html: String) {
        self.html = html
    }

    package struct Link: Sendable {
        package let address: String
        package let text: String
    }

    package struct Form: Sendable {
        package let isGet: Bool
        package let action: String
        /// The fields of an untouched form: hidden fields, what is typed or selected, and the first button.
        package let fields: [(name: String, value: String)]
        /// Everything that may be chosen, with the words around it.
        package let choices: [(name: String, value: String, text: String)]
    }

    package var links: [Link] {
        html.matches(of: /<a\s[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/).map { match in
            Link(
                address: Self.unescaped(match.output.1),
                text: Self.unescaped(Substring(match.output.2.replacing(/<[^>]*>/, with: " "))))
        }
    }

    package var forms: [Form] {
        html.matches(of: /<form\s([^>]*)>([\s\S]*?)<\/form>/).map { match in
            let attributes = String(match.output.1)
            let body = String(match.output.2)
            return Form(
                isGet: Self.attribute("method", attributes)?.lowercased() == "get",
                action: Self.attribute("action", attributes) ?? "", fields: Self.fields(body),
                choices: Self.choices(body))
        }
    }

    /// The form a script would send at once, as Apple's page does.
    package var selfPosting: Form? { html.contains("document.forms[0].submit()") ? forms.first : nil }

    private static func fields(_ body: String) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for match in body.matches(of: /<input\s([^>]*)>/) {
            let attributes = String(match.output.1)
            let type = attribute("type", attributes) ?? "text"
            guard let name = attribute("name", attributes) else { continue }
            let isChosen = !["radio", "checkbox"].contains(type) || attributes.contains("checked")
            if isChosen { fields.append((name, attribute("value", attributes) ?? "on")) }
        }
        for match in body.matches(of: /<textarea\s([^>]*)>\n?([\s\S]*?)<\/textarea>/) {
            guard let name = attribute("name", String(match.output.1)) else { continue }
            fields.append((name, unescaped(match.output.2)))
        }
        for match in body.matches(of: /<select\s([^>]*)>([\s\S]*?)<\/select>/) {
            let options = match.output.2.matches(of: /<option\s?([^>]*)>([^<]*)/)
            guard let name = attribute("name", String(match.output.1)),
                let option = options.first(where: { $0.output.1.contains("selected") }) ?? options.first
            else { continue }
            fields.append((name, attribute("value", String(option.output.1)) ?? unescaped(option.output.2)))
        }
        if let button = body.firstMatch(of: /<button\s?([^>]*)>/), let name = attribute("name", String(button.output.1))
        {
            fields.append((name, attribute("value", String(button.output.1)) ?? ""))
        }
        return fields
    }

    private static func choices(_ body: String) -> [(name: String, value: String, text: String)] {
        body.components(separatedBy: "<label").compactMap { row in
            guard let match = row.firstMatch(of: /<input\s([^>]*type="radio"[^>]*)>/),
                let name = attribute("name", String(match.output.1)),
                let value = attribute("value", String(match.output.1))
            else { return nil }
            return (name, value, unescaped(Substring(row)))
        }
    }

    private static func attribute(_ name: String, _ text: String) -> String? {
        guard let pattern = try? Regex("(?:^|\\s)\(name)=\"([^\"]*)\""), let match = text.firstMatch(of: pattern),
            let value = match.output[1].substring
        else { return nil }
        return unescaped(value)
    }

    private static func unescaped(_ text: Substring) -> String {
        [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")].reduce(String(text)) {
            $0.replacingOccurrences(of: $1.0, with: $1.1)
        }
    }
}

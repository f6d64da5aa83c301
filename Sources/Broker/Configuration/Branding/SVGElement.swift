/// An element of an SVG, as it was read or as it is written anew.
struct SVGElement {
    /// With its prefix, as it stands in the file.
    let name: String
    /// In the order of the file; no two have one name.
    var attributes: [(name: String, value: String)]
    var children: [SVGElement] = []
    /// Its text, without that of its children.
    var text = ""
    /// The line of its start tag.
    let line: Int

    /// The value of an attribute.
    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// The element as markup.
    func write(to result: inout String.UnicodeScalarView) {
        result += "<\(name)".unicodeScalars
        for (name, value) in attributes {
            result += " \(name)=\"".unicodeScalars
            Self.escape(value, to: &result)
            result.append("\"")
        }
        guard !children.isEmpty || !text.isEmpty else {
            result += "/>".unicodeScalars
            return
        }
        result.append(">")
        Self.escape(text, to: &result)
        for child in children { child.write(to: &result) }
        result += "</\(name)>".unicodeScalars
    }

    /// Scalars decide: to a comparison of characters, a quotation mark before a combining mark is none.
    private static func escape(_ text: String, to result: inout String.UnicodeScalarView) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;".unicodeScalars
            case "<": result += "&lt;".unicodeScalars
            case ">": result += "&gt;".unicodeScalars
            case "\"": result += "&quot;".unicodeScalars
            default: result.append(scalar)
            }
        }
    }
}

/// Writes an SVG anew with the elements, attributes and values of one list, which can only draw. What is not on it is
/// refused, except for what drawing programs add for themselves: that is left out.
enum SVGSanitizer {
    /// Sanitizes a file. What comes out is sanitized to itself.
    ///
    /// - Parameter file: All of it.
    /// - Returns: A file that draws the same and can do nothing else.
    /// - Throws: ``BrandImage/Refusal``, which names the line.
    static func sanitized(_ file: [UInt8]) throws(BrandImage.Refusal) -> [UInt8] {
        let source = try SVGParser.root(of: file)
        guard source.name == "svg", source["xmlns"] == namespace else {
            throw .init(#"its root is not <svg xmlns="\#(namespace)">"#)
        }
        var root = try rewritten(source, [:], isRoot: true)
        try addViewBox(to: &root)
        try SVGReferences.check(&root)
        root.attributes.insert(("xmlns", namespace), at: 0)
        var result = String.UnicodeScalarView()
        root.write(to: &result)
        return Array(String(result).utf8)
    }

    private static let namespace = "http://www.w3.org/2000/svg"
    private static let xhtmlNamespace = "http://www.w3.org/1999/xhtml"

    /// An element as it is written. `prefixes` are the namespaces by their prefixes around it.
    private static func rewritten(
        _ source: SVGElement, _ prefixes: [String: String], isRoot: Bool = false
    ) throws(BrandImage.Refusal) -> SVGElement {
        guard let own = SVGAllowList.elements[source.name], isRoot || source.name != "svg" else {
            throw refusal(of: source)
        }
        let prefixes = try declared(in: source, prefixes)
        var element = SVGElement(name: source.name, attributes: [], line: source.line)
        element.attributes = try attributes(of: source, own, prefixes)
        for child in source.children {
            if try isLeftOut(child, prefixes) { continue }
            element.children.append(try rewritten(child, prefixes))
        }
        guard source.text.utf8.contains(where: { $0 != 0x20 }) else { return element }
        guard SVGAllowList.withText.contains(source.name), element.children.isEmpty else {
            throw .init("it has text outside of <text> and <tspan> (line \(source.line))")
        }
        element.text = source.text
        return element
    }

    /// Whether an element says nothing about the picture: the data of a drawing program, or a description.
    private static func isLeftOut(
        _ element: SVGElement, _ prefixes: [String: String]
    ) throws(BrandImage.Refusal) -> Bool {
        if ["title", "desc", "metadata"].contains(element.name) {
            try refuseActive(in: element)
            return true
        }
        guard let prefix = prefix(of: element.name) else { return false }
        let namespaces = try declared(in: element, prefixes)
        guard let bound = namespaces[prefix], ![namespace, xhtmlNamespace].contains(bound) else {
            throw refusal(of: element)
        }
        try refuseActive(in: element)
        return true
    }

    /// Refuses scripts and the like in what is left out. They could do nothing there, and no logo has them.
    private static func refuseActive(in element: SVGElement) throws(BrandImage.Refusal) {
        let local = element.name.split(separator: ":").last.map(String.init) ?? ""
        guard SVGAllowList.refused[local] == nil else { throw refusal(of: element) }
        for (name, _) in element.attributes where name.lowercased().hasPrefix("on") {
            throw refusal(ofAttribute: name, in: element)
        }
        for child in element.children { try refuseActive(in: child) }
    }

    private static func prefix(of name: String) -> String? {
        let parts = name.split(separator: ":")
        return parts.count == 2 ? String(parts[0]) : nil
    }

    /// The namespaces by their prefixes, with those that an element declares. SVG itself has none.
    private static func declared(
        in element: SVGElement, _ prefixes: [String: String]
    ) throws(BrandImage.Refusal) -> [String: String] {
        var prefixes = prefixes
        for (name, value) in element.attributes {
            if name == "xmlns", value != namespace, prefix(of: element.name) == nil {
                throw .init("it has an element of another namespace (line \(element.line))")
            }
            if name.hasPrefix("xmlns:") { prefixes[String(name.dropFirst("xmlns:".utf8.count))] = value }
        }
        return prefixes
    }

    private static func refusal(of element: SVGElement) -> BrandImage.Refusal {
        let local = element.name.split(separator: ":").last.map(String.init) ?? ""
        let reason = SVGAllowList.refused[local] ?? "it has <\(element.name)>, which no logo needs"
        return .init("\(reason) (line \(element.line))")
    }

    private static func attributes(
        of source: SVGElement, _ own: [String: SVGValue], _ prefixes: [String: String]
    ) throws(BrandImage.Refusal) -> [(name: String, value: String)] {
        var result: [(name: String, value: String)] = []
        func set(_ name: String, _ value: String) {
            if let index = result.firstIndex(where: { $0.name == name }) {
                result[index].value = value
            } else {
                result.append((name, value))
            }
        }
        for (name, value) in source.attributes where name != "style" {
            guard let (name, kind) = try allowed(name, value, own, in: source, prefixes) else { continue }
            // A name that cannot be referred to is not needed.
            if kind == .name, !kind.allows(value) { continue }
            guard let written = kind.written(value) else { throw refusal(ofAttribute: name, in: source) }
            set(name, written)
        }
        // A style goes before attributes (CSS Style Attributes; SVG 2 §6.6).
        for (name, value) in try declarations(of: source) {
            guard let kind = SVGAllowList.presentation[name] else { continue }
            guard let written = kind.written(value) else { throw refusal(ofAttribute: "style", in: source) }
            set(name, written)
        }
        return result
    }

    /// The name an attribute is written with and the values it may have; nil for one that is left out.
    private static func allowed(
        _ name: String, _ value: String, _ own: [String: SVGValue], in source: SVGElement,
        _ prefixes: [String: String]
    ) throws(BrandImage.Refusal) -> (name: String, kind: SVGValue)? {
        let isLink = name == "href" || (name == "xlink:href" && source["href"] == nil)
        if isLink, let kind = own["href"] { return ("href", kind) }
        if let kind = own[name] ?? SVGAllowList.presentation[name] { return (name, kind) }
        let isLeftOut =
            SVGAllowList.leftOut.contains(name) || (SVGAllowList.effects.contains(name) && value == "none")
            || name.hasPrefix("data-") || name.hasPrefix("aria-")
            || name.hasPrefix("xmlns:")
        if isLeftOut { return nil }
        // Attributes of a drawing program. Those of XLink and XML mean something to a browser.
        if let prefix = prefix(of: name), prefix != "xlink", prefix != "xml", let bound = prefixes[prefix],
            ![namespace, xhtmlNamespace, "http://www.w3.org/1999/xlink"].contains(bound)
        {
            return nil
        }
        throw refusal(ofAttribute: name, in: source)
    }

    /// The declarations of a style attribute. One that no list has must have no effect to be left out.
    private static func declarations(
        of source: SVGElement
    ) throws(BrandImage.Refusal) -> [(name: String, value: String)] {
        var result: [(name: String, value: String)] = []
        for declaration in (source["style"] ?? "").split(separator: ";") {
            let parts = declaration.split(separator: ":", maxSplits: 1).map {
                String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            if parts.allSatisfy(\.isEmpty) { continue }
            guard parts.count == 2, SVGValue.keyword.allows(parts[0]),
                SVGAllowList.presentation[parts[0]] != nil || hasNoEffect(parts[0], parts[1])
            else { throw refusal(ofAttribute: "style", in: source) }
            result.append((parts[0], parts[1]))
        }
        return result
    }

    /// Whether a property that no list has leaves the picture as it is.
    private static func hasNoEffect(_ property: String, _ value: String) -> Bool {
        ["none", "normal"].contains(value)
            || (!SVGAllowList.effects.contains(property) && SVGValue.font.allows(value))
    }

    private static func refusal(ofAttribute name: String, in element: SVGElement) -> BrandImage.Refusal {
        let line = "(line \(element.line))"
        if name.lowercased().hasPrefix("on") { return .init("it has a script in the attribute \(name) \(line)") }
        if name.hasSuffix("href") { return .init("it refers to something outside of itself \(line)") }
        return .init("its attribute \(name) of <\(element.name)> is not allowed, or has a value that is not \(line)")
    }

    /// A picture without a view box has no size of its own to be scaled by.
    private static func addViewBox(to root: inout SVGElement) throws(BrandImage.Refusal) {
        if let box = root["viewBox"] {
            let numbers = box.split { $0 == " " || $0 == "," }.compactMap { Double($0) }
            guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { throw .init("its viewBox is wrong") }
            return
        }
        let sides = ["width", "height"].compactMap { name -> Double? in
            root[name].flatMap { Double($0.hasSuffix("px") ? String($0.dropLast(2)) : $0) }
        }
        guard sides.count == 2, sides.allSatisfy({ $0 > 0 }) else { throw .init("it has no viewBox, and no size") }
        root.attributes.append(("viewBox", "0 0 \(sides[0]) \(sides[1])"))
    }
}

/// The references within an SVG: each leads to an element of the file, and together they draw a bounded number of
/// elements. A few that refer to each other could otherwise draw millions.
struct SVGReferences {
    private var targets: [String: SVGElement] = [:]
    /// How many elements are drawn for the element of each name; nil while they are counted.
    private var counts: [String: Int?] = [:]

    private static let maximumCount = 20_000

    /// Checks the references below `root`, and takes the names off that none leads to.
    ///
    /// - Parameter root: The root, as it is to be written.
    /// - Throws: ``BrandImage/Refusal``.
    static func check(_ root: inout SVGElement) throws(BrandImage.Refusal) {
        var references = SVGReferences()
        let used = Set(names(below: root))
        keep(used, in: &root)
        try references.register(root)
        guard try references.count(root) <= maximumCount else { throw .init("it draws too many elements") }
    }

    private static func names(below element: SVGElement) -> [String] {
        names(in: element) + element.children.flatMap(names(below:))
    }

    /// The names that an element's own attributes refer to.
    private static func names(in element: SVGElement) -> [String] {
        element.attributes.compactMap { name, value in
            if name == "href" { return String(value.dropFirst()) }
            return value.hasPrefix("url(#") ? String(value.dropFirst(5).dropLast()) : nil
        }
    }

    private static func keep(_ used: Set<String>, in element: inout SVGElement) {
        element.attributes.removeAll { $0.name == "id" && !used.contains($0.value) }
        for index in element.children.indices { keep(used, in: &element.children[index]) }
    }

    private mutating func register(_ element: SVGElement) throws(BrandImage.Refusal) {
        if let name = element["id"] {
            guard targets.updateValue(element, forKey: name) == nil else {
                throw .init("it has the id \(name) twice (line \(element.line))")
            }
        }
        for child in element.children { try register(child) }
    }

    /// The number of elements that are drawn for an element, at most one more than allowed.
    private mutating func count(_ element: SVGElement) throws(BrandImage.Refusal) -> Int {
        var sum = 1
        for name in Self.names(in: element) { sum += try count(of: name, in: element) }
        for child in element.children { sum += try count(child) }
        return min(sum, Self.maximumCount + 1)
    }

    private mutating func count(of name: String, in element: SVGElement) throws(BrandImage.Refusal) -> Int {
        if let known = counts[name] {
            guard let known else { throw .init("it refers to itself (line \(element.line))") }
            return known
        }
        guard let target = targets[name] else {
            throw .init("it refers to #\(name), which it does not have (line \(element.line))")
        }
        counts.updateValue(nil, forKey: name)
        let count = try count(target)
        counts.updateValue(count, forKey: name)
        return count
    }
}

import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A page's elements as a strict parser reads them. The pages are written so that they are XML too, which makes the
/// parser refuse what browsers would guess about.
final class PageMarkup: NSObject, XMLParserDelegate {
    struct Element {
        let name: String
        let attributes: [String: String]
        /// The names of the elements around it, the outermost first.
        let path: [String]
        /// The text in it and in what it contains.
        var text = ""
    }

    private(set) var elements: [Element] = []
    private var open: [Int] = []

    init(_ html: String) throws {
        super.init()
        let parser = XMLParser(data: Data(html.utf8))
        parser.delegate = self
        guard parser.parse() else { throw NotWellFormed(line: parser.lineNumber, html: html) }
    }

    struct NotWellFormed: Error, CustomStringConvertible {
        let line: Int
        let html: String

        var description: String {
            "line \(line): \(html.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(line - 1).first ?? "")"
        }
    }

    subscript(name: String) -> [Element] { elements.filter { $0.name == name } }

    func having(_ attribute: String) -> [Element] { elements.filter { $0.attributes[attribute] != nil } }

    /// Elements and attribute names in order, without anything that comes from data.
    var structure: [String] { elements.map { "\($0.path.count) \($0.name) \($0.attributes.keys.sorted())" } }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append(Element(name: name, attributes: attributes, path: open.map { elements[$0].name }))
        open.append(elements.count - 1)
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        for index in open { elements[index].text += text }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
    }
}

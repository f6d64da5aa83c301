import Foundation
import Testing

@testable import Broker

@Suite("mutated files as logos")
struct BrandImageFuzzTests {
    private static let rounds = 10_000

    private static let pictures = [
        """
        <?xml version="1.0"?><!-- c --><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
        viewBox="0 0 24 24" width="24" height="24"><title>t</title><defs><linearGradient id="a"><stop offset="0" \
        stop-color="#fff"/></linearGradient><clipPath id="c"><rect width="9" height="9"/></clipPath></defs>\
        <g clip-path="url(#c)" style="fill:red;stroke:url(#a)"><path d="M1 2h3z" fill="url(#a)" transform="scale(2)"/>\
        <use xlink:href="#c" x="1"/></g><text x="1" font-family="'A B'">a &amp; b &#x41;</text></svg>
        """,
        """
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://i.example/" width="9" height="9"><i:d><i:e/></i:d>\
        <mask id="m"><circle cx="1" cy="2" r="3"/></mask><polygon points="1,2 3,4" mask="url(#m)" class="k" i:z="1"/>\
        <metadata><x/></metadata></svg>
        """,
    ].map { Array($0.utf8) }

    /// What an attacker would put in.
    private static let fragments = [
        "<script>", "</script>", "<script/>", " onload=\"x()\"", " href=\"http://a.example\"", "xlink:href=\"//a\"",
        "url(http://a.example)", "url(#", "javascript:", "<foreignObject>", "<a href=\"#c\">", "<animate/>", "<style>",
        "<!DOCTYPE x [<!ENTITY e \"f\">]>", "&e;", "&#x0;", "&#60;", "&lt;script&gt;", "<![CDATA[", "]]>", "<?p?>",
        "--",
        "-->", "<!--", "\"", "'", ">", "<", "/>", "=", "\u{0}", "\u{301}", "\u{202E}", "\u{FEFF}", "xmlns=\"x\"",
        "xmlns:x=\"http://www.w3.org/2000/svg\"", "<x:script/>", "<image/>", "@import", "\\75rl(", "/*", "expression(",
        "<use href=\"#c\"/>", "<svg>", "data:text/html,", "&#106;", " style=\"fill:url(//a)\"",
    ].map { Array($0.utf8) }

    private static func mutated(_ source: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var file = source
        for _ in 0..<([1, 1, 1, 2, 3, 5].randomElement(using: &random) ?? 1) {
            let place = Int.random(in: 0...file.count, using: &random)
            let length = min(file.count - place, Int.random(in: 0...12, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where place < file.count: file[place] = .random(in: 0...255, using: &random)
            case 1 where place < file.count: file[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 2: file.removeSubrange(place..<place + length)
            case 3: file.insert(contentsOf: file[place..<place + length], at: Int.random(in: 0...place, using: &random))
            case 4: file.removeLast(min(file.count, length))
            default: file.insert(contentsOf: fragments.randomElement(using: &random) ?? [], at: place)
            }
        }
        return file
    }

    @Test(arguments: pictures)
    func `the pictures are accepted before they are mutated`(picture: [UInt8]) throws {
        #expect(throws: Never.self) { try BrandImage(checking: picture) }
    }

    @Test func `a mutated SVG is refused, or comes out as one that can only draw`() throws {
        var random = SeededGenerator(seed: 3244)
        var accepted = 0
        for round in 0..<Self.rounds {
            let file = Self.mutated(Self.pictures[round % Self.pictures.count], &random)
            guard let image = try? BrandImage(checking: file) else { continue }
            accepted += 1
            try Self.expectHarmless(image, of: file)
        }
        // A parser that refuses everything would pass as well.
        #expect((500..<Self.rounds).contains(accepted), "\(accepted)")
    }

    /// Reads an image with another parser, and compares it with a list that was written for this test alone.
    private static func expectHarmless(_ image: BrandImage, of file: [UInt8]) throws {
        let text = String(decoding: image.bytes, as: UTF8.self)
        let source = Comment(rawValue: String(decoding: file, as: UTF8.self))
        let markup = try PageMarkup(text)
        for element in markup.elements {
            #expect(drawing.contains(element.name), source)
            for (name, value) in element.attributes where name != "xmlns" {
                #expect(!name.lowercased().hasPrefix("on") && !name.contains(":") && name != "style", source)
                #expect(name != "href" || value.hasPrefix("#"), source)
                let references = value.replacing(/url\(#[A-Za-z0-9_.:\-]+\)/, with: "")
                let functions = references.replacing(
                    /(?:matrix|translate|scale|rotate|skewX|skewY|rgba?|hsla?)\([^()]*\)/, with: "")
                #expect(!functions.contains("(") && !functions.contains("\\") && !value.contains("//"), source)
            }
        }
        #expect(!text.contains("<!") && !text.contains("<?"), source)
        #expect(try BrandImage(checking: image.bytes) == image, source)
    }

    private static let drawing: Set = [
        "svg", "g", "defs", "symbol", "use", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
        "linearGradient", "radialGradient", "stop", "clipPath", "mask", "text", "tspan",
    ]

    @Test func `a mutated PNG is refused, or comes out with the chunks of a still picture`() throws {
        let palette = PNGSample.chunk("PLTE", [1, 2, 3, 4, 5, 6])
        let source = PNGSample.file([
            PNGSample.header(color: 3), PNGSample.chunk("tEXt", [65]), palette, PNGSample.chunk("tRNS", [1]),
            PNGSample.data, PNGSample.chunk("tIME", [1, 2, 3, 4, 5, 6, 7]), PNGSample.end,
        ])
        var random = SeededGenerator(seed: 3245)
        for _ in 0..<Self.rounds {
            let file = Self.mutated(source, &random)
            guard let image = try? BrandImage(checking: file) else { continue }
            #expect(image.format == .png && image.bytes.count <= source.count)
            #expect(try BrandImage(checking: image.bytes) == image)
            #expect(!String(decoding: image.bytes, as: Unicode.ASCII.self).contains("tEXt"))
        }
    }
}

import Testing

@testable import Broker

@Suite("SVG files as logos")
struct SVGSanitizerTests {
    private static let namespace = "http://www.w3.org/2000/svg"

    private static func file(_ content: String, _ attributes: String = "") -> String {
        #"<svg xmlns="\#(namespace)" viewBox="0 0 8 8"\#(attributes)>\#(content)</svg>"#
    }

    private static func sanitized(_ file: String) throws -> String {
        String(decoding: try BrandImage(checking: Array(file.utf8)).bytes, as: UTF8.self)
    }

    private static func reason(_ file: String) -> String? {
        do throws(BrandImage.Refusal) {
            _ = try BrandImage(checking: Array(file.utf8))
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `a picture keeps what it draws`() throws {
        let content = """
            <defs><linearGradient id="a" x1="0" x2="1" gradientTransform="rotate(45)"><stop offset="0" \
            stop-color="#fff"/><stop offset="1" stop-color="rgb(0, 10%, 20)"/></linearGradient></defs>\
            <g clip-path="none" opacity=".5"><path d="M0 0h8v8H0z" fill="url(#a)"/></g>\
            <text x="1" y="2" font-family="'Noto Sans', sans-serif">Ä &amp; B</text>
            """

        #expect(try Self.sanitized(Self.file(content)) == Self.file(content))
    }

    @Test func `what a drawing program adds for itself is left out`() throws {
        let source = """
            \u{FEFF}<?xml version="1.0" encoding="UTF-8" standalone="no"?>
            <!-- Made by a program -->
            <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
            <svg xmlns="\(Self.namespace)" xmlns:svg="\(Self.namespace)" xmlns:ink="http://ink.example/"
              xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" width="16px" height="8" ink:version="1"
              xml:space="preserve" id="Layer_1">
              <title>Logo of <b/></title><metadata><ink:data>x</ink:data></metadata>
              <ink:view ink:zoom="2"><ink:grid/></ink:view>
              <defs><path id="p" d="M0 0"/><path id="unused" d="M1 1"/></defs>
              <use xlink:href="#p" class="x" data-name="y" aria-hidden="true"
                style="fill:#123456; -ink-font:'x'; stroke-dasharray:none;stroke : url( '#p' )" fill="red"/>
            </svg>
            """
        let expected =
            #"<svg xmlns="\#(Self.namespace)" width="16px" height="8" viewBox="0 0 16.0 8.0">"#
            + ##"<defs><path id="p" d="M0 0"/><path d="M1 1"/></defs>"##
            + ##"<use href="#p" fill="#123456" stroke="url(#p)"/></svg>"##

        #expect(try Self.sanitized(source) == expected)
        #expect(try Self.sanitized(expected) == expected)
    }

    @Test(arguments: [
        ("<script>alert(1)</script>", "script"), ("<SCRIPT/>", "<SCRIPT>"), ("<g onload=\"x()\"/>", "script"),
        ("<g ONCLICK=\"x()\"/>", "script"), ("<foreignObject/>", "foreign content"),
        ("<a href=\"#b\"><path/></a>", "link"), ("<image href=\"data:image/png;base64,AA\"/>", "picture"),
        ("<g><animate attributeName=\"href\"/></g>", "animation"), ("<set attributeName=\"fill\"/>", "animation"),
        ("<style>@import 'x';</style>", "style sheet"), ("<filter/>", "filter"), ("<pattern/>", "pattern"),
        ("<svg/>", "<svg>"), ("<x:script xmlns:x=\"http://www.w3.org/2000/svg\"/>", "script"),
        ("<x:body xmlns:x=\"http://www.w3.org/1999/xhtml\"/>", "<x:body>"), ("<x:y/>", "<x:y>"),
        ("<x:y xmlns:x=\"http://a.example\"><script/></x:y>", "script"),
        ("<metadata><g onload=\"x\"/></metadata>", "script"), ("<title><script/></title>", "script"),
        ("<g xmlns=\"http://www.w3.org/1999/xhtml\"/>", "namespace"),
        ("<use href=\"http://a.example/#b\"/>", "outside"),
        ("<use xlink:href=\"//a.example\"/>", "outside"), ("<use href=\"javascript:x\"/>", "outside"),
        ("<path fill=\"url(http://a.example)\"/>", "fill"), ("<path fill=\"url(//a.example#b)\"/>", "fill"),
        ("<path fill=\"u\\72l(x)\"/>", "fill"), ("<path style=\"fill:url(http://a.example)\"/>", "style"),
        ("<path style=\"background:url(#a)\"/>", "style"), ("<path style=\"filter:url(#a)\"/>", "style"),
        ("<path style=\"fill:red;@import 'x'\"/>", "style"), ("<path style=\"fill:red/**/\"/>", "style"),
        ("<path clip-path=\"path('M0 0')\"/>", "clip-path"), ("<path fill=\"image-set('x')\"/>", "fill"),
        ("<path transform=\"translate(var(--x))\"/>", "transform"), ("<path fill=\"var(--x)\"/>", "fill"),
        ("<path d=\"M0 0 url(x)\"/>", "its attribute d"), ("<path fill=\"\u{212A}\"/>", "fill"),
        ("<path unknown=\"1\"/>", "unknown"), ("<path xml:base=\"http://a.example/\"/>", "xml:base"),
        ("<path x:y=\"1\"/>", "x:y"), ("<use href=\"#b\"/>", "#b"),
        ("<g id=\"b\"/><g id=\"b\"/><use href=\"#b\"/>", "twice"), ("<g id=\"b\"><use href=\"#b\"/></g>", "itself"),
        ("text", "text outside"), ("<text>a<tspan>b</tspan></text>", "text outside"),
        ("<g>&foo;</g>", "entity"), ("<g fill=\"&foo;\"/>", "entity"), ("<text>&#0;</text>", "entity"),
        ("<text>&#xD800;</text>", "entity"), ("<text>&#x110000;</text>", "entity"), ("<text>& </text>", "entity"),
        ("<text>&#;</text>", "entity"), ("<text>&#-1;</text>", "entity"),
        ("<![CDATA[x]]>", "CDATA"), ("<?xml-stylesheet href=\"x\"?>", "processing instruction"),
        ("<g fill=\"a\" fill=\"b\"/>", "twice"), ("<g fill=a/>", "well-formed"), ("<g fill/>", "well-formed"),
        ("<g fill=\"a\"stroke=\"b\"/>", "well-formed"), ("<g fill=\"<\"/>", "does not allow"), ("<g>", "not closed"),
        ("<g></h>", "not closed"), ("<1/>", "well-formed"), ("<a:b:c/>", "well-formed"),
        ("<text>\u{1}</text>", "not allow"),
        ("<!-- x", "not closed"), ("</svg><svg/>", "goes on"),
    ])
    func `what can do more than draw is refused with its reason`(content: String, reason: String) {
        let found = Self.reason(Self.file(content))

        #expect(found?.contains(reason) == true, "\(found ?? "accepted")")
    }

    @Test(arguments: [
        ("", "neither"), ("x", "neither"), ("\u{89}PNG", "neither"), ("<svg/>", "root"),
        ("<html xmlns=\"http://www.w3.org/1999/xhtml\"/>", "root"), ("<svg xmlns=\"http://a.example\"/>", "root"),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "no viewBox"),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 0 1\"/>", "viewBox"),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\" height=\"1\"/>", "no viewBox"),
        ("<!DOCTYPE svg [<!ENTITY a \"b\">]><svg xmlns=\"http://www.w3.org/2000/svg\"/>", "declarations"),
        ("<!DOCTYPE svg SYSTEM \"x\" %a;><svg/>", "declarations"), ("<!ENTITY a \"b\"><svg/>", "well-formed"),
    ])
    func `what is no picture is refused`(file: String, reason: String) {
        let found = Self.reason(file)

        #expect(found?.contains(reason) == true, "\(found ?? "accepted")")
    }

    @Test func `references that draw millions of elements are refused`() {
        let levels = (0..<9).map { level in
            let use = ##"<use href="#l\##(level + 1)"/>"##
            return ##"<g id="l\##(level)">\##(String(repeating: use, count: 10))</g>"##
        }
        let bomb = levels.joined() + #"<g id="l9"><path d="M0 0"/></g>"#
        let masks = ##"<mask id="a"><g mask="url(#b)"/></mask><mask id="b"><g mask="url(#a)"/></mask>"##

        #expect(Self.reason(Self.file(bomb))?.contains("too many") == true)
        #expect(Self.reason(Self.file(masks))?.contains("itself") == true)
        #expect(Self.reason(Self.file(String(repeating: "<g>", count: 65)))?.contains("nested") == true)
    }
}

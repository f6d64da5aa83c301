import Foundation
import ProviderKit
import Testing

@testable import Broker

@Suite("branding in broker.json")
struct BrandingTests {
    private static let logo = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>"#

    /// Loads a configuration with this brand. The folder has `logo.svg` and `bad.svg`.
    private static func load(_ branding: JSONValue) throws -> Configuration {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.write("logo.svg", logo)
        try folder.write("bad.svg", logo.replacing("<path", with: "<script/><path"))
        let file: JSONValue = [
            "publicURL": "http://127.0.0.1:9099", "project": ["id": "acme", "number": "1"],
            "apiKeys": [["key": "abcdefghij"]], "masterKey": ["file": "master.key"], "branding": branding,
        ]
        try folder.write("broker.json", file.serialized())
        return try Configuration.load(path: folder.path + "/broker.json", environment: [:])
    }

    @Test func `a brand is read with its files, which are looked for beside broker json`() throws {
        let configuration = try Self.load([
            "displayName": "Acme Cloud ☁︎ <b>", "logo": "logo.svg", "logoDark": "logo.svg", "favicon": "logo.svg",
            "accent": "#1f6f54", "accentDark": "#2c795e", "homeURL": "https://acme.example/#top",
            "termsURL": "http://127.0.0.1:8080/terms", "privacyURL": "https://acme.example/privacy?x=1",
            "supportURL": "mailto:support@acme.example",
        ])
        let brand = configuration.branding

        #expect(configuration.siteName == "Acme Cloud ☁︎ <b>")
        #expect(brand.logo?.bytes == Array(Self.logo.utf8) && brand.logo == brand.logoDark && brand.favicon != nil)
        #expect(brand.accent?.hex == "#1f6f54" && brand.accentDark?.hex == "#2c795e")
        #expect(brand.homeURL?.text == "https://acme.example/#top" && brand.termsURL != nil)
        #expect(brand.supportURL?.text == "mailto:support@acme.example" && brand.privacyURL != nil)
    }

    @Test func `without a brand the site has the name of the project`() throws {
        let configuration = try Self.load([:])

        #expect(configuration.siteName == "acme" && configuration.branding == Branding())
    }

    @Test(
        arguments: [
            (["accent": "#f5c400"], "/branding/accent: #f5c400 is not readable on white. The nearest that is: #ad8b0b"),
            (["accent": "green"], "/branding/accent: must be a colour in six hexadecimal digits."),
            (
                ["accent": "#1f6f54", "accentDark": "#000000"],
                "/branding/accentDark: #000000 is not readable on dark pages."
            ),
            (["accentDark": "#2c795e"], "/branding/accentDark: needs an accent"),
            (["logoDark": "logo.svg"], "/branding/logoDark: needs a logo"),
            (["logo": "bad.svg"], "cannot be shown: it has a script (line 1)."),
            (["logo": "absent.svg"], "no such file"),
            (["displayName": ""], "/branding/displayName"), (["displayName": "a\nb"], "/branding/displayName"),
            (["displayName": "a\u{202E}b"], "/branding/displayName"),
            (["homeURL": "http://acme.example/"], "/branding/homeURL: cannot be linked: it must be https"),
            (["homeURL": "javascript:alert(1)"], "/branding/homeURL"),
            (["homeURL": "mailto:a@acme.example"], "/branding/homeURL"),
            (["termsURL": "/terms"], "/branding/termsURL"), (["termsURL": "https://"], "/branding/termsURL"),
            (["privacyURL": "https://a@acme.example/"], "/branding/privacyURL"),
            (["privacyURL": "https://acme.example/a b"], "/branding/privacyURL"),
            (["supportURL": "mailto:a@acme.example?body=x"], "/branding/supportURL"),
            (["hme": "x"], "no name this file knows"),
        ] as [([String: String], String)])
    func `a brand that pages cannot show is refused with its place`(brand: [String: String], message: String) {
        let object = JSONObject(brand.map { ($0.key, JSONValue.string($0.value)) })

        let error = #expect(throws: ConfigurationError.self) { try Self.load(.object(object)) }

        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
}

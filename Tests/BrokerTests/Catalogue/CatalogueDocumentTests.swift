import Foundation
import ProviderKit
import Testing

@testable import Broker

@Suite("the documents of the catalogue")
struct CatalogueDocumentTests {
    private static let providers = ProviderCatalogue.embedded.providers

    @Test func `each provider has a name, an id and a display name of its own, and a stand-in`() throws {
        for values in [Self.providers.map(\.name), Self.providers.map(\.id), Self.providers.map(\.displayName)] {
            #expect(Set(values).count == values.count)
        }
        #expect(try ProviderQuirks.names() == Self.providers.map(\.name))
        #expect(Self.providers.allSatisfy { $0.name.wholeMatch(of: #/[a-z0-9]+(-[a-z0-9]+)*/#) != nil })
    }

    @Test(arguments: providers.map(\.name))
    func `becomes an entry with the client and the examples of its variables`(name: String) throws {
        let listed = try #require(ProviderCatalogue.embedded.provider(named: name))
        let standIn = try StandIn(try ProviderQuirks(of: name))

        let provider = try CatalogueSignInTests.provider(listed, at: standIn)

        #expect(provider.clientID == standIn.clientID)
        #expect(provider.instance.hasPrefix("https://"))
        #expect(standIn.quirks.variables ?? [:] == listed.examples, "the stand-in is that of the examples")
        let options = listed.entry()["options"]?.object ?? [:]
        #expect(options["clientId"] == nil && options["clientSecret"] == nil)
    }

    @Test(arguments: providers.map(\.name))
    func `uses each of its variables, whose patterns take the example and nothing around it`(name: String) throws {
        let listed = try #require(ProviderCatalogue.embedded.provider(named: name))
        let options = try #require(listed.entry()["options"]).serialized()

        for variable in listed.variables {
            #expect(options.contains("{\(variable.name)}"))
            #expect(variable.accepts(variable.example))
            let example = variable.example
            for wrong in ["", " ", "a b", "\(example)/", "\(example)@x", "x?\(example)", "{x}"] {
                #expect(!variable.accepts(wrong), "\(wrong)")
            }
        }
        let filled = try #require(listed.entry(listed.examples)["options"]).serialized()
        for variable in listed.variables { #expect(!filled.contains("{\(variable.name)}")) }
    }

    @Test(arguments: providers.map(\.name))
    func `has facts with page and day about all that a sign-in depends on`(name: String) throws {
        let listed = try #require(ProviderCatalogue.embedded.provider(named: name))

        #expect(Set(listed.facts.flatMap(\.about)) == Set(CatalogueProvider.Fact.Subject.allCases))
        for fact in listed.facts {
            #expect(fact.fact.hasSuffix(".") && Self.isPage(fact.page), "\(fact)")
            #expect(fact.read.wholeMatch(of: /20[0-9]{2}-[01][0-9]-[0-3][0-9]/) != nil, "\(fact)")
        }
        #expect(listed.registration.allSatisfy { $0.hasSuffix(".") } && !listed.registration.isEmpty)
        let links = listed.links
        #expect([links.documentation, links.console, links.brand].compactMap(\.self).allSatisfy(Self.isPage))
    }

    @Test(arguments: providers.map(\.name))
    func `has a button that can be read`(name: String) throws {
        let button = try #require(ProviderCatalogue.embedded.provider(named: name)).button
        let background = try #require(SRGBColor(hex: button.background))
        let foreground = try #require(SRGBColor(hex: button.foreground))

        let colors = ButtonColors(background: background, foreground: foreground)
        #expect(colors.isReadable, "\(foreground.contrast(to: background))")
        #expect((1...32).contains(button.text.count))
    }

    @Test func `a document with a name that no document has is refused with its place`() {
        let document = #"{"id": "oidc.a", "nam": "A"}"#
        let error = #expect(throws: ConfigurationError.self) { try ProviderCatalogue([document]) }
        #expect("\(String(describing: error))".contains("/nam"))
    }

    private static func isPage(_ text: String) -> Bool {
        text.wholeMatch(of: #/https://[^ "<>]+/#) != nil
    }
}

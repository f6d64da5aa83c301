import Broker
import ProviderKit
import Testing

/// A plugin that another package declares.
@Suite("a plugin of an author's own in the configuration")
struct ForeignPluginTests {
    private static let plugins = [ProviderPlugin(ForeignProvider.self), ProviderPlugin(UndeclaredProvider.self)]

    @Test func `its options join the schema of plugins.json`() throws {
        let schema = ConfigurationSchema.plugins.document(plugins: Self.plugins)

        let options = try #require(schema["$defs"]?["foreignOptions"])
        #expect(options["properties"]?["region"]?["enum"] == ["europe", "america"])
        #expect(options["properties"]?["region"]?["description"]?.string?.contains("region of the accounts") == true)
        #expect(options["required"] == ["clientId"] && options["additionalProperties"] == false)
        let uses = schema["$defs"]?["provider"]?["properties"]?["use"]?["enum"]
        #expect(uses == ["foreign", "undeclared"])
        #expect(schema["$defs"]?["undeclaredOptions"] == nil)
    }

    @Test(arguments: ["foreign.example", "github.com", "oauth2.acme", "google.com"])
    func `its entries may have the id of another kind`(id: String) throws {
        #expect(ProviderEntry.isID(id, of: "foreign"))
    }

    @Test(arguments: ["password", "anonymous", "Foreign", "a b", ""])
    func `what tokens call other ways to sign in is no id`(id: String) {
        #expect(!ProviderEntry.isID(id, of: "foreign"))
    }
}

private struct ForeignProvider: IdentityProvider {
    static let kind: ProviderKind = "foreign"

    struct Options: DeclaredOptions {
        var clientId = ""
        var region = Region.europe

        static let declaration = DeclaredObject<Options>(
            "A client.",
            [
                .key("clientId", \.clientId, "the client ID").required(),
                .key("region", \.region, "the region of the accounts").initially("europe"),
            ])
    }

    enum Region: String, CaseIterable, DeclaredValue {
        case europe, america
    }

    let instance = "https://foreign.example"
    let clientID: String
    let accepts: Set<Credential.Kind> = []

    init(_ options: Options, in context: ProviderContext) { clientID = options.clientId }

    func verify(_ credential: Credential) throws(ProviderError) -> ExternalIdentity {
        throw ProviderError(.credential, at: .redeem, "it takes none")
    }
}

private struct UndeclaredProvider: IdentityProvider {
    static let kind: ProviderKind = "undeclared"

    struct Options: Decodable {}

    let instance = "https://undeclared.example"
    let clientID = "c"
    let accepts: Set<Credential.Kind> = []

    init(_ options: Options, in context: ProviderContext) {}

    func verify(_ credential: Credential) throws(ProviderError) -> ExternalIdentity {
        throw ProviderError(.credential, at: .redeem, "it takes none")
    }
}

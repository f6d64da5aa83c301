import OAuth
import ProviderKit

extension ProviderEntry {
    /// An entry as a document has it, by its keys.
    struct Shape: DeclaredOptions {
        var id: String?
        var use = ""
        var displayName: String?
        var enabled = true
        var button: ButtonColors.Shape?
        var trustEmail: Bool?
        var autoMerge = false
        var allowInsecureLoopback = false
        var privateNetworks: [Network] = []
        var allowedScopes: [String] = []
        var allowedParameters: [String] = []
        var appRedirects: [Redirect] = []
        var options: JSONValue = [:]

        /// All keys of an entry. The schema and Docs/Providers.md have what stands here.
        static let declaration = DeclaredObject<Shape>(
            "One instance of one plugin.",
            [
                .key("use", \.use, "the plugin").required().example("github"),
                .key(
                    "id", \.id,
                    """
                    the `providerId` that apps send, unique. Entries of `oidc` and `oauth2` are `<kind>.<name>`, or have \
                    one of [the ids Firebase's SDKs name](Providers.md#the-ids-firebases-sdks-name); further \
                    instances of other kinds may have any id. It is part of every identity: after a change every \
                    sign-in creates a new user
                    """
                ).initially(inWords: "the plugin's own: `github.com`, `gitlab.com`, `apple.com`, `1pass.dev`")
                    .narrowed(by: [
                        "pattern": "^[a-z0-9._-]{1,64}$",
                        "not": ["enum": .array(ProviderEntry.reservedIDs.sorted().map(JSONValue.string))],
                    ]).example("oidc.acme"),
                .key(
                    "displayName", \.displayName,
                    """
                    what users call it on buttons and pages, at most 64 characters; where two have one name, the id \
                    stands beside it
                    """
                ).initially(
                    inWords: """
                        the plugin's own name, for further instances with `<name>`; for `oidc` and `oauth2` the \
                        `<name>`
                        """
                ).narrowed(by: [
                    "minLength": 1, "maxLength": 64,
                    "pattern":
                        #"^[^\s\u0000-\u001f\u007f-\u009f](.*[^\s\u0000-\u001f\u007f-\u009f])?$"#,
                ]),
                .key("button", \.button, "the colours of its button on pages, with a contrast of 4.5 between them")
                    .initially(inWords: "those of the pages, for `apple` and `github` the provider's")
                    .example(["background": "#5865f2", "foreground": "#ffffff"]),
                .key(
                    "enabled", \.enabled,
                    "whether users can sign in with it; of a disabled entry everything but `options` is checked"
                ).initially(true),
                .key("trustEmail", \.trustEmail, "whether its assertions about addresses are trusted")
                    .initially(inWords: "`true` for the four public services, else `false`"),
                .key(
                    "autoMerge", \.autoMerge,
                    """
                    whether the broker merges two users without an administrator when the provider asserts that they \
                    are the same account
                    """
                ).initially(false),
                .key(
                    "allowInsecureLoopback", \.allowInsecureLoopback,
                    "`http://` on this machine, and connections to this machine only: for simulators"
                ).initially(false),
                .key(
                    "privateNetworks", \.privateNetworks,
                    "private address ranges that its servers may be at, beside public addresses"
                ).initially([]).example([["range": "10.20.0.0/16", "ports": [443, 8443]]]),
                .key(
                    "allowedScopes", \.allowedScopes,
                    """
                    the scopes that applications may add to an authorization request, beside those of `options`, which \
                    are always allowed; compared without case
                    """
                ).initially([]).narrowed(by: ["items": ["type": "string", "pattern": #"^[!#-\[\]-~]{1,256}$"#]]),
                .key(
                    "allowedParameters", \.allowedParameters,
                    "the parameters that applications may add to it; compared without case"
                ).initially([]).narrowed(by: [
                    "items": [
                        "type": "string", "pattern": "^[!-~]{1,64}$", "not": .object(OAuth2Client.reservedNames),
                    ]
                ]),
                .key(
                    "appRedirects", \.appRedirects,
                    """
                    the redirect URIs at which \
                    [apps receive its answers themselves](Providers.md#apps-that-receive-the-answer-themselves), as \
                    they are registered there; each belongs to one entry, and to a native client of the broker
                    """
                ).initially([]).example([["redirectUri": "com.example.notes:/callback"]]),
                .key("options", \.options, "the plugin's own").narrowed(by: ["type": "object"]),
            ])
    }
}

extension ProviderEntry.Shape {
    typealias Place = ProviderEntry.Place

    /// An item of `privateNetworks`.
    struct Network: DeclaredOptions {
        var range = ""
        var ports: [Int] = []

        static let declaration = DeclaredObject<Network>(
            "Private addresses, with the ports that are connected to.",
            [
                .key("range", \.range, "a range in CIDR notation, or one address").required()
                    .narrowed(by: ["pattern": "^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$"]).example("10.20.0.0/16"),
                .key("ports", \.ports, "the ports").initially(.array(PrivateNetwork.defaultPorts.map { .integer($0) }))
                    .narrowed(by: [
                        "minItems": 1, "items": ["type": "integer", "minimum": 1, "maximum": 65_535],
                    ]),
            ])
    }

    /// An item of `appRedirects`.
    struct Redirect: DeclaredOptions {
        var redirectUri = ""
        var clientId: String?

        static let declaration = DeclaredObject<Redirect>(
            "A redirect URI of an app.",
            [
                .key("redirectUri", \.redirectUri, "the URI: a scheme of the app, or https").required()
                    .narrowed(by: ["pattern": ##"^[A-Za-z][A-Za-z0-9+.-]*:[!"$->@-~]+$"##, "maxLength": 2000])
                    .example("com.example.notes:/callback"),
                .key(
                    "clientId", \.clientId,
                    """
                    the client at the provider that it is registered for: one of `additionalClientIds` (`1pass`) or \
                    `audiences` (`oidc`)
                    """
                ).initially(inWords: "the entry's own").narrowed(by: ["minLength": 1]),
            ])
    }

    /// - Throws: ``ConfigurationError`` for a name that no button could show.
    func checkedDisplayName(at place: Place) throws(ConfigurationError) -> String? {
        guard let displayName else { return nil }
        let isPlain = displayName.unicodeScalars.allSatisfy(Self.isVisible)
        let hasEnds = displayName.first?.isWhitespace == false && displayName.last?.isWhitespace == false
        guard isPlain, hasEnds, displayName.unicodeScalars.count <= 64 else {
            throw place.error(
                at: "/displayName",
                "must be 1 to 64 characters without control characters and without space around them.")
        }
        return displayName
    }

    /// - Throws: ``ConfigurationError`` for what is no colour, and for text that many users could not read.
    func checkedButton(at place: Place) throws(ConfigurationError) -> ButtonColors? {
        guard let button else { return nil }
        func color(_ hex: String, _ name: String) throws(ConfigurationError) -> SRGBColor {
            guard let color = SRGBColor(hex: hex) else {
                throw place.error(
                    at: "/button/\(name)", "must be a colour in six hexadecimal digits.",
                    fix: ##"Write for example "#1f6f54"."##)
            }
            return color
        }
        let colors = ButtonColors(
            background: try color(button.background, "background"),
            foreground: try color(button.foreground, "foreground"))
        guard colors.isReadable else {
            throw place.error(
                at: "/button", "has text that is not readable on its colour.",
                fix: "Choose colours with a contrast of at least \(ButtonColors.contrast).")
        }
        return colors
    }

    /// - Throws: ``ConfigurationError`` for what is no address range or no port.
    func checkedNetworks(at place: Place) throws(ConfigurationError) -> [PrivateNetwork] {
        var networks: [PrivateNetwork] = []
        for (index, network) in privateNetworks.enumerated() {
            let pointer = "/privateNetworks/\(index)"
            guard let range = AddressRange(network.range) else {
                throw place.error(
                    at: pointer + "/range", "is no address range.", fix: "Write one such as 10.20.0.0/16.")
            }
            guard !network.ports.isEmpty, network.ports.allSatisfy({ (1...65_535).contains($0) }) else {
                throw place.error(at: pointer + "/ports", "must be numbers between 1 and 65535.")
            }
            networks.append(PrivateNetwork(range: range, ports: Set(network.ports)))
        }
        return networks
    }

    /// - Throws: ``ConfigurationError`` for what is no redirect URI of an app, and for one that is there twice.
    func checkedAppRedirects(at place: Place) throws(ConfigurationError) -> [AppRedirect] {
        var redirects: [AppRedirect] = []
        for (index, item) in appRedirects.enumerated() {
            let redirect = try AppRedirect(item.redirectUri, of: item.clientId, in: place, at: index)
            guard !redirects.contains(where: { $0.redirectURI.hasSameBytes(as: redirect.redirectURI) }) else {
                throw place.error(at: "/appRedirects/\(index)/redirectUri", "is there twice.")
            }
            redirects.append(redirect)
        }
        return redirects
    }

    /// - Throws: ``ConfigurationError`` for what is no scope (RFC 6749 §3.3) or no name of a parameter, and for a parameter
    ///   that carries the protocol.
    func allowance(at place: Place) throws(ConfigurationError) -> AuthorizationAllowance {
        for (index, scope) in allowedScopes.enumerated() {
            guard ScopeList.isScope(scope), scope.utf8.count <= 256 else {
                throw place.error(at: "/allowedScopes/\(index)", "is no scope (RFC 6749 §3.3).")
            }
        }
        for (index, name) in allowedParameters.enumerated() {
            let pointer = "/allowedParameters/\(index)"
            guard name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), (1...64).contains(name.utf8.count) else {
                throw place.error(at: pointer, "is no name of a parameter.")
            }
            guard !OAuth2Client.isReserved(name) else {
                throw place.error(at: pointer, "\(name) carries the protocol: the broker sets it.")
            }
        }
        return AuthorizationAllowance(scopes: allowedScopes, parameters: allowedParameters)
    }

    /// Directional characters would turn the text around it.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

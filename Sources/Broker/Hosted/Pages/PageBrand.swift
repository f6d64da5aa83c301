/// The operator's brand, as every page shows it.
struct PageBrand: Sendable {
    /// The name of the site, as its users know it.
    var name: String
    var logo: LogoView?
    /// Where the name leads; without it the name leads nowhere.
    var homeHref: String?
    var termsHref, privacyHref, supportHref: String?
    /// Stands in the browser's tab.
    var iconHref = DefaultIcon.path
    /// Rules after those of the style sheet: custom properties with the brand's own colours.
    var style = ""
}

/// An app, as pages show it.
struct AppView: Sendable {
    let name: String
    var logo: LogoView?
    /// Pages of its own.
    var termsHref, privacyHref: String?
}

/// The addresses of a picture of the broker's own.
struct LogoView: Sendable {
    let lightHref: String
    /// For dark surroundings; `nil` where the other one serves both.
    var darkHref: String?
}

/// The values of the `tile` template: a picture, an icon or a letter on a small square.
struct TileView: Sendable {
    /// `good`, `warn`, `bad`, `accent` or none.
    let tone: String
    let picture: LogoView?
    /// Markup of ours, for a tile without a picture.
    let sign: String

    init(_ icon: PageIcon, tone: String = "") {
        (self.tone, picture, sign) = (tone, nil, icon.svg)
    }

    /// A logo, or the first letter of the name.
    init(name: String, logo: LogoView?, tone: String = "") {
        (self.tone, picture) = (tone, logo)
        sign = (name.first.map { String($0).uppercased() } ?? "?").escapedForMarkup
    }

    static let done = TileView(.check, tone: "good")
    static let problem = TileView(.alert, tone: "warn")
    static let question = TileView(.question, tone: "accent")
}

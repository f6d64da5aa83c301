import BrokerStore

extension PageBrand {
    /// The brand of `broker.json`.
    init(_ configuration: Configuration) {
        let branding = configuration.branding
        self.init(name: configuration.siteName)
        logo = branding.logo.map { logo in
            LogoView(
                lightHref: BrandPath.image(logo.name), darkHref: branding.logoDark.map { BrandPath.image($0.name) })
        }
        homeHref = branding.homeURL?.text
        termsHref = branding.termsURL?.text
        privacyHref = branding.privacyURL?.text
        supportHref = branding.supportURL?.text
        if let favicon = branding.favicon { iconHref = BrandPath.image(favicon.name) }
        if let accent = branding.accent {
            let light = Accent(accent, on: .light)
            let dark = Accent(branding.accentDark ?? accent, on: .dark)
            style = ":root{\(light.properties)}@media (prefers-color-scheme:dark){:root{\(dark.properties)}}"
        }
    }
}

extension Accent {
    /// The colours as custom properties of the style sheet.
    fileprivate var properties: String {
        "--accent:\(fill.hex);--on-accent:\(onFill.hex);--accent-hover:\(hover.hex);--accent-text:\(text.hex);"
            + "--accent-tint:\(tint.hex)"
    }
}

extension AppView {
    /// A registered client, with the pictures and pages that it has registered.
    init(_ client: Client) {
        self.init(name: client.name, termsHref: client.termsURL, privacyHref: client.privacyURL)
        logo = client.logo.map { logo in
            LogoView(
                lightHref: BrandPath.logo(logo, ofClient: client.id),
                darkHref: client.logoDark.map { BrandPath.logo($0, ofClient: client.id) })
        }
    }
}

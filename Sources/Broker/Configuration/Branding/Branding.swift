import Foundation
import ProviderKit

/// What makes the hosted pages the operator's own: `branding` of `broker.json`.
package struct Branding: Sendable, Hashable {
    /// The site's name on its pages; nil for the project's id.
    package var displayName: String?
    package var logo: BrandImage?
    /// On dark pages; nil for ``logo``.
    package var logoDark: BrandImage?
    /// The picture in a browser's tab.
    package var favicon: BrandImage?
    /// The colour of main buttons and links; nil for the pages' own.
    package var accent: SRGBColor?
    /// On dark pages; nil for what follows from ``accent``.
    package var accentDark: SRGBColor?
    package var homeURL: PageURL?
    package var termsURL: PageURL?
    package var privacyURL: PageURL?
    package var supportURL: PageURL?

    package init() {}
}

extension Branding {
    /// The keys of `branding`.
    static let keys = DeclaredObject<Branding>([
        .text("displayName", "the site's name on the hosted pages: 1 to 100 characters on one line") {
            (branding, name, place) throws(ConfigurationError) in
            guard DisplayName.isOne(name) else { throw place.error("must have 1 to 100 characters on one line.") }
            branding.displayName = name
        }.initially(inWords: "`project.id`").example("Acme Cloud"),
        image(
            "logo",
            "the site's logo, an SVG or a PNG of at most 64 KiB and 1024 pixels a side, read at start "
                + "([rules](HostedPages.md#brand))", \.logo
        ).example("brand/logo.svg"),
        image("logoDark", "the logo on dark pages", \.logoDark).initially(inWords: "`logo`")
            .example("brand/logo-dark.svg"),
        image("favicon", "the picture in the browser's tab, as `logo`", \.favicon).example("brand/favicon.svg"),
        color(
            "accent",
            "the colour of main buttons and links, `#rrggbb`. One that is not readable on white is refused with the "
                + "nearest that is", .light, \.accent
        ).example("#1f6f54"),
        color("accentDark", "the same on dark pages", .dark, \.accentDark)
            .initially(inWords: "derived from `accent`").example("#2c795e"),
        url("homeURL", "the site's start page, where an error page leads without an app", \.homeURL)
            .example("https://acme.example/"),
        url("termsURL", "its terms, linked at the foot of each page", \.termsURL)
            .example("https://acme.example/terms"),
        url("privacyURL", "its privacy policy", \.privacyURL).example("https://acme.example/privacy"),
        url("supportURL", "its support, a page or a `mailto:` address", \.supportURL, allowsMail: true)
            .example("mailto:support@acme.example"),
    ]) { (branding, _, place) throws(ConfigurationError) in
        guard branding.logo != nil || branding.logoDark == nil else {
            throw place.below(["logoDark"]).error("needs a logo for light pages too.", fix: "Add logo.")
        }
        guard branding.accent != nil || branding.accentDark == nil else {
            throw place.below(["accentDark"]).error("needs an accent for light pages too.", fix: "Add accent.")
        }
    }

    private static func image(
        _ name: String, _ text: String, _ member: any WritableKeyPath<Branding, BrandImage?> & Sendable
    ) -> DeclaredKey<Branding> {
        .text(name, text) { (branding, path, place) throws(ConfigurationError) in
            let path = place.resolve(path)
            let file = try ReadableFile.bytes(of: path, ifMissing: "Name a file beside broker.json, or remove the key.")
            do throws(BrandImage.Refusal) {
                branding[keyPath: member] = try BrandImage(checking: Array(file))
            } catch {
                throw place.error("\(path) cannot be shown: \(error.reason).")
            }
        }
    }

    private static func color(
        _ name: String, _ text: String, _ grounds: PageGrounds,
        _ member: any WritableKeyPath<Branding, SRGBColor?> & Sendable
    ) -> DeclaredKey<Branding> {
        .text(name, text) { (branding, hex, place) throws(ConfigurationError) in
            guard let color = SRGBColor(hex: hex) else {
                throw place.error(
                    "must be a colour in six hexadecimal digits.", fix: ##"Write for example "#1f6f54"."##)
            }
            if let nearest = Accent.readable(insteadOf: color, on: grounds) {
                throw place.error(
                    "\(color.hex) is not readable on \(grounds.name).", fix: "The nearest that is: \(nearest.hex)")
            }
            branding[keyPath: member] = color
        }
    }

    private static func url(
        _ name: String, _ text: String, _ member: any WritableKeyPath<Branding, PageURL?> & Sendable,
        allowsMail: Bool = false
    ) -> DeclaredKey<Branding> {
        .text(name, text) { (branding, url, place) throws(ConfigurationError) in
            do throws(PageURL.Refusal) {
                branding[keyPath: member] = try PageURL(checking: url, allowsMail: allowsMail)
            } catch {
                throw place.error("cannot be linked: \(error.reason).")
            }
        }
    }
}

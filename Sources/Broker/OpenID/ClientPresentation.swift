package import BrokerStore
import Foundation

/// What the hosted pages show of a client: its logo, and the pages of its own that they link to.
package struct ClientPresentation: Sendable {
    /// A logo of a registration.
    enum Logo: Sendable {
        /// The client has it already.
        case stored(String)
        case new(BrandImage)

        /// The name of its content.
        var name: String {
            switch self {
            case .stored(let name): name
            case .new(let image): image.name
            }
        }
    }

    /// Changes as they were requested; nil leaves a member as it is, and an empty text removes it.
    package struct Changes: Sendable, Equatable {
        /// An SVG or a PNG in base64.
        package var logo, logoDark: String?
        package var homeURL, termsURL, privacyURL, supportURL: String?

        package init(
            logo: String? = nil, logoDark: String? = nil, homeURL: String? = nil, termsURL: String? = nil,
            privacyURL: String? = nil, supportURL: String? = nil
        ) {
            (self.logo, self.logoDark, self.homeURL) = (logo, logoDark, homeURL)
            (self.termsURL, self.privacyURL, self.supportURL) = (termsURL, privacyURL, supportURL)
        }
    }

    let logo, logoDark: Logo?
    let homeURL, termsURL, privacyURL, supportURL: PageURL?

    /// That of a client of which only the name is known.
    package init() {
        (logo, logoDark, homeURL, termsURL, privacyURL, supportURL) = (nil, nil, nil, nil, nil, nil)
    }

    /// - Parameters:
    ///   - changes: What was requested.
    ///   - client: The client before; nil for a new one.
    /// - Throws: ``AdminFailure``.
    package init(_ changes: Changes, of client: Client?) throws(AdminFailure) {
        logo = try Self.logo(changes.logo, client?.logo, "logo")
        logoDark = try Self.logo(changes.logoDark, client?.logoDark, "logoDark")
        homeURL = try Self.url(changes.homeURL, client?.homeURL, "homeUrl")
        termsURL = try Self.url(changes.termsURL, client?.termsURL, "termsUrl")
        privacyURL = try Self.url(changes.privacyURL, client?.privacyURL, "privacyUrl")
        supportURL = try Self.url(changes.supportURL, client?.supportURL, "supportUrl", allowsMail: true)
        guard logo != nil || logoDark == nil else {
            throw AdminFailure.invalidClient("logoDark needs a logo for light pages too.")
        }
    }

    private static func logo(
        _ change: String?, _ present: String?, _ name: String
    ) throws(AdminFailure) -> Logo? {
        guard let change else { return present.map(Logo.stored) }
        guard !change.isEmpty else { return nil }
        guard let file = Data(base64Encoded: change) else {
            throw AdminFailure.invalidClient("\(name) is not base64 (RFC 4648 §4).")
        }
        do throws(BrandImage.Refusal) {
            return .new(try BrandImage(checking: Array(file)))
        } catch {
            throw AdminFailure.invalidClient("\(name) cannot be shown: \(error.reason).")
        }
    }

    private static func url(
        _ change: String?, _ present: String?, _ name: String, allowsMail: Bool = false
    ) throws(AdminFailure) -> PageURL? {
        guard let text = change ?? present, !text.isEmpty else { return nil }
        do throws(PageURL.Refusal) {
            return try PageURL(checking: text, allowsMail: allowsMail)
        } catch {
            throw AdminFailure.invalidClient("\(name) cannot be linked: \(error.reason).")
        }
    }

    /// The logos that are to be stored with a client.
    func newLogos(of client: Client) -> [ClientLogo] {
        [logo, logoDark].compactMap { logo in
            guard case .new(let image) = logo else { return nil }
            return ClientLogo(clientKey: client.key, name: image.name, content: image.bytes)
        }
    }
}

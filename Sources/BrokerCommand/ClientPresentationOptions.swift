import ArgumentParser
import Broker
import Foundation

/// The options of what the hosted pages show of an app. The files are read here, so that they work with a remote broker.
struct ClientPresentationOptions: ParsableArguments {
    @Option(
        name: .long, help: "The app's logo on the sign-in pages: an SVG or PNG file; \"\" removes it.",
        completion: .file(extensions: ["svg", "png"]))
    var logo: String?

    @Option(
        name: .long, help: "Its logo on dark pages: an SVG or PNG file; \"\" removes it.",
        completion: .file(extensions: ["svg", "png"]))
    var logoDark: String?

    @Option(name: .customLong("home-url"), help: AddClient.help("homeUrl"))
    var homeURL: String?

    @Option(name: .customLong("terms-url"), help: AddClient.help("termsUrl"))
    var termsURL: String?

    @Option(name: .customLong("privacy-url"), help: AddClient.help("privacyUrl"))
    var privacyURL: String?

    @Option(name: .customLong("support-url"), help: AddClient.help("supportUrl"))
    var supportURL: String?

    /// Whether none is given.
    var isEmpty: Bool {
        [logo, logoDark, homeURL, termsURL, privacyURL, supportURL].allSatisfy { $0 == nil }
    }

    /// What is asked for.
    ///
    /// - Returns: The changes, with the content of the files.
    /// - Throws: ``CommandFailure`` for a file that cannot be read.
    func changes() throws(CommandFailure) -> ClientPresentation.Changes {
        ClientPresentation.Changes(
            logo: try Self.content(logo), logoDark: try Self.content(logoDark), homeURL: homeURL,
            termsURL: termsURL, privacyURL: privacyURL, supportURL: supportURL)
    }

    /// The content of a file in base64; an empty name stands for itself.
    private static func content(_ path: String?) throws(CommandFailure) -> String? {
        guard let path, !path.isEmpty else { return path }
        guard let file = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(
                code: "NO_FILE", "\(path) cannot be read", exitCode: .validationFailure)
        }
        // The broker says more about a file that is too large; all of it need not travel.
        return file.prefix(BrandImage.maximumSize + 1).base64EncodedString()
    }
}

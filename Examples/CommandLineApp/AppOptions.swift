import ArgumentParser
import BrokerClient
import Foundation

/// The options of every command.
struct AppOptions: ParsableArguments {
    @Option(help: "The broker's public URL. (default: the environment variable BROKER_URL)")
    var broker: String?

    @Option(name: .customLong("client-id"), help: "The client's id. (default: the environment variable CLIENT_ID)")
    var clientID: String?

    @Flag(name: .customLong("no-browser"), help: "Print the page's address and open no browser.")
    var noBrowser = false

    /// Makes the app's `BrokerAuth` and runs a command with it. Errors are printed with what to do about them.
    func run(_ command: (BrokerAuth) async throws(BrokerAuthError) -> Void) async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let issuer = (broker ?? environment["BROKER_URL"]).flatMap(URL.init(string:)) else {
            throw ValidationError("name the broker with --broker or BROKER_URL")
        }
        guard let clientID = clientID ?? environment["CLIENT_ID"] else {
            throw ValidationError("name the client with --client-id or CLIENT_ID")
        }
        // The client is registered with this redirect URI, which matches every port (RFC 8252 §7.3).
        let configuration = BrokerConfiguration(
            issuer: issuer, clientID: clientID, redirectURI: "http://127.0.0.1/callback")
        let auth = BrokerAuth(
            configuration, storage: FileSessionStorage(appName: "broker-command-line-app"),
            presenter: LoopbackPresenter(browser: noBrowser ? nil : LocalBrowser()))
        do throws(BrokerAuthError) {
            try await command(auth)
        } catch {
            Self.report(error)
            throw ExitCode.failure
        }
    }

    private static func report(_ error: BrokerAuthError) {
        FileHandle.standardError.write(Data("error: \(error.advice)\n".utf8))
    }
}

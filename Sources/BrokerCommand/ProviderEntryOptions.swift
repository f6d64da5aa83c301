import ArgumentParser
import Broker
import Foundation
import ProviderKit

/// The members of a provider entry that the command line sets.
struct ProviderEntryOptions: ParsableArguments {
    @Option(name: .long, help: "Our client id at the provider.")
    var clientId: String?

    @Option(name: .long, help: "The file with the client's secret, or - for standard input.")
    var secretFile: String?

    @Flag(name: .long, help: "Read the client's secret at the terminal, without showing it.")
    var promptSecret = false

    @Option(name: .long, help: "The issuer of an OpenID Connect provider.")
    var issuer: String?

    @Option(name: .long, help: "The base URL of an installation, such as https://gitlab.example.")
    var url: String?

    @Option(name: .customLong("scope"), help: "A scope of each sign-in, instead of the type's own; repeatable.")
    var scopes: [String] = []

    @Option(name: .customLong("option"), help: "A further option of the type: NAME=VALUE, JSON or text; repeatable.")
    var furtherOptions: [String] = []

    @Option(name: .long, help: "The name on buttons and pages.")
    var displayName: String?

    @Option(name: .long, help: "Whether its verification of e-mail addresses is trusted: true or false.")
    var trustEmail: Bool?

    @Option(name: .long, help: "Whether accounts it reports as the same are merged without asking: true or false.")
    var autoMerge: Bool?

    @Option(name: .customLong("allowed-scope"), help: "A scope that apps may add to a sign-in; repeatable.")
    var allowedScopes: [String] = []

    @Option(name: .customLong("private-network"), help: "An address range its servers may be at; repeatable.")
    var privateNetworks: [String] = []

    @Option(
        name: .customLong("app-redirect"),
        help: ArgumentHelp(
            "A redirect URI at which an app receives answers itself, and its client where that is another; repeatable.",
            valueName: "uri[ client-id]"))
    var appRedirects: [String] = []

    @Option(name: .customLong("set"), help: "A further member of the entry: NAME=VALUE, JSON or text; repeatable.")
    var furtherMembers: [String] = []

    @Flag(name: .long, help: "Allow http:// on this machine: for simulators.")
    var allowInsecureLoopback = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What becomes of users whose subjects change: new makes them new users, same says that nothing changes.",
            valueName: "new|same"))
    var subjects: SubjectDecision?

    func validate() throws {
        guard secretFile == nil || !promptSecret else {
            throw ValidationError("Pass either --secret-file or --prompt-secret.")
        }
    }

    /// The members that were named, as `plugins.json` would have them.
    ///
    /// - Parameter use: The type; nil for one that has `clientSecret`.
    /// - Returns: The members; empty when none was named.
    /// - Throws: ``CommandFailure``; `ExitCode` 130 after an interruption.
    func changes(use: String?) throws -> JSONObject {
        var entry = JSONObject()
        entry["displayName"] = displayName.map(JSONValue.string)
        entry["trustEmail"] = trustEmail.map(JSONValue.bool)
        entry["autoMerge"] = autoMerge.map(JSONValue.bool)
        if allowInsecureLoopback { entry["allowInsecureLoopback"] = true }
        if !allowedScopes.isEmpty { entry["allowedScopes"] = .array(allowedScopes.map(JSONValue.string)) }
        if !privateNetworks.isEmpty {
            entry["privateNetworks"] = .array(privateNetworks.map { ["range": .string($0)] })
        }
        if !appRedirects.isEmpty { entry["appRedirects"] = .array(appRedirects.map(Self.redirect)) }
        for text in furtherMembers {
            let (name, value) = try Self.member(text, "--set", of: ProviderEntry.keys)
            guard !["id", "use", "options"].contains(name) else {
                throw CommandFailure(
                    code: "INVALID_OPTION", "--set does not take \(name)", exitCode: .validationFailure)
            }
            entry[name] = value
        }
        let options = try options(use: use)
        if !options.isEmpty { entry["options"] = .object(options) }
        return entry
    }

    private func options(use: String?) throws -> JSONObject {
        var options = JSONObject()
        options[use == "apple" ? "servicesId" : "clientId"] = clientId.map(JSONValue.string)
        options["issuer"] = issuer.map(JSONValue.string)
        options["url"] = url.map(JSONValue.string)
        if !scopes.isEmpty { options["scopes"] = .array(scopes.map(JSONValue.string)) }
        let declared = BrokerProgram.plugins.first { $0.kind.rawValue == use }?.options
        for text in furtherOptions {
            let (name, value) = try Self.member(text, "--option", of: declared?.keys)
            options[name] = value
        }
        if let secret = try secret() { options[use == "apple" ? "privateKey" : "clientSecret"] = .string(secret) }
        return options
    }

    /// An item of `appRedirects`.
    private static func redirect(_ text: String) -> JSONValue {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        var redirect: JSONObject = ["redirectUri": .string(parts.first ?? "")]
        if parts.count > 1 { redirect["clientId"] = .string(parts[1]) }
        return .object(redirect)
    }

    /// The name and the value of NAME=VALUE.
    ///
    /// - Parameters:
    ///   - text: What the command line has.
    ///   - flag: The option that it stands behind.
    ///   - keys: The declared names; nil where they are not known.
    /// - Returns: JSON, or text: always that where the key takes nothing else, and a list of one where it takes a list.
    /// - Throws: ``CommandFailure`` for another form, and for a name that is not declared.
    private static func member(
        _ text: String, _ flag: String, of keys: [KeyDeclaration]?
    ) throws(CommandFailure) -> (name: String, value: JSONValue) {
        func refuse(_ problem: String) -> CommandFailure {
            CommandFailure(code: "INVALID_OPTION", "\(flag) \(problem)", exitCode: .validationFailure)
        }
        guard let split = text.firstIndex(of: "="), split != text.startIndex else {
            throw refuse("takes NAME=VALUE, not \(text)")
        }
        let (name, value) = (String(text[..<split]), String(text[text.index(after: split)...]))
        let key = keys?.first { $0.name.hasSameBytes(as: name) }
        if let keys, key == nil {
            let nearest = NearestName.nearest(to: name, among: keys.map(\.name))
            throw refuse("knows no \(name)\(nearest.map { ": did you mean \($0)?" } ?? "")")
        }
        if key?.schema["type"] == "string" { return (name, .string(value)) }
        if let json = try? JSONValue(parsing: Array(value.utf8)) { return (name, json) }
        return (name, key?.schema["type"] == "array" ? [.string(value)] : .string(value))
    }

    private func secret() throws -> String? {
        if promptSecret { return try SecretPrompt.ask("Client secret: ") }
        guard let secretFile else { return nil }
        guard let text = SecretInput.text(secretFile), !text.isEmpty else {
            throw CommandFailure(
                code: "SECRET_UNREADABLE",
                "\(secretFile == "-" ? "standard input" : secretFile) has no secret that can be read",
                exitCode: .validationFailure)
        }
        return text
    }
}

extension SubjectDecision: ExpressibleByArgument {}

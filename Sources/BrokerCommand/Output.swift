import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

/// The output format of a command: text, or one JSON document.
struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print one JSON document instead of text.")
    var json = false

    func callAsFunction(_ document: JSONValue, text: @autoclosure () -> TerminalText) {
        (json ? TerminalText(json: document) : text()).show()
    }

    /// Runs a command's work and reports its error on standard error, with the matching exit code.
    func reporting(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let error as ExitCode {
            throw error
        } catch {
            let failure = CommandFailure(error)
            if json { TerminalText(json: .object(["error": .object(failure.document)])).show() }
            TerminalText("broker: \(failure.message)").warn()
            throw failure.exitCode
        }
    }
}

/// An error of the command line: a code for scripts, a message and an exit code.
struct CommandFailure: Error {
    let code: String
    let message: String
    let exitCode: ExitCode

    init(code: String, _ message: String, exitCode: ExitCode = .failure) {
        self.code = code
        self.message = message
        self.exitCode = exitCode
    }

    init(_ error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as ClientRegistration.Refusal:
            self.init(code: "INVALID_CLIENT", error.reason, exitCode: .validationFailure)
        case let error as AdminCredentials.Refusal:
            self.init(code: "INVALID_CREDENTIAL", error.reason, exitCode: .validationFailure)
        case let error as ConfigurationError:
            self.init(code: "CONFIGURATION", error.description, exitCode: ExitCode(78))
        case let error as ClientSigningKey.Refusal:
            self.init(code: "INVALID_KEY", error.reason, exitCode: .validationFailure)
        case let error as ConfigurationFinding: self.init(code: error.code, "\(error.text). \(error.fix)")
        case let error as ProviderError: self.init(code: "PROVIDER", "the provider: \(error.reason)")
        case let error as BrokerError: self.init(code: error.commandCode, error.commandMessage)
        case let error as RotateMasterKey.Refusal: self.init(code: error.commandCode, error.commandMessage)
        case let error as SubjectMigrationRefusal:
            self.init(code: error.code.uppercased().replacing("-", with: "_"), error.text)
        case let error as TransferRefusal: self.init(code: error.commandCode, error.description)
        case let error as StoreError where error.kind == .fileExists: self.init(code: "FILE_EXISTS", error.reason)
        case let error as StoreError: self.init(code: "STORE", "the store: \(error)")
        default: self.init(code: "INTERNAL", "unexpected error of type \(type(of: error))")
        }
    }

    var document: JSONObject { JSONObject([("code", .string(code)), ("message", .string(message))]) }
}

extension BrokerError {
    /// The error code of the HTTP API, so that scripts use the same names for both.
    fileprivate var commandCode: String { String(wireMessage.prefix { $0 != " " }) }

    fileprivate var commandMessage: String {
        let text = wireMessage.dropFirst(commandCode.count).trimmingPrefix(" : ")
        return text.isEmpty ? commandCode : String(text)
    }
}

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

    /// Prints an operation's answer: its JSON form, or the text that `text` renders from it.
    func callAsFunction<Answer: Encodable>(_ answer: Answer, text: (Answer) throws -> TerminalText) throws {
        (json ? TerminalText(json: try JSONValueEncoder().encode(answer)) : try text(answer)).show()
    }

    /// Says on standard error that a list has as many rows as it may have, so that more may follow.
    func noteLimit(_ limit: Int, reachedBy count: Int) {
        if count >= limit { TerminalText("broker: the list ends at --limit \(limit): there may be more").warn() }
    }

    /// Runs a command's work and reports its error on standard error, with the matching exit code.
    func reporting(_ work: () async throws -> Void) async throws {
        defer { StatusLine.clear() }
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
        case let error as MasterKeyRotation.Refusal: self.init(code: error.commandCode, error.commandMessage)
        case let error as SubjectMigrationRefusal:
            self.init(code: error.code.uppercased().replacing("-", with: "_"), error.text)
        case let error as TransferRefusal: self.init(code: error.commandCode, error.description)
        case let error as StoreError where error.kind == .fileExists: self.init(code: "FILE_EXISTS", error.reason)
        case let error as StoreError: self.init(code: "STORE", "the store: \(error)")
        default:
            guard let failure = AdminFailure(error) else {
                self.init(code: "INTERNAL", "unexpected error of type \(type(of: error))")
                return
            }
            self.init(failure)
        }
    }

    init(_ failure: AdminFailure) {
        let exitCode: ExitCode =
            switch failure.kind {
            case .refused: .failure
            case .invalidParameters: .validationFailure
            case .configuration: ExitCode(78)
            }
        self.init(code: failure.code, failure.message, exitCode: exitCode)
    }

    var document: JSONObject { JSONObject([("code", .string(code)), ("message", .string(message))]) }
}

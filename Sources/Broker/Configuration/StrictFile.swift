import Foundation
import ProviderKit

/// Reads a configuration file with the one strict JSON parser and turns every complaint into a ``ConfigurationError``.
enum StrictFile {
    static func value(path: String, hint: String) throws(ConfigurationError) -> JSONValue {
        try value(of: try ReadableFile.bytes(of: path, ifMissing: hint), path: path)
    }

    private static func value(of bytes: Data, path: String) throws(ConfigurationError) -> JSONValue {
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            let line = bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
            throw ConfigurationError(path, "line \(line): \(error).", fix: "Mend the JSON there.")
        }
    }

    static func decode<File: Decodable>(
        _ type: File.Type, from bytes: Data, path: String, secrets: SecretSource
    ) throws(ConfigurationError) -> File {
        let value = try value(of: bytes, path: path)
        do {
            return try decoder(secrets: secrets).decode(type, from: value)
        } catch {
            throw ConfigurationError(path, error)
        }
    }

    static func decoder(secrets: SecretSource) -> JSONValueDecoder {
        var decoder = JSONValueDecoder()
        decoder.unknownNames = .refused
        decoder.userInfo = [.secretSource: secrets]
        return decoder
    }
}

extension ConfigurationError {
    init(_ source: String, _ error: JSONDecodingError) {
        switch error.kind {
        case .unknownName(let nearest):
            self.init(
                source, at: error.path, "is no name this file knows.",
                fix: nearest.map { "Did you mean \"\($0)\"?" } ?? "Remove it.")
        case .missing:
            self.init(source, at: error.path, "is missing.", fix: "Add it.")
        case .wrongType(let expected, let found):
            self.init(source, at: error.path, "must be \(expected), not \(found).")
        case .invalid(let reason):
            self.init(source, at: error.path, reason + ".")
        }
    }
}

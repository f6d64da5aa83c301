import Foundation

/// A value that must not be seen: `"text"`, `{"env": "NAME"}` or `{"file": "path"}` in a configuration file.
///
/// Prints as `•••` everywhere, also when a value that contains it is printed or reflected; leaves only through
/// ``reveal()``.
public struct Secret: Sendable, Hashable, Decodable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let value: String

    /// A secret that is at hand already.
    public init(_ value: String) {
        self.value = value
    }

    /// The value itself, for the one place that sends it.
    public func reveal() -> String { value }

    /// Three dots, whatever the value is.
    public var description: String { "•••" }
    /// Three dots, whatever the value is.
    public var debugDescription: String { "•••" }
    /// Nothing: reflection shows no value.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

    /// Reads a secret from where the configuration says it is, through the decoder's ``SecretSource``.
    public init(from decoder: any Decoder) throws {
        let source = decoder.userInfo[.secretSource] as? SecretSource ?? SecretSource()
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            try? source.onRead(.text)
            value = text
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let name = try container.decodeIfPresent(String.self, forKey: .env) {
            guard let found = source.environment[name], !found.isEmpty else {
                throw Self.refusal(container, "environment variable \(name) is not set")
            }
            value = found
        } else if let path = try container.decodeIfPresent(String.self, forKey: .file) {
            do {
                try source.onRead(.file(source.url(of: path).path))
                value = try source.contents(of: path)
            } catch let error as SecretSource.Refusal {
                throw Self.refusal(container, error.reason)
            } catch {
                throw Self.refusal(container, "file \(path) cannot be read")
            }
        } else {
            throw Self.refusal(container, #"expected "text", {"env": "NAME"} or {"file": "path"}"#)
        }
    }

    private enum CodingKeys: String, CodingKey { case env, file }

    private static func refusal(_ container: KeyedDecodingContainer<CodingKeys>, _ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: container.codingPath, debugDescription: reason))
    }
}

/// Where `{"env": …}` and `{"file": …}` are looked up.
public struct SecretSource: Sendable {
    /// The variables `{"env": …}` may name.
    public let environment: [String: String]
    /// The folder relative paths start from: the one of the configuration file.
    public let folder: String
    let onRead: @Sendable (Place) throws(Refusal) -> Void

    /// Where a secret stands.
    public enum Place: Sendable, Hashable {
        /// In the configuration file itself.
        case text
        /// In a file, by its absolute path.
        case file(String)
    }

    /// Why a secret is not read from where it stands; `reason` is for the operator.
    public struct Refusal: Error {
        /// What is wrong, and what to do.
        public let reason: String

        /// A refusal in words for the operator; holds no secret.
        public init(reason: String) {
            self.reason = reason
        }
    }

    /// Looks variables up in `environment` and files from `folder` on.
    ///
    /// - Parameters:
    ///   - environment: The variables `{"env": …}` may name.
    ///   - folder: Where relative paths start from.
    ///   - onRead: Told of every secret before it is read; may refuse a file.
    public init(
        environment: [String: String] = [:], folder: String = ".",
        onRead: @escaping @Sendable (Place) throws(Refusal) -> Void = { (_: Place) throws(Refusal) in }
    ) {
        self.environment = environment
        self.folder = folder
        self.onRead = onRead
    }

    func url(of path: String) -> URL {
        URL(filePath: path, relativeTo: URL(filePath: folder, directoryHint: .isDirectory)).standardizedFileURL
    }

    /// A file's text without the line end editors leave behind.
    ///
    /// - Throws: Foundation's error when the file cannot be read as UTF-8.
    public func contents(of path: String) throws -> String {
        try String(contentsOf: url(of: path), encoding: .utf8).trimmingCharacters(in: .newlines)
    }
}

extension CodingUserInfoKey {
    /// The ``SecretSource`` of a decoder that decodes ``Secret`` values.
    public static let secretSource: CodingUserInfoKey = {
        // The initializer is failable in its signature only: Foundation accepts every raw value.
        guard let key = CodingUserInfoKey(rawValue: "broker.secretSource") else { preconditionFailure() }
        return key
    }()
}

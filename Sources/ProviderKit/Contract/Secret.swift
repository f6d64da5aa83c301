import Foundation

/// A secret of a configuration file: `"text"`, `{"env": "NAME"}` or `{"file": "path"}`.
///
/// It prints as `•••`, also inside a printed or reflected value. Only ``reveal()`` returns the value.
public struct Secret: Sendable, Hashable, Decodable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let value: String

    /// Makes a secret from its value.
    public init(_ value: String) {
        self.value = value
    }

    /// The value, for the one place that sends it.
    public func reveal() -> String { value }

    /// Three dots, whatever the value is.
    public var description: String { "•••" }
    /// Three dots, whatever the value is.
    public var debugDescription: String { "•••" }
    /// Empty: reflection shows no value.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

    /// Reads a secret from the configured place, through the decoder's ``SecretSource``.
    public init(from decoder: any Decoder) throws {
        let source = decoder.userInfo[.secretSource] as? SecretSource ?? SecretSource()
        source.onDecode(decoder.codingPath.map(\.stringValue))
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            try? source.onRead(.text)
            value = text
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard source.allowsReferences else { throw Self.refusal(container, "expected the secret's text") }
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

/// The variables and the folder for `{"env": …}` and `{"file": …}`.
public struct SecretSource: Sendable {
    /// The variables `{"env": …}` may name.
    public let environment: [String: String]
    /// The base of relative paths: the folder of the configuration file.
    public let folder: String
    let onRead: @Sendable (Place) throws(Refusal) -> Void
    let allowsReferences: Bool
    private(set) var onDecode: @Sendable ([String]) -> Void = { _ in }

    /// The source of documents that the host's operator has not written: a secret is text, and neither a variable nor a
    /// file of the host is read.
    public static let textOnly = SecretSource(allowsReferences: false)

    /// The place of a secret.
    public enum Place: Sendable, Hashable {
        /// The configuration file.
        case text
        /// A file, by its absolute path.
        case file(String)
    }

    /// The refusal to read a secret from its place.
    public struct Refusal: Error {
        /// The fault and its fix, for the operator.
        public let reason: String

        /// Makes a refusal; `reason` must not contain a secret.
        public init(reason: String) {
            self.reason = reason
        }
    }

    /// Makes a source of variables in `environment` and of files below `folder`.
    ///
    /// - Parameters:
    ///   - environment: The variables `{"env": …}` may name.
    ///   - folder: The base of relative paths.
    ///   - onRead: Called before each secret is read; may refuse a file.
    public init(
        environment: [String: String] = [:], folder: String = ".",
        onRead: @escaping @Sendable (Place) throws(Refusal) -> Void = { (_: Place) throws(Refusal) in }
    ) {
        self.environment = environment
        self.folder = folder
        self.onRead = onRead
        allowsReferences = true
    }

    /// The source that also tells where in the decoded document each secret stands, by the names on the way to it.
    package func reportingPaths(to report: @escaping @Sendable ([String]) -> Void) -> SecretSource {
        var source = self
        source.onDecode = report
        return source
    }

    /// The source for a part of the document, at the end of `names`.
    func below(_ names: [String]) -> SecretSource {
        let report = onDecode
        return reportingPaths { report(names + $0) }
    }

    private init(allowsReferences: Bool) {
        environment = [:]
        folder = "/"
        onRead = { (_: Place) throws(Refusal) in }
        self.allowsReferences = allowsReferences
    }

    func url(of path: String) -> URL {
        URL(filePath: path, relativeTo: URL(filePath: folder, directoryHint: .isDirectory)).standardizedFileURL
    }

    /// A file's text without the trailing line end.
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

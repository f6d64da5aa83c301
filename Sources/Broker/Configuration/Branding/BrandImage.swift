import Crypto
import Foundation
import ProviderKit

/// A logo or a favicon: a picture that has been checked and written anew, so that it holds nothing but what it shows.
package struct BrandImage: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable {
        case svg, png

        /// The format of a content by its name; nil for what is no name.
        package init?(ofContentNamed name: String) {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].utf8.count == 64 else { return nil }
            self.init(rawValue: String(parts[1]))
        }

        /// The fixed type that it is served with.
        package var mediaType: String {
            switch self {
            case .svg: "image/svg+xml"
            case .png: "image/png"
            }
        }
    }

    /// The reason why a file cannot be shown.
    package struct Refusal: Error, Sendable, Equatable {
        /// A clause such as `it has a script in line 3`.
        package let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    /// In bytes, of the file and of what is stored.
    package static let maximumSize = 65_536

    package let format: Format
    package let bytes: [UInt8]
    /// Names the content: SHA-256 of the bytes in hexadecimal, and the format. A change of the content changes it.
    package let name: String

    /// - Parameter file: An SVG or a PNG, told apart by its first bytes.
    /// - Throws: ``Refusal``.
    package init(checking file: [UInt8]) throws(Refusal) {
        guard file.count <= Self.maximumSize else {
            throw Refusal("it has \(file.count) bytes; at most \(Self.maximumSize) are allowed")
        }
        format = PNGFile.isOne(file) ? .png : .svg
        bytes = format == .png ? try PNGFile.rewritten(file) : try SVGSanitizer.sanitized(file)
        guard bytes.count <= Self.maximumSize else {
            throw Refusal("it has more than \(Self.maximumSize) bytes when it is written without style attributes")
        }
        name = "\(Hexadecimal.encode(SHA256.hash(data: bytes))).\(format.rawValue)"
    }
}

/// Where the pictures of a brand are served. Their names change with their content.
package enum BrandPath {
    /// The site's, below which the last part is the name.
    package static let images = "/brand"

    package static func image(_ name: String) -> String { "\(images)/\(name)" }

    /// A client's.
    package static func logo(_ name: String, ofClient id: String) -> String { "\(images)/\(id)/\(name)" }
}

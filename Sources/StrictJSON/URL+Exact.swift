package import Foundation

extension URL {
    /// The URL that a text is, byte for byte: characters that no URL has are refused, not escaped. Before iOS 17 and macOS
    /// 14 Foundation escaped none.
    package init?(exactly text: String) {
        if #available(iOS 17, macOS 14, *) {
            self.init(string: text, encodingInvalidCharacters: false)
        } else {
            self.init(string: text)
        }
    }
}

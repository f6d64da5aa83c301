import Foundation

extension Date {
    /// A moment on which clocks stand still.
    static let epoch = Date(timeIntervalSince1970: 1_700_000_000)
}

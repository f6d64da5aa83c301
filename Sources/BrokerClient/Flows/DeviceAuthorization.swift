public import Foundation

/// A device authorization (RFC 8628): the user enters a code in the browser of another device.
public struct DeviceAuthorization: Sendable {
    /// The code to show.
    public let userCode: String
    /// The page on which the user enters it.
    public let verificationURL: URL
    /// The same page with the code filled in, for a QR code.
    public let verificationURLComplete: URL?
    /// When the code expires.
    public let expiresAt: Date
    /// The time between two polls.
    let interval: Duration
    /// The secret to poll with.
    let deviceCode: String
}

extension DeviceAuthorization: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user's code, and nothing of the device's.
    public var description: String { "DeviceAuthorization(\(userCode), \(verificationURL.absoluteString))" }
    /// The user's code, and nothing of the device's.
    public var debugDescription: String { description }
    /// The user's code, and nothing of the device's.
    public var customMirror: Mirror { Mirror(self, children: ["userCode": userCode]) }
}

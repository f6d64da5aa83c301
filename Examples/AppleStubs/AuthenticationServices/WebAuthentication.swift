public import Foundation

#if canImport(UIKit)
    public import UIKit
    public typealias ASPresentationAnchor = UIWindow
#else
    public import AppKit
    public typealias ASPresentationAnchor = NSWindow
#endif

@MainActor public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

@MainActor open class ASWebAuthenticationSession: NSObject {
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    public final class Callback: NSObject {
        public class func customScheme(_ customScheme: String) -> Self { fatalError() }
        public class func https(host: String, path: String) -> Self { fatalError() }
    }

    public init(url: URL, callback: Callback, completionHandler: @escaping CompletionHandler) {}
    public init(url: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler) {}
    open weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
    open var prefersEphemeralWebBrowserSession: Bool {
        get { false }
        set {}
    }
    @discardableResult open func start() -> Bool { false }
    open func cancel() {}
}

public struct ASWebAuthenticationSessionError: Error {
    public enum Code: Int, Sendable {
        case canceledLogin = 1
        case presentationContextNotProvided = 2
        case presentationContextInvalid = 3
    }
    public var code: Code { .canceledLogin }
}

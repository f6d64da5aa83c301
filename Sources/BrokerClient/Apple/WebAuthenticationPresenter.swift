#if canImport(AuthenticationServices)
    import AuthenticationServices
    public import Foundation

    #if canImport(UIKit)
        import UIKit
    #endif

    /// Shows a provider's authorization page in the app that has claimed its address (iOS), or else in an
    /// `ASWebAuthenticationSession`; a page of the broker always in the latter.
    ///
    /// The app is opened by a universal link only, so that no browser opens. The web session shares no cookies with the
    /// browser unless the sign-in's options say so. A redirect URI with `https` needs the app's associated domain
    /// `webcredentials:<host>`, and iOS 17.4 or macOS 14.4.
    public final class WebAuthenticationPresenter: AuthorizationPresenter {
        private let presentation = AppFirstPresentation(SystemPresentation())

        /// A presenter over the window of the task, see ``PresentationWindow``, or else over the app's key window.
        public init() {}

        /// Shows the page and waits for the redirect.
        ///
        /// - Returns: The redirect's URL.
        /// - Throws: ``BrokerAuthError/userCancelled`` if the user closes the page, and
        ///   ``BrokerAuthError/notConfigured(_:)`` if the redirect URI is neither `https` nor of a scheme of the app, or the
        ///   system is too old for `https`.
        public func authorize(_ request: AuthorizationPresentation) async throws(BrokerAuthError) -> URL {
            try await presentation.authorize(request)
        }

        /// Closes the page.
        public func cancel() { presentation.cancel() }
    }

    private struct SystemPresentation: PresentationPlatform {
        func openUniversalLink(_ url: URL) async -> Bool {
            #if canImport(UIKit)
                return await Self.open(url)
            #else
                // Native apps of macOS are entered from its browser.
                return false
            #endif
        }

        #if canImport(UIKit)
            @MainActor private static func open(_ url: URL) async -> Bool {
                await UIApplication.shared.open(url, options: [.universalLinksOnly: true])
            }
        #endif

        @MainActor func runWebSession(
            _ url: URL, until callback: RedirectCallback, isEphemeral: Bool, answer: SingleResumption<URL>
        ) async throws(BrokerAuthError) -> URL {
            guard let window = PresentationWindow.anchor else { throw .notConfigured("the app shows no window") }
            // Called on any thread.
            let completed: @Sendable (URL?, (any Error)?) -> Void = { url, error in
                answer.resume(with: Self.outcome(url, error))
            }
            let session: ASWebAuthenticationSession
            if #available(iOS 17.4, macOS 14.4, *) {
                session = ASWebAuthenticationSession(
                    url: url, callback: callback.watched, completionHandler: completed)
            } else {
                guard case .customScheme(let scheme) = callback else {
                    throw .notConfigured("an https redirect URI needs iOS 17.4 or macOS 14.4")
                }
                session = ASWebAuthenticationSession(
                    url: url, callbackURLScheme: scheme, completionHandler: completed)
            }
            let anchor = WebSessionAnchor(window)
            session.presentationContextProvider = anchor
            session.prefersEphemeralWebBrowserSession = isEphemeral
            // The session holds its anchor weakly.
            defer { withExtendedLifetime((session, anchor)) {} }
            guard session.start() else { throw .notConfigured("the system started no web session") }
            do throws(BrokerAuthError) {
                return try await answer.value()
            } catch {
                // The page is still shown when the redirect arrived elsewhere or the task was cancelled.
                if error == .cancelled { session.cancel() }
                throw error
            }
        }

        private static func outcome(_ url: URL?, _ error: (any Error)?) -> Result<URL, BrokerAuthError> {
            if let url { return .success(url) }
            return switch (error as? ASWebAuthenticationSessionError)?.code {
            case .canceledLogin: .failure(.userCancelled)
            case .presentationContextInvalid, .presentationContextNotProvided:
                .failure(.notConfigured("the system found no window for its web session"))
            default: .failure(.notConfigured("the system's web session failed"))
            }
        }
    }

    /// The window of a web session.
    @MainActor private final class WebSessionAnchor: NSObject, ASWebAuthenticationPresentationContextProviding {
        private let window: ASPresentationAnchor

        init(_ window: ASPresentationAnchor) { self.window = window }

        func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { window }
    }

    @available(iOS 17.4, macOS 14.4, *)
    extension RedirectCallback {
        fileprivate var watched: ASWebAuthenticationSession.Callback {
            switch self {
            case .https(let host, let path): .https(host: host, path: path)
            case .customScheme(let scheme): .customScheme(scheme)
            }
        }
    }
#endif

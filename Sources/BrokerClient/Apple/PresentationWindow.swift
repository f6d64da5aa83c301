#if canImport(AuthenticationServices)
    public import AuthenticationServices

    #if canImport(UIKit)
        public import UIKit
    #else
        public import AppKit
    #endif

    /// The window that sign-in pages are shown over, held weakly.
    ///
    /// Apps with several windows take it from the environment:
    /// ```swift
    /// @Environment(\.presentationWindow) private var window
    /// try await auth.signIn(with: .gitHub, in: window)
    /// ```
    /// Without one, the key window of the app is used.
    @MainActor public final class PresentationWindow {
        /// The window of the current task.
        @TaskLocal static var current: PresentationWindow?

        /// The window, while it exists.
        public weak var window: ASPresentationAnchor?

        /// A reference without a window yet.
        public nonisolated init() {}

        /// Runs an operation whose pages are shown over this window.
        ///
        /// - Throws: What `operation` throws.
        public func presenting<Value: Sendable, Failure: Error>(
            _ operation: @MainActor () async throws(Failure) -> Value
        ) async throws(Failure) -> Value {
            let result: Result<Value, Failure> = await Self.$current.withValue(self) {
                do throws(Failure) {
                    return .success(try await operation())
                } catch {
                    return .failure(error)
                }
            }
            return try result.get()
        }

        /// The window of the current task, or else the app's key window.
        static var anchor: ASPresentationAnchor? { current?.window ?? keyWindow }

        private static var keyWindow: ASPresentationAnchor? {
            #if canImport(UIKit)
                let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
                let active = scenes.filter { $0.activationState == .foregroundActive }
                return (active + scenes).lazy.compactMap(\.keyWindow).first
            #else
                let app = NSApplication.shared
                return app.keyWindow ?? app.mainWindow ?? app.windows.first
            #endif
        }
    }
#endif

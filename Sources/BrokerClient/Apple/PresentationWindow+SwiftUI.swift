#if canImport(AuthenticationServices) && canImport(SwiftUI)
    import Foundation
    public import SwiftUI

    #if canImport(UIKit)
        import UIKit
    #else
        import AppKit
    #endif

    extension EnvironmentValues {
        /// The window of the view, below ``SwiftUI/View/readsPresentationWindow()``; else one that names no window.
        public var presentationWindow: PresentationWindow {
            get { self[PresentationWindowKey.self] }
            set { self[PresentationWindowKey.self] = newValue }
        }
    }

    private struct PresentationWindowKey: EnvironmentKey {
        static let defaultValue = PresentationWindow()
    }

    extension View {
        /// Puts the window that shows this view into the environment of the view. Use it once, on the root view of each
        /// window.
        ///
        /// - Returns: The view.
        @MainActor public func readsPresentationWindow() -> some View { PresentationWindowReader(content: self) }
    }

    private struct PresentationWindowReader<Content: View>: View {
        let content: Content
        @State private var window = PresentationWindow()

        var body: some View {
            content.background(WindowProbe(window: window)).environment(\.presentationWindow, window)
        }
    }

    #if canImport(UIKit)
        /// An invisible view that notes the window it is moved to.
        private struct WindowProbe: UIViewRepresentable {
            let window: PresentationWindow

            func makeUIView(context: Context) -> WindowProbeView { WindowProbeView(window) }
            func updateUIView(_ view: WindowProbeView, context: Context) {}
        }

        private final class WindowProbeView: UIView {
            private let reference: PresentationWindow

            init(_ reference: PresentationWindow) {
                self.reference = reference
                super.init(frame: .zero)
            }

            required init?(coder: NSCoder) { nil }

            override func didMoveToWindow() {
                super.didMoveToWindow()
                reference.window = window
            }
        }
    #else
        /// An invisible view that notes the window it is moved to.
        private struct WindowProbe: NSViewRepresentable {
            let window: PresentationWindow

            func makeNSView(context: Context) -> WindowProbeView { WindowProbeView(window) }
            func updateNSView(_ view: WindowProbeView, context: Context) {}
        }

        private final class WindowProbeView: NSView {
            private let reference: PresentationWindow

            init(_ reference: PresentationWindow) {
                self.reference = reference
                super.init(frame: .zero)
            }

            required init?(coder: NSCoder) { nil }

            override func viewDidMoveToWindow() {
                super.viewDidMoveToWindow()
                reference.window = window
            }
        }
    #endif
#endif

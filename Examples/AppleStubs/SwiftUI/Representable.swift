#if canImport(UIKit)
    public import UIKit

    @MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
        associatedtype UIViewType: UIView
        typealias Context = UIViewRepresentableContext<Self>
        @MainActor func makeUIView(context: Context) -> UIViewType
        @MainActor func updateUIView(_ uiView: UIViewType, context: Context)
    }

    extension UIViewRepresentable {
        public var body: Never { fatalError() }
    }

    public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {}
#else
    public import AppKit

    @MainActor @preconcurrency public protocol NSViewRepresentable: View where Body == Never {
        associatedtype NSViewType: NSView
        typealias Context = NSViewRepresentableContext<Self>
        @MainActor func makeNSView(context: Context) -> NSViewType
        @MainActor func updateNSView(_ nsView: NSViewType, context: Context)
    }

    extension NSViewRepresentable {
        public var body: Never { fatalError() }
    }

    public struct NSViewRepresentableContext<Representable: NSViewRepresentable> {}
#endif

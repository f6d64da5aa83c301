public import Foundation

@MainActor open class NSResponder: NSObject {
    public override init() {}
}

@MainActor open class NSView: NSResponder {
    public init(frame: CGRect) {}
    public required init?(coder: NSCoder) {}
    open var window: NSWindow? { nil }
    open func viewDidMoveToWindow() {}
}

@MainActor open class NSWindow: NSResponder {}

@MainActor open class NSApplication: NSResponder {
    open class var shared: NSApplication { NSApplication() }
    open var keyWindow: NSWindow? { nil }
    open var mainWindow: NSWindow? { nil }
    open var windows: [NSWindow] { [] }
}

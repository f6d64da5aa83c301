public import Foundation

open class LAContext: NSObject {
    public override init() {}
    open var localizedReason: String {
        get { "" }
        set {}
    }
    open var interactionNotAllowed: Bool {
        get { false }
        set {}
    }
    open func invalidate() {}
}

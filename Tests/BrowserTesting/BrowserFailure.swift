/// What went wrong in a browser, or before there was one.
package struct BrowserFailure: Error, CustomStringConvertible {
    /// WebDriver's name of the error (W3C WebDriver §6.6), such as `no such element`.
    let code: String
    package let description: String

    init(_ description: String, code: String = "") {
        self.code = code
        self.description = description
    }

    /// Whether the page has just changed under the command, so that the same command may succeed soon.
    var isPassing: Bool {
        [
            "no such element", "stale element reference", "javascript error", "element not interactable",
            "element click intercepted", "no such execution context", "no such window", "detached shadow root",
        ].contains(code)
    }
}

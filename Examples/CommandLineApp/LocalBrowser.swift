import Foundation

/// The browser on this machine.
struct LocalBrowser: Sendable {
    /// - Returns: Nil over SSH or without a desktop, where the user would see no browser.
    init?() {
        let environment = ProcessInfo.processInfo.environment
        func isSet(_ names: String...) -> Bool { names.contains { !(environment[$0] ?? "").isEmpty } }
        if isSet("SSH_CONNECTION", "SSH_TTY") { return nil }
        #if !os(macOS)
            if !isSet("DISPLAY", "WAYLAND_DISPLAY") { return nil }
        #endif
    }

    /// Starts the browser and does not wait for it.
    ///
    /// - Returns: Whether it was started.
    func open(_ url: URL) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        #if os(macOS)
            process.arguments = ["open", url.absoluteString]
        #else
            process.arguments = ["xdg-open", url.absoluteString]
        #endif
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return (try? process.run()) != nil
    }
}

import Foundation

/// The browser on the machine of the terminal's user, when the command runs on the same machine.
struct LocalBrowser: Sendable {
    /// The program that opens a URL.
    let program: String

    /// - Returns: `nil` over SSH or without a desktop, where the user would not see a browser.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
        guard !Self.isRemote(environment) else { return nil }
        #if os(macOS)
            program = "open"
        #else
            guard isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") else { return nil }
            program = "xdg-open"
        #endif
    }

    /// Whether the terminal is connected over SSH.
    static func isRemote(_ environment: [String: String]) -> Bool {
        ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains { !(environment[$0] ?? "").isEmpty }
    }

    /// Starts the browser with a URL and does not wait for it; a failure is ignored.
    func open(_ url: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        // Ctrl-C interrupts the command and must not reach the browser.
        process.arguments = ["-c", #"trap '' INT; exec "$0" "$1""#, program, url]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // The terminal shows the URL as well.
        try? process.run()
    }
}

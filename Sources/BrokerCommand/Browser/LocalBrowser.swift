import Foundation

/// The browser of the person at this terminal, when it runs on the same machine.
struct LocalBrowser: Sendable {
    /// What opens an address.
    let program: String

    /// - Returns: `nil` where nobody would see a browser: over SSH, or without a desktop.
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

    /// Whether the person sits at another machine.
    static func isRemote(_ environment: [String: String]) -> Bool {
        ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains { !(environment[$0] ?? "").isEmpty }
    }

    /// Opens an address, as far as one can tell: nobody waits for the browser.
    func open(_ url: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        // Ctrl-C is meant for the command, not for the browser.
        process.arguments = ["-c", #"trap '' INT; exec "$0" "$1""#, program, url]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // The address is shown as well.
        try? process.run()
    }
}

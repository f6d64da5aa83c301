import Foundation
package import StrictJSON

/// A browser with a profile of its own for one test, driven as its user would.
///
/// It reaches this machine only, by the names `localhost` and `127.0.0.1`: no test can get as far as the internet.
/// Everything that looks for something on a page waits until it is there, for up to half a minute.
package struct Browser: Sendable {
    /// Its session at the driver.
    let session: WebDriver
    private let options: BrowserOptions

    /// Opens a browser, lends it to `body` and closes it; a desktop's in English unless told. Two at most are open at
    /// once, others wait for their turn.
    package static func run<Value>(
        _ options: BrowserOptions = BrowserOptions(), _ body: (Browser) async throws -> Value
    ) async throws -> Value {
        await BrowserSlots.shared.enter()
        let result: Result<Value, any Error>
        do {
            let browser = try await start(options)
            do {
                result = .success(try await body(browser))
            } catch {
                try? await browser.screenshot("failure-\(UInt16.random(in: 0 ... .max))")
                result = .failure(error)
            }
            // In a task of its own, for it has to be done when the test was cancelled as well.
            _ = await Task { try await browser.session.send(.delete, "") }.result
        } catch {
            result = .failure(error)
        }
        await BrowserSlots.shared.leave()
        return try result.get()
    }

    private static func start(_ options: BrowserOptions) async throws -> Browser {
        let driver = try await BrowserDriver.shared.url()
        let opened = try await WebDriver(url: driver).send(.post, "/session", options.capabilities)
        guard let id = opened["sessionId"]?.string else { throw BrowserFailure("The driver names no session") }
        return Browser(session: WebDriver(url: "\(driver)/session/\(id)"), options: options)
    }

    /// Goes to an address, as if it had been typed in, and waits until the page is loaded.
    package func open(_ url: String) async throws {
        try await session.send(.post, "/url", ["url": .string(url)])
    }

    /// Loads the page again.
    package func reload() async throws {
        try await session.send(.post, "/refresh")
    }

    /// Goes back to the page before.
    package func goBack() async throws {
        try await session.send(.post, "/back")
    }

    /// The address of the page.
    package var currentURL: String {
        get async throws { try await session.send(.get, "/url").string ?? "" }
    }

    /// The title of the page.
    package var title: String {
        get async throws { try await session.send(.get, "/title").string ?? "" }
    }

    /// The visible text of the page.
    package var text: String {
        get async throws { try await script("return document.body ? document.body.innerText : ''").string ?? "" }
    }

    /// Runs a function's body in the page and waits for what it returns, or what its promise does.
    @discardableResult
    package func script(_ body: String, _ arguments: JSONValue...) async throws -> JSONValue {
        try await session.send(.post, "/execute/sync", ["script": .string(body), "args": .array(arguments)])
    }

    /// Runs a script in each page that opens from now on, before the page's own.
    package func runInEachPage(_ script: String) async throws {
        try await session.send(
            .post, "/goog/cdp/execute",
            ["cmd": "Page.addScriptToEvaluateOnNewDocument", "params": ["source": .string(script)]])
    }

    /// Shows the page as wide as this, in CSS pixels; `nil` as wide as the window.
    package func show(width: Int?) async throws {
        let command: JSONObject =
            if let width {
                [
                    "cmd": "Emulation.setDeviceMetricsOverride",
                    "params": [
                        "width": .integer(Int64(width)), "height": 900, "deviceScaleFactor": 1, "mobile": false,
                    ],
                ]
            } else {
                ["cmd": "Emulation.clearDeviceMetricsOverride", "params": [:]]
            }
        try await session.send(.post, "/goog/cdp/execute", command)
    }

    /// Takes a picture of the whole page when the environment variable `TESTS_SCREENSHOTS` names a folder for it.
    /// Size, language and colour scheme become a part of the file's name.
    package func screenshot(_ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["TESTS_SCREENSHOTS"] else { return }
        let page = try await script(
            "const e = document.documentElement; return [e.scrollWidth, e.scrollHeight]")
        let (width, height) = (page.array?.first ?? 0, page.array?.last ?? 0)
        let clip: JSONValue = ["x": 0, "y": 0, "width": width, "height": height, "scale": 1]
        let picture = try await session.send(
            .post, "/goog/cdp/execute",
            ["cmd": "Page.captureScreenshot", "params": ["clip": clip, "captureBeyondViewport": true]])
        guard let data = picture["data"]?.string.flatMap({ Data(base64Encoded: $0) }) else {
            throw BrowserFailure("The driver took no picture")
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try data.write(to: URL(filePath: "\(folder)/\(name)-\(options.label).png"))
    }
}

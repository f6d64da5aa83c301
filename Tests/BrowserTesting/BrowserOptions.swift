import StrictJSON

/// Whose browser it is: what it shows pages on, in which language and colours.
package struct BrowserOptions: Sendable {
    /// What a page is shown on.
    package enum Size: String, Sendable, CaseIterable {
        /// 390 × 844, touched rather than clicked.
        case phone
        /// 1280 × 900 with the browser's own bars.
        case desktop
    }

    /// The user's settings of the whole device.
    package enum ColorScheme: String, Sendable, CaseIterable {
        case light
        case dark
    }

    package var size: Size
    /// Sent as `Accept-Language`, such as `ko`.
    package var language: String
    package var colorScheme: ColorScheme
    /// Whether untrusted certificates are accepted.
    package var acceptsInsecureCertificates: Bool
    /// Whether ``Browser/requests()`` has something to tell.
    package var recordsRequests: Bool
    /// Whether pages run their scripts.
    package var runsScripts: Bool

    package init(
        size: Size = .desktop, language: String = "en", colorScheme: ColorScheme = .light,
        acceptsInsecureCertificates: Bool = false, recordsRequests: Bool = false,
        runsScripts: Bool = true
    ) {
        self.size = size
        self.language = language
        self.colorScheme = colorScheme
        self.acceptsInsecureCertificates = acceptsInsecureCertificates
        self.recordsRequests = recordsRequests
        self.runsScripts = runsScripts
    }

    /// What tells pictures of one page apart.
    var label: String { "\(size.rawValue)-\(language)-\(colorScheme.rawValue)" }

    /// The body of WebDriver's New Session (§8.1).
    var capabilities: JSONObject {
        var chrome: JSONObject = [
            "args": .array(arguments.map { .string($0) }), "prefs": ["intl.accept_languages": .string(language)],
        ]
        if size == .phone {
            chrome["mobileEmulation"] = [
                "deviceMetrics": ["width": 390, "height": 844, "pixelRatio": 2, "mobile": true, "touch": true]
            ]
        }
        var wanted: JSONObject = [
            "browserName": "chrome", "acceptInsecureCerts": .bool(acceptsInsecureCertificates),
            "goog:chromeOptions": .object(chrome), "timeouts": ["pageLoad": 120_000, "script": 120_000],
        ]
        if recordsRequests { wanted["goog:loggingPrefs"] = ["performance": "ALL"] }
        return ["capabilities": ["alwaysMatch": .object(wanted)]]
    }

    private var arguments: [String] {
        [
            // Root and containers cannot use the sandbox; the only pages are this test run's own.
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
            "--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
            "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
            "--disable-sync", "--disable-extensions", "--disable-breakpad", "--disable-crash-reporter",
            "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider",
            "--hide-scrollbars", "--lang=\(language)", "--window-size=1280,900",
            "--blink-settings=preferredColorScheme=\(colorScheme == .dark ? 0 : 1),scriptEnabled=\(runsScripts)",
        ]
    }
}

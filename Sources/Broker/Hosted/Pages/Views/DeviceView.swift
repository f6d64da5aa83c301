/// A place one is signed in.
struct DeviceView: Sendable {
    let title: String
    let current: String?
    /// Program and address, as far as they are known.
    let origin: String?
    let moments: [MomentView]
    let apps: [AppView]
    let form: FormView?

    struct AppView: Sendable {
        let name: String
        let used: MomentView
        let form: FormView
    }

    init(_ device: AccountPage.Device, _ text: AccountText, _ language: PageLanguage) {
        let browser = device.name ?? text.browser
        let title = device.app ?? browser
        self.title = title
        current = device.isCurrent ? text.current : nil
        let origin = [device.app == nil ? nil : device.name, device.address].compactMap(\.self)
        self.origin = origin.isEmpty ? nil : origin.joined(separator: " · ")
        moments = [
            MomentView(
                label: device.provider.map { text.signedInWith($0) } ?? text.signedIn,
                date: PageDate(device.signedInAt, language)),
            MomentView(label: text.lastUsed, date: PageDate(device.lastUsedAt, language)),
        ]
        apps = device.apps.map { app in
            AppView(
                name: app.name, used: MomentView(label: text.lastUsed, date: PageDate(app.lastUsedAt, language)),
                form: FormView(inRow: app.signOut, .init(text.endSession, .quiet, spoken: app.name)))
        }
        form = device.signOut.map { FormView(inRow: $0, .init(text.endSession, .quiet, spoken: title)) }
    }
}

/// A list of them.
struct DeviceListView: Sendable {
    /// What unfolds it.
    let summary: String
    let devices: [DeviceView]
}

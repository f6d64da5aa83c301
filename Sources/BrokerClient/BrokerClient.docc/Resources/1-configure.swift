import BrokerClient
import Foundation
import SwiftUI

@main struct NotesApp: App {
    private let auth = NotesApp.configured()

    var body: some Scene {
        WindowGroup {
            if auth == nil { Text("Broker.plist is missing.") }
        }
    }

    private static func configured() -> BrokerAuth? {
        guard let file = Bundle.main.url(forResource: "Broker", withExtension: "plist"),
            let configuration = try? BrokerConfiguration(propertyList: file)
        else { return nil }
        return BrokerAuth(configuration)
    }
}

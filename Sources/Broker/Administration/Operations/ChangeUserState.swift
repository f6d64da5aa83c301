import BrokerStore
package import ProviderKit

/// `users.disable`: the broker refuses the user's tokens and sign-ins.
package struct DisableUserOperation: AdminOperation {
    package static let name = "users.disable"
    package static let summary = "Disables a user: their tokens and sign-ins are refused."
    package static let scope: AdminScope? = .writeUsers
    /// The user record.
    package typealias Answer = JSONObject

    /// A localId or an e-mail address.
    let user: String

    package init(user: String) {
        self.user = user
    }

    package func run(for call: AdminCall) async throws -> JSONObject {
        let localID = try await call.admin.user(named: user).user.localID
        return JSONObject(try await call.admin.accounts.disableUser(true, localID: localID, origin: call.origin))
    }
}

/// `users.enable`: the user's sessions become valid again.
package struct EnableUserOperation: AdminOperation {
    package static let name = "users.enable"
    package static let summary = "Enables a user: existing sessions become valid again."
    package static let scope: AdminScope? = .writeUsers
    /// The user record.
    package typealias Answer = JSONObject

    /// A localId or an e-mail address.
    let user: String

    package init(user: String) {
        self.user = user
    }

    package func run(for call: AdminCall) async throws -> JSONObject {
        let localID = try await call.admin.user(named: user).user.localID
        return JSONObject(try await call.admin.accounts.disableUser(false, localID: localID, origin: call.origin))
    }
}

import BrokerStore
import Foundation
import ProviderKit

/// Begins a sign-in through the browser for an app of Identity Toolkit (contract §2.4 b): the provider's page is shown
/// by the app, and its answer comes back through the app as well.
package struct StartAppSignIn: Sendable {
    let start: StartRedirect
    let verifier: IDTokenVerifier

    package struct Request: Sendable {
        package var trip: StartRedirect.Trip
        /// What the app will show again; nil draws one.
        package var sessionID: String?
        /// What the app wants to have back with the outcome.
        package var context: String?
        /// Of the only user who may come of it.
        package var idToken: String?

        package init(_ trip: StartRedirect.Trip) {
            self.trip = trip
        }
    }

    package struct Started: Sendable {
        /// Where the browser is to go.
        package let authorizationURL: String
        /// What the provider will send back.
        package let state: String
        /// What the app has to show when it comes back with the provider's answer.
        package let sessionID: String
    }

    /// - Throws: ``BrokerError``: what an ID token may come to, then what a provider may.
    package func callAsFunction(_ request: Request) async throws -> Started {
        var bound: String?
        if let idToken = request.idToken {
            bound = try await verifier.session(behind: idToken, at: Timestamp(start.now())).user.localID
        }
        let sessionID = request.sessionID ?? RandomText.alphanumeric(27)
        let started = try await start(
            request.trip, .identityToolkit, binding: sessionID,
            request: AppSignInLuggage(
                context: request.context, localID: bound, isReauthentication: request.trip.isReauthentication))
        return Started(authorizationURL: started.authorizationURL, state: started.state, sessionID: sessionID)
    }
}

/// What an app's sign-in through the browser was begun with; sealed until the app is back.
struct AppSignInLuggage: Codable, Sendable {
    var context: String?
    /// The only user who may finish it.
    var localID: String?
    /// Whether the person only proves once more who they are: nobody new comes of it.
    var isReauthentication: Bool?
}

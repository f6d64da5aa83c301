import HTTPTypes

extension ErrorPage.Cause {
    /// The cause that the page shows for an error of a flow. Errors that no user can cause are shown as a provider's
    /// refusal. No `default`: a new category does not compile until it has its page.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - provider: The name of the interaction's provider; nil outside of an interaction.
    init(_ error: BrokerError, provider: String?) {
        let name = provider ?? ""
        switch error.category {
        case .unknownAttempt: self = .attemptUnknownOrUsed
        case .attemptOfAnother: self = .otherBrowser
        case .endedLogin: self = provider.map(Self.providerRefused) ?? .attemptUnknownOrUsed
        case .cancelled: self = .cancelled(name)
        case .providerUnavailable: self = .providerUnavailable(name)
        case .providerMisconfigured: self = .providerMisconfigured(name)
        case .profileUnusable: self = .profileUnusable(name)
        case .disabledUser: self = .accountDisabled
        case .identityLinked: self = .linkRefused(.alreadyLinkedElsewhere, provider: name)
        case .providerLinked: self = .linkRefused(.providerAlreadyLinked, provider: name)
        case .emailTaken: self = .linkRefused(.emailTaken, provider: name)
        case .lastSignInMethod: self = .lastWayIn
        case .signUpOff: self = .signUpOff
        case .deletionOff: self = .deletionOff
        case .rateLimited: self = .tooManyRequests
        case .endedSession, .invalidToken, .invalidCustomToken, .invalidDeviceSecret, .loginTooOld, .stepUpRequired,
            .invalidCredential, .unusableCredential, .otherUser, .notAdmitted, .deviceRateLimited, .invalidRequest,
            .missingScope:
            self = .providerRefused(name)
        }
    }

    /// The cause that the page shows for a merge or an undo that a user asked for and that was refused.
    init(mergeRefused error: BrokerError, _ providers: ProviderDirectory) {
        switch error {
        case .mergeConflict(let id):
            self = .mergeRefused(.twoOfOneProvider, provider: providers.displayName(of: id))
        case .mergeNeedsAdministrator: self = .mergeRefused(.needsAdministrator, provider: "")
        case .undoNeedsAdministrator: self = .mergeRefused(.undoNeedsAdministrator, provider: "")
        case .mergeOfOneUser: self = .mergeRefused(.sameAccount, provider: "")
        case .otherLoginInvalid: self = .mergeRefused(.loginEnded, provider: "")
        // Nothing of the form's content was offered on a page.
        case .mergeNotFound, .userNotFound: self = .attemptUnknownOrUsed
        default: self.init(error, provider: nil)
        }
    }

    /// The stable code of a page that stands for no error of a flow. No `default`: a new cause needs its code.
    var code: String {
        switch self {
        case .attemptUnknownOrUsed: "attemptUnknownOrUsed"
        case .expired: "formExpired"
        case .otherBrowser: "otherBrowser"
        case .providerRefused: "providerRefused"
        case .cancelled: "cancelled"
        case .providerUnavailable: "providerUnavailable"
        case .providerMisconfigured: "providerMisconfigured"
        case .profileUnusable: "profileUnusable"
        case .clientUnknown: "clientUnknown"
        case .redirectNotRegistered: "redirectNotRegistered"
        case .badRequest: "badRequest"
        case .accountDisabled: "accountDisabled"
        case .linkRefused(let refusal, _): refusal.rawValue
        case .mergeRefused(let refusal, _): refusal.rawValue
        case .lastWayIn: "lastWayIn"
        case .signUpOff: "signUpOff"
        case .deletionOff: "deletionOff"
        case .notFound: "notFound"
        case .unavailable: "storeUnavailable"
        case .tooManyRequests: "tooManyRequests"
        case .notAllowed: "foreignRequest"
        }
    }

    /// The broker's own text for developers, where the code says too little.
    var developerText: String? {
        if case .badRequest(let text) = self { text } else { nil }
    }

    /// The HTTP status of a page that no interaction is known for.
    var status: HTTPResponse.Status {
        switch self {
        case .tooManyRequests: .tooManyRequests
        case .unavailable: .serviceUnavailable
        case .notAllowed: .forbidden
        case .notFound: .notFound
        case .attemptUnknownOrUsed, .expired, .otherBrowser, .providerRefused, .cancelled, .providerUnavailable,
            .providerMisconfigured, .profileUnusable, .clientUnknown, .redirectNotRegistered, .badRequest,
            .accountDisabled,
            .linkRefused, .mergeRefused, .lastWayIn, .signUpOff, .deletionOff:
            .badRequest
        }
    }
}

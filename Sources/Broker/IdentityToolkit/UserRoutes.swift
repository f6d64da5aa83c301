import BrokerStore
import Hummingbird
import ProviderKit

/// `accounts:signUp` and `accounts:lookup` of Identity Toolkit v1: apps sign up anonymously and look up their own user,
/// backends create and find any user.
struct UserRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        routes.account("signUp", legacy: "signupNewUser", signUp)
        routes.project(.post, accounts: "", signUp)
        routes.account("lookup", legacy: "getAccountInfo", lookUp)
        routes.project(.post, accounts: ":lookup", lookUp)
    }

    @Sendable
    func signUp(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        var answer = JSONObject([("kind", "identitytoolkit#SignupNewUserResponse")])
        switch try await toolkit.account(request, in: context, with: .writeUsers, takesProof: false) {
        case .app(let caller, let fields):
            try SignUpBody.check(fields, allowsAnonymous: toolkit.accounts.allowsAnonymousSignUp)
            let (facts, tokens) = try await toolkit.accounts.signUpAnonymously(origin: context.origin(caller))
            answer["localId"] = .string(facts.user.localID)
            answer.add(tokens)
        case .administrator(let administrator, let fields):
            let user = try await toolkit.accounts.createUser(try NewUser(fields), origin: context.origin(administrator))
                .user
            answer["localId"] = .string(user.localID)
            answer["displayName"] = user.displayName.map(JSONValue.string)
            answer["email"] = user.email.map(JSONValue.string)
        }
        return .json(.object(answer))
    }

    @Sendable
    func lookUp(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let users: [JSONObject]
        switch try await toolkit.account(request, in: context, with: .readUsers) {
        case .app(_, let fields):
            guard let idToken = try fields.nonEmpty("idToken") else { throw BrokerError.missingIDToken }
            let (record, session) = try await toolkit.accounts.lookUp(idToken)
            var user = JSONObject(record)
            user.addLogin(of: session, record.user, stepUp: toolkit.accounts.policy.stepUp, at: toolkit.now)
            users = [user]
        case .administrator(_, let fields):
            users = try await toolkit.accounts.findUsers(try Self.criteria(fields)).map(JSONObject.init)
        }
        var answer = JSONObject([("kind", "identitytoolkit#GetAccountInfoResponse")])
        // SDKs take an empty list for a user.
        if !users.isEmpty { answer["users"] = .array(users.map(JSONValue.object)) }
        return .json(.object(answer))
    }

    /// The criteria of a look-up, in the order of contract §2.5. No user has a telephone number here.
    private static func criteria(_ fields: RequestFields) throws(WireError) -> [UserCriterion] {
        let named = try identifiers("localId", of: fields).map(UserCriterion.localID)
        let emails = try identifiers("email", of: fields).map(UserCriterion.email)
        _ = try identifiers("phoneNumber", of: fields)
        var identities: [UserCriterion] = []
        for entry in try fields.objects("federatedUserId", limit: identifierLimit) {
            guard let provider = try entry.nonEmpty("providerId"), let subject = try entry.nonEmpty("rawId") else {
                continue
            }
            identities.append(.identity(provider: provider.lowercasedASCII, subject: subject))
        }
        let initial = try identifiers("initialEmail", of: fields).map(UserCriterion.initialEmail)
        return named + emails + identities + initial
    }

    /// As many as Firebase's SDKs send at most.
    private static let identifierLimit = 100

    private static func identifiers(_ name: String, of fields: RequestFields) throws(WireError) -> [String] {
        let texts = try fields.strings(name)
        guard texts.count <= identifierLimit else {
            throw .field("/\(name)", "must have at most \(identifierLimit) members")
        }
        return texts
    }
}

extension NewUser {
    /// The user that a backend creates (contract §2.1).
    ///
    /// - Throws: ``WireError``.
    init(_ fields: RequestFields) throws(WireError) {
        self.init()
        localID = try fields.nonEmpty("localId")
        if try fields.nonEmpty("idToken") != nil, localID != nil { throw .code(.unexpectedParameter, "User ID") }
        for name in ["idToken", "password", "phoneNumber", "mfaInfo"] where try fields.hasValue(name) {
            throw .code(.operationNotAllowed, "\(name) is not offered here: users sign in through a provider.")
        }
        email = try fields.string("email")
        isEmailVerified = try fields.bool("emailVerified") ?? false
        displayName = try ProfileFields.text("displayName", of: fields)?.value
        photoURL = try ProfileFields.picture(of: fields)?.value
        isDisabled = try fields.bool("disabled") ?? false
    }
}

/// Validates an `accounts:signUp` request from a client, which can sign up anonymously only.
enum SignUpBody {
    /// - Throws: ``WireError`` in the order of contract §2.1.
    static func check(_ fields: RequestFields, allowsAnonymous: Bool) throws(WireError) {
        if try fields.nonEmpty("localId") != nil { throw .code(.unexpectedParameter, "User ID") }
        let email = try fields.string("email")
        let password = try fields.nonEmpty("password")
        if try fields.nonEmpty("idToken") != nil || password != nil || email?.isEmpty == false {
            if email?.isEmpty ?? true { throw .code(.missingEmail) }
            if password == nil { throw .code(.missingPassword) }
            throw .code(.operationNotAllowed, "Passwords are not offered here: sign in through a provider.")
        }
        guard allowsAnonymous else { throw WireError(BrokerError.anonymousSignInOff) }
        if email != nil { throw .code(.invalidEmail) }
    }
}

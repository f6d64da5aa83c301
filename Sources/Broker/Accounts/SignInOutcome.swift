/// The outcome of a federated sign-in, as its transaction has committed it with its decision record.
///
/// `Account` is the user, the user's record, or the session that began: what the flow was asked for.
package enum SignInOutcome<Account: Sendable>: Sendable {
    case signedIn(Account, isNewUser: Bool)
    /// The address belongs to an account the identity is not linked to, which has to be proven first; `nil` where the
    /// policy does not disclose the account. `isRecycled` when it has another identity of the same provider.
    case needConfirmation(EmailHolder?, isRecycled: Bool)
    case refused(BrokerError)

    /// For ``FlowMetrics``.
    var flowOutcome: String {
        switch self {
        case .signedIn(_, let isNewUser): isNewUser ? "new_user" : FlowMetrics.success
        case .needConfirmation: "need_confirmation"
        case .refused(let error): error.code.rawValue
        }
    }

    /// The same outcome with what `transform` makes of its account.
    func map<Other>(_ transform: (Account, _ isNewUser: Bool) throws -> Other) rethrows -> SignInOutcome<Other> {
        switch self {
        case .signedIn(let account, let isNewUser): .signedIn(try transform(account, isNewUser), isNewUser: isNewUser)
        case .needConfirmation(let holder, let isRecycled): .needConfirmation(holder, isRecycled: isRecycled)
        case .refused(let error): .refused(error)
        }
    }
}

/// The account that holds the address of an identity.
package struct EmailHolder: Sendable {
    let localID: String
    /// Its providers, in the order in which they were linked.
    package let providers: [String]
}

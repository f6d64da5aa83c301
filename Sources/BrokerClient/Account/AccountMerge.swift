public import Foundation

/// A login to another account of the user, beside the session. It is in memory only and ends with its merge.
public struct OtherAccount: Sendable {
    /// The other user's id at the broker.
    public let userID: String
    /// The e-mail address, with the scope `email`.
    public let email: String?
    /// The display name, with the scope `profile`.
    public let name: String?
    let accessToken: String
}

extension OtherAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user, and nothing of the token.
    public var description: String { "OtherAccount(\(userID), <redacted>)" }
    /// The user, and nothing of the token.
    public var debugDescription: String { description }
    /// The user, and nothing of the token.
    public var customMirror: Mirror { Mirror(self, children: ["userID": userID]) }
}

/// What a merge of two accounts would join.
public struct MergePreview: Sendable {
    /// One of the two accounts.
    public struct User: Sendable, Hashable {
        /// The user's id at the broker.
        public let userID: String
        /// The e-mail address.
        public let email: String?
        /// The display name.
        public let displayName: String?
        /// The providers that sign the user in.
        public let providers: [ProviderID]
        /// The number of live sessions.
        public let sessionCount: Int
        /// The names of the custom claims.
        public let customClaims: [String]
    }

    /// What the merge would be with one of the two as the user who remains.
    public struct Choice: Sendable, Hashable {
        /// The id of the user who remains.
        public let survivor: String
        /// The id of the user who goes.
        public let absorbed: String
        /// The e-mail address afterwards.
        public let email: String?
        /// The names of the custom claims that the user who goes has otherwise.
        public let differingClaims: [String]
        /// The reason why this choice is not possible; nil where it is.
        public let refusal: BrokerAuthError?
    }

    /// Both accounts, the session's first.
    public let users: [User]
    /// The two choices.
    public let choices: [Choice]
}

/// A merge that was made.
public struct AccountMerge: Sendable {
    /// The id by which it is undone.
    public let id: String
    /// The record of the user who remains.
    public let survivor: Account
    /// The id of the user who went.
    public let absorbedUserID: String
    /// Until when the user can undo it.
    public let undoableUntil: Date?
}

/// A merge that the user asked for and can undo.
public struct UndoableMerge: Sendable, Hashable {
    /// The id by which it is undone.
    public let id: String
    /// The id of the user who went.
    public let absorbedUserID: String
    /// When it was made.
    public let mergedAt: Date?
    /// Until when the user can undo it.
    public let undoableUntil: Date?
    /// The providers of which one has to verify the other side.
    public let provingProviders: [ProviderID]
    /// What does not come back.
    public let conflicts: [MergeConflict]
}

/// Something that the undo of a merge does not bring back.
public struct MergeConflict: Sendable, Hashable {
    /// The stable code.
    public let code: String
    /// A text for developers.
    public let message: String
}

public import Foundation
import Locks

/// What ``Auth/addStateDidChangeListener(_:)`` returns.
public typealias AuthStateDidChangeListenerHandle = any NSObjectProtocol

/// What ``Auth/addIDTokenDidChangeListener(_:)`` returns.
public typealias IDTokenDidChangeListenerHandle = any NSObjectProtocol

extension Auth {
    /// Calls a listener on the main actor once the stored session was read, and then whenever another user is signed in,
    /// or none.
    ///
    /// - Parameter listener: Gets the current user.
    /// - Returns: The handle by which it is removed. The listener stays until then, also when the handle is dropped.
    @discardableResult public func addStateDidChangeListener(
        _ listener: @escaping @MainActor (Auth, User?) -> Void
    ) -> AuthStateDidChangeListenerHandle { add(AuthListener(followsTokens: false, listener)) }

    /// Removes a listener.
    ///
    /// - Parameter listenerHandle: From ``addStateDidChangeListener(_:)``.
    public func removeStateDidChangeListener(_ listenerHandle: AuthStateDidChangeListenerHandle) {
        remove(listenerHandle)
    }

    /// Calls a listener as ``addStateDidChangeListener(_:)`` does, and also when the user's tokens are new.
    ///
    /// - Parameter listener: Gets the current user.
    /// - Returns: The handle by which it is removed.
    @discardableResult public func addIDTokenDidChangeListener(
        _ listener: @escaping @MainActor (Auth, User?) -> Void
    ) -> IDTokenDidChangeListenerHandle { add(AuthListener(followsTokens: true, listener)) }

    /// Removes a listener.
    ///
    /// - Parameter listenerHandle: From ``addIDTokenDidChangeListener(_:)``.
    public func removeIDTokenDidChangeListener(_ listenerHandle: IDTokenDidChangeListenerHandle) {
        remove(listenerHandle)
    }

    /// Tells the listeners on the main actor what is new to them then.
    func notifyListeners() { Task { @MainActor in tellListeners() } }

    private func add(_ listener: AuthListener) -> AuthListener {
        state.withLock { $0.listeners.append(listener) }
        notifyListeners()
        return listener
    }

    private func remove(_ handle: any NSObjectProtocol) {
        state.withLock { $0.listeners.removeAll { $0 === handle } }
    }

    @MainActor private func tellListeners() {
        let (listeners, isRestored) = state.withLock { ($0.listeners, $0.isRestored) }
        guard isRestored else { return }
        for listener in listeners {
            // One listener may remove another, or sign out.
            let (isListening, user, tokens) = state.withLock { state in
                (state.listeners.contains { $0 === listener }, state.user, state.tokens)
            }
            if isListening { listener.tell(self, user, tokens) }
        }
    }
}

/// A listener with what it was told last.
final class AuthListener: NSObject, Sendable {
    private struct News: Sendable, Equatable {
        let userID: String?
        let tokens: Int?
    }

    private let followsTokens: Bool
    private let listener: @MainActor @Sendable (Auth, User?) -> Void
    private let told = Mutex<News?>(nil)

    init(followsTokens: Bool, _ listener: @escaping @MainActor @Sendable (Auth, User?) -> Void) {
        self.followsTokens = followsTokens
        self.listener = listener
    }

    /// Calls the listener, if that is news to it.
    @MainActor func tell(_ auth: Auth, _ user: User?, _ tokens: Int) {
        let news = News(userID: user?.uid, tokens: user != nil && followsTokens ? tokens : nil)
        let isNew = told.withLock { told in
            defer { told = news }
            return told != news
        }
        if isNew { listener(auth, user) }
    }
}

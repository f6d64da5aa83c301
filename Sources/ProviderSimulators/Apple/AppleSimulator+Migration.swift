extension AppleSimulator {
    /// Transfers an app to another team, as its owners do in App Store Connect.
    ///
    /// From now on keys of the recipient speak for the client, and for sixty days people can be carried over: ID tokens
    /// name them by the recipient's subject and by `transfer_sub`.
    public func transfer(_ application: Application, to teamID: String) {
        let now = clock.now
        core.withState { $0.transfer(application.clientID, to: teamID, now: now) }
    }
}

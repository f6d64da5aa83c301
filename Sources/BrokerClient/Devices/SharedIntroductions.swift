/// The introduction of a device that is under way, for all callers: two at once would be two devices.
actor SharedIntroductions {
    typealias Outcome = Result<SignInResult, BrokerAuthError>

    private var running: [ProviderID: Task<Outcome, Never>] = [:]

    /// Joins the introduction that is under way, or begins one. It continues when a caller is cancelled: others wait too.
    func outcome(
        at provider: ProviderID, _ introduce: @escaping @Sendable () async -> Outcome
    ) async -> Outcome {
        if let task = running[provider] { return await task.value }
        let task = Task {
            let outcome = await introduce()
            running[provider] = nil
            return outcome
        }
        running[provider] = task
        return await task.value
    }
}

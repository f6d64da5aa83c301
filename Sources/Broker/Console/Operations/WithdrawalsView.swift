import BrokerStore

/// The withdrawals of grants at providers.
struct WithdrawalsView: Sendable {
    let answer: ListWithdrawals.Answer
    /// The state that is shown; all that are not settled when nil.
    let state: Withdrawal.State?
    let labels: ProviderLabels
    let buttons: OperationButtons

    static let stateName = "state"
    static let maximum = 100

    static func operation(_ state: Withdrawal.State?) -> ListWithdrawals {
        ListWithdrawals(all: state.map { [.done, .dropped].contains($0) }, state: state, provider: nil, limit: maximum)
    }

    var page: ConsolePage {
        let choices: [(Withdrawal.State?, String)] = [
            (nil, "Open"), (.parked, "Parked"), (.dead, "Given up"), (.done, "Done"),
        ]
        let tabs = Markup.tabs(
            choices.map { choice, text in (address: Self.address(choice), text: text) }, current: Self.address(state))
        let hasParked = answer.withdrawals.contains { $0.state == Withdrawal.State.parked.rawValue }
        let all = hasParked ? buttons.button(RetryParkedWithdrawals.self, "Try all parked again") : ""
        let list: Markup =
            answer.withdrawals.isEmpty
            ? .empty("No withdrawals", isGood: state != .done)
            : .table(["Provider", "State", "Queued", ""], answer.withdrawals.map(row))
        return ConsolePage(
            title: "Withdrawals", section: .withdrawals,
            content: .head("Withdrawals", .actions([all])) + .panel("At providers", aside: tabs, list),
            commands: [Self.operation(state).commandLine].compactMap(\.self))
    }

    private static func address(_ state: Withdrawal.State?) -> String {
        ConsoleLink.address(ConsoleSection.withdrawals.path, state.map { [(stateName, $0.rawValue)] } ?? [])
    }

    private func row(_ withdrawal: WithdrawalAnswer) -> [Markup] {
        let id = [("receipt", withdrawal.receipt)]
        let isOpen = withdrawal.endedAt == nil || withdrawal.state == Withdrawal.State.dead.rawValue
        let actions =
            isOpen
            ? [
                buttons.button(RetryWithdrawal.self, "Try again", id, spoken: withdrawal.receipt),
                buttons.button(DropWithdrawal.self, "Drop", id, style: .careful, spoken: withdrawal.receipt),
            ] : []
        let tried = withdrawal.attempts == 1 ? "1 attempt" : "\(withdrawal.attempts) attempts"
        let detail = [tried, withdrawal.reason].compactMap(\.self).joined(separator: " · ")
        return [
            .named("\(labels.name(withdrawal.provider))", "<code>\(withdrawal.receipt)</code>"),
            .named(light(withdrawal.state), "\(detail)"), .moment(withdrawal.queuedAt), .actions(actions),
        ]
    }

    private func light(_ state: String) -> Markup {
        switch state {
        case Withdrawal.State.done.rawValue: .state(.good, "Done")
        case Withdrawal.State.parked.rawValue: .state(.warn, "Parked")
        case Withdrawal.State.dead.rawValue: .state(.bad, "Given up")
        case Withdrawal.State.dropped.rawValue: .state(.neutral, "Dropped")
        default: .state(.neutral, "Queued")
        }
    }
}

/// A simulator with the device flow (RFC 8628).
public protocol DeviceFlowSimulator: Simulator {}

extension DeviceFlowSimulator {
    /// Approves the device that shows `userCode`, as the user would on the device page.
    ///
    /// - Returns: `false` when no pending device shows this code.
    @discardableResult
    public func approveDevice(userCode: String, for person: State.Person) -> Bool {
        core.decideDevice(userCode: userCode, approvedBy: person.id)
    }

    /// Denies the device that shows `userCode`.
    ///
    /// - Returns: `false` when no pending device shows this code.
    @discardableResult
    public func denyDevice(userCode: String) -> Bool {
        core.decideDevice(userCode: userCode, approvedBy: nil)
    }
}

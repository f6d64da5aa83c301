extension ClientNetwork {
    /// The client whose request the current task answers; `nil` outside of requests.
    @TaskLocal static var current: ClientNetwork?
}

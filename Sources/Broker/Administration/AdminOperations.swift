/// All administrative operations. The routes, the command line and the API's description read this list.
package enum AdminOperations {
    package static let all: [any AdminOperation.Type] = [
        WhoAmI.self,
        ListUsers.self, ShowUser.self,
    ]
}

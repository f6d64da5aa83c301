import PostgreSQLTesting
import Testing

@testable import BrokerStore

@Suite("The search for users")
struct UserSearchTests {
    /// All pages of a search.
    private static func pages(
        _ search: UserSearch, limit: Int, in store: Store
    ) async throws -> [[String]] {
        var pages: [[String]] = []
        var position: UserSearch.Position?
        repeat {
            let page = try await store.read { [position] in try $0.users(search, after: position, limit: limit) }
            pages.append(page.matches.map(\.user.localID))
            // As it travels to a client and back.
            let text = page.next?.text
            position = text.flatMap { UserSearch.Position($0, in: search) }
            #expect((position == nil) == (text == nil))
        } while position != nil
        return pages
    }

    private static func add(_ names: [String], to store: Store) async throws -> [User] {
        let users = names.map { name in
            var user = User.sample()
            (user.localID, user.displayName) = ("0\(randomText(27))", name)
            return user
        }
        for user in users { try await store.addUser(user) }
        return users
    }

    @Test(arguments: TestEngine.allCases)
    func `finds each user once, in the order of words, page by page`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let users = try await Self.add(["Ada Adams", "Adam", "Ada", "Grace", "Adams", "Ada"], to: store)
            let ids = users.map(\.localID)

            for limit in 1...6 {
                let pages = try await Self.pages(UserSearch(words: ["ada"]), limit: limit, in: store)
                #expect(pages.flatMap(\.self) == [ids[2], ids[5], ids[1], ids[0], ids[4]], "\(limit)")
                #expect(pages.allSatisfy { $0.count <= limit })
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `without words finds all users, the latest first`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let users = try await Self.add(["A", "B", "C", "D", "E"], to: store)

            let pages = try await Self.pages(UserSearch(words: []), limit: 2, in: store)

            #expect(pages.flatMap(\.self) == users.reversed().map(\.localID))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `filters by provider, state, kind and times`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let users = try await Self.add(["Eve One", "Eve Two", "Eve Three"], to: store)
            try await store.write { tx in
                _ = try tx.insert(Identity.sample(of: users[0], .sample(provider: "github.com")))
                _ = try tx.insert(Identity.sample(of: users[1], .sample(provider: "gitlab.com")))
                var device = Identity.sample(of: users[2], .sample(provider: "github.com"))
                device.isAnonymous = true
                _ = try tx.insert(device)
                #expect(try tx.setDisabled(true, userKey: users[1].key))
                try tx.recordSignIn(userKey: users[0].key, at: .seconds(afterNoon: 60))
                var later = users[2]
                later.createdAt = .seconds(afterNoon: 5)
                try tx.replace(later)
            }
            func names(_ change: (inout UserSearch) -> Void) async throws -> [[String?]] {
                var found: [[String?]] = []
                for words in [["eve"], []] {
                    var search = UserSearch(words: words)
                    change(&search)
                    let page = try await store.read { [search] in try $0.users(search, after: nil, limit: 50) }
                    found.append(page.matches.map(\.user.displayName).sorted { $0 ?? "" < $1 ?? "" })
                }
                return found
            }
            func both(_ names: String...) -> [[String?]] { [names, names] }

            #expect(try await names { $0.provider = "github.com" } == both("Eve One", "Eve Three"))
            #expect(try await names { $0.isDisabled = true } == both("Eve Two"))
            #expect(try await names { $0.isDisabled = false } == both("Eve One", "Eve Three"))
            #expect(try await names { $0.isAnonymous = true } == both("Eve Three"))
            #expect(try await names { $0.isAnonymous = false } == both("Eve One", "Eve Two"))
            #expect(try await names { $0.createdSince = .seconds(afterNoon: 1) } == both("Eve Three"))
            #expect(try await names { $0.createdBefore = .seconds(afterNoon: 1) } == both("Eve One", "Eve Two"))
            #expect(try await names { $0.signedInSince = .seconds(afterNoon: 60) } == both("Eve One"))
            #expect(try await names { $0.signedInBefore = .seconds(afterNoon: 60) } == both("Eve Three", "Eve Two"))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `says who a found user is`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let users = try await Self.add(["Eve", "Eva"], to: store)
            try await store.write { tx in
                _ = try tx.insert(Identity.sample(of: users[0], .sample(provider: "github.com")))
                _ = try tx.insert(Identity.sample(of: users[0], .sample(provider: "apple.com")))
                var device = Identity.sample(of: users[1], .sample(provider: "1pass.dev"))
                device.isAnonymous = true
                _ = try tx.insert(device)
            }

            let page = try await store.read { try $0.users(UserSearch(words: ["ev"]), after: nil, limit: 50) }

            #expect(page.matches.map(\.word) == ["eva", "eve"])
            #expect(page.matches.map(\.providers) == [["1pass.dev"], ["github.com", "apple.com"]])
            #expect(page.matches.map(\.isAnonymous) == [true, false])
            #expect(page.next == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `looks at a bounded number of words, and goes on where it ended`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let examined = UserSearch.steps.reduce(0, +)
            let users = try await Self.add((0..<examined + 20).map { "Eve \($0 % 10)" }, to: store)
            let last = try #require(users.last)
            _ = try await store.write { try $0.setDisabled(true, userKey: last.key) }
            var search = UserSearch(words: ["eve"])
            search.isDisabled = true

            let pages = try await Self.pages(search, limit: 50, in: store)

            #expect(pages == [[], [last.localID]])
            let full = try await Self.pages(UserSearch(words: ["eve"]), limit: 50, in: store)
            #expect(full.flatMap(\.self) == users.map(\.localID))
        }
    }

    @Test func `does not take another text for a place`() {
        let (search, all) = (UserSearch(words: ["ev"]), UserSearch(words: []))
        for text in ["", "1", "1 ", "x eve", "-1 eve", "1 eve\u{0}", "1 bob", "1 e"] {
            #expect(UserSearch.Position(text, in: search) == nil, "\(text)")
        }
        #expect(UserSearch.Position("1 eve", in: search) != nil)
        #expect(UserSearch.Position("1 eve", in: all) == nil)
        #expect(UserSearch.Position("1 ", in: all) != nil)
    }
}

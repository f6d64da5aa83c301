import ArgumentParser
import Testing

@testable import BrokerCommand

@Suite("Completion of ids")
struct IDCompletionTests {
    @Test func `ids that begin so are offered, and none that a shell would expand`() {
        let ids = [
            "ann", "anna-1", "ben", "an$(touch x)", "an`x`", "an;x", "an x", "an\nx", "an:x", "-an", "an*", "an@b.c",
        ]

        #expect(IDCompletion.offered(ids, beginningWith: "an") == ["ann", "anna-1", "an@b.c"])
        #expect(IDCompletion.offered(ids, beginningWith: "") == ["ann", "anna-1", "ben", "an@b.c"])
        #expect(IDCompletion.offered((1...500).map { "u\($0)" }, beginningWith: "u").count == 100)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `the scripts of all shells ask the program for ids`(shell: String) {
        let script = RootCommand.completionScript(for: shell == "bash" ? .bash : shell == "zsh" ? .zsh : .fish)

        #expect(script.contains("---completion reauth -- --user"), "\(shell)")
    }
}

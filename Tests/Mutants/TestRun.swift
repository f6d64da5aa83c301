import Foundation
import Mutation
import Testing

/// Grades mutants by the plugins' own tests. Reads lines `TARGET NUMBER SUITE…` and answers each with
/// `TARGET NUMBER RESULT`: `tested SUITE` or `survived`. For number 0 the answer is, for each suite, the mutants that the
/// unchanged plugin reaches.
@main
enum TestRun {
    static func main() async {
        // Tests print too, and a line of theirs is no answer.
        let answers = dup(STDOUT_FILENO)
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO)
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            guard words.count >= 2, let number = Int(words[1]) else { continue }
            let suites = Array(words.dropFirst(2))
            let result =
                await number == 0 ? baseline(words[0], suites) : result(of: number, words[0], suites)
            let answer = Array("\(words[0]) \(words[1]) \(result)\n".utf8)
            guard write(answers, answer, answer.count) == answer.count else { return }
        }
    }

    private static func baseline(_ target: String, _ suites: [String]) async -> String {
        var (failures, reached): ([String], [String]) = ([], [])
        for suite in suites {
            if await !passes(suite, of: target, mutant: 0) { failures.append(suite) }
            reached.append("\(suite)=" + Mutation.reached.sorted().map(String.init).joined(separator: ","))
        }
        return failures.isEmpty
            ? "reached " + reached.joined(separator: " ") : "FAILED " + failures.joined(separator: " ")
    }

    private static func result(of number: Int, _ target: String, _ suites: [String]) async -> String {
        for suite in suites where await !passes(suite, of: target, mutant: number) { return "tested \(suite)" }
        return "survived"
    }

    private static func passes(_ suite: String, of target: String, mutant: Int) async -> Bool {
        Mutation.active = mutant
        var arguments = __CommandLineArguments_v0()
        arguments.filter = ["^\(target)\\.\(suite)/"]
        // What a mutant remembers is forgotten with each new instance of the plugin.
        arguments.parallel = false
        arguments.quiet = true
        return await __swiftPMEntryPoint(passing: arguments) == EXIT_SUCCESS
    }
}

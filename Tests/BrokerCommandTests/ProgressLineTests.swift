import Broker
import Synchronization
import Testing

@testable import BrokerCommand

@Suite("The progress of long work")
struct ProgressLineTests {
    /// A progress line with a clock and the lines that it wrote.
    private final class Scene: Sendable {
        private let state = Mutex((now: ContinuousClock.now, lines: [String]()))

        var lines: [String] { state.withLock { $0.lines } }

        func line(isTerminal: Bool) -> ProgressLine {
            ProgressLine(isTerminal: isTerminal, clock: { self.state.withLock { $0.now } }) { text in
                self.state.withLock { $0.lines.append(text.description) }
            }
        }

        func pass(_ duration: Duration) { state.withLock { $0.now += duration } }
    }

    @Test func `at a terminal it is rewritten a few times a second, with the rate and the time that is left`() {
        let scene = Scene()
        let line = scene.line(isTerminal: true)

        for done in stride(from: 0, through: 3000, by: 10) {
            line.note("importing", done, of: 12_000, "users")
            scene.pass(.milliseconds(10))
        }

        #expect(scene.lines.count == 16, "\(scene.lines)")
        #expect(scene.lines.first == "importing: 0 of 12000 users")
        #expect(scene.lines.last == "importing: 3000 of 12000 users, 1000 a second, 0:09 min left")
    }

    @Test func `elsewhere it is a line every five seconds, and nothing for what is done sooner`() {
        let scene = Scene()
        let line = scene.line(isTerminal: false)

        for done in 0..<49 {
            line.note("exporting", done, "users")
            scene.pass(.milliseconds(100))
        }
        #expect(scene.lines == [])
        for done in 49..<160 {
            line.note("exporting", done, "users")
            scene.pass(.milliseconds(100))
        }

        #expect(
            scene.lines == [
                "exporting: 50 users, 10 a second", "exporting: 100 users, 10 a second",
                "exporting: 150 users, 10 a second",
            ])
    }

    @Test func `another title begins another measurement, and what was done before an interruption is no rate`() {
        let scene = Scene()
        let line = scene.line(isTerminal: true)

        line.note("copying", 5000, of: 6000, "rows")
        scene.pass(.seconds(2))
        line.note("copying", 5010, of: 6000, "rows")
        line.note("comparing", 0, of: 6000, "rows")
        scene.pass(.seconds(4))
        line.note("comparing", 3, of: 4, "rows")

        #expect(
            scene.lines == [
                "copying: 5000 of 6000 rows", "copying: 5010 of 6000 rows, 5.0 a second, 3:18 min left",
                "comparing: 0 of 6000 rows", "comparing: 3 of 4 rows, 0.8 a second, 0:02 min left",
            ])
    }

    @Test func `the same work on something else begins another measurement too`() {
        let scene = Scene()
        let line = scene.line(isTerminal: true)

        line.note("reading", 0, of: 100, "rows")
        scene.pass(.seconds(10))
        line.note("reading", 100, of: 100, "rows")
        line.note("reading", 50, of: 200, "rows")
        scene.pass(.seconds(1))
        line.note("reading", 100, of: 200, "rows")

        #expect(
            scene.lines.dropFirst(2) == [
                "reading: 50 of 200 rows", "reading: 100 of 200 rows, 50 a second, 0:02 min left",
            ])
    }

    @Test func `more than there was at first is no negative time`() {
        let text = ProgressLine.text("copying", 12, of: 10, "rows", since: 0, in: .seconds(3))

        #expect(text.description == "copying: 12 of 12 rows, 4.0 a second")
        #expect(Countdown.time(3725) == "1:02 h" && Countdown.time(61) == "1:01 min")
    }
}

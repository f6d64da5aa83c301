import Testing

@testable import Broker

@Suite("The code a user enters")
struct UserCodeTests {
    @Test(arguments: [
        "BCDF-GHJK", "bcdf-ghjk", "BCDFGHJK", " bCdF gHjK ", "B-C-D-F-G-H-J-K", "BCDF\u{2013}GHJK",
        "BCDF\u{A0}GHJK",
    ])
    func `case, blanks and dashes do not matter`(typed: String) {
        #expect(UserCode(typed: typed)?.text == "BCDF-GHJK")
    }

    @Test(arguments: [
        "", "-", "BCDF-GHJ", "BCDF-GHJKL", "ACDF-GHJK", "BCDF-GHJ1", "BCDF_GHJK", "BCDF-GHJ\u{212A}",
        "BCDF-GHJK\u{301}", "ВCDF-GHJK", "\u{22}CDF-GHJK", "BCDF-GHJ\n",
    ])
    func `what is no code is none`(typed: String) {
        #expect(UserCode(typed: typed) == nil)
    }

    @Test func `new codes use every letter, and what is shown can be typed in`() throws {
        let codes = (0..<400).map { _ in UserCode.draw() }

        #expect(Set(codes).count == codes.count)
        #expect(Set(codes.flatMap { $0.text.utf8 }).count == 21, "twenty letters and the dash")
        for code in codes { #expect(UserCode(typed: code.text) == code) }
    }
}

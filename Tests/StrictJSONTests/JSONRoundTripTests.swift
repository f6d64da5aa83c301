import StrictJSON
import Testing

@Suite("JSON survives writing, reading and hostile input")
struct JSONRoundTripTests {
    static let seeds: [UInt64] = (0..<4).map { _ in .random(in: .min ... .max) }

    @Test(arguments: seeds)
    func `what was written is read again`(seed: UInt64) throws {
        var documents = RandomDocuments(seed: seed)

        for _ in 0..<300 {
            let value = documents.value()
            let text = value.serialized()
            #expect(try JSONValue(parsing: text) == value, "seed \(seed)")
            #expect(try JSONValue(parsing: text).serialized() == text, "seed \(seed)")
        }
    }

    @Test(arguments: seeds)
    func `a damaged document is read or refused, and what was read can be written`(seed: UInt64) throws {
        var documents = RandomDocuments(seed: seed)
        var refused = 0

        for _ in 0..<2000 {
            var bytes = Array(documents.value(depth: 3).serialized().utf8)
            documents.mutate(&bytes)
            guard let value = try? JSONValue(parsing: bytes) else {
                refused += 1
                continue
            }
            #expect(try JSONValue(parsing: value.serialized()) == value, "seed \(seed)")
        }

        #expect(refused > 100)
    }

    @Test(arguments: seeds)
    func `random bytes are read or refused`(seed: UInt64) throws {
        var documents = RandomDocuments(seed: seed)
        let alphabets = [Array(UInt8.min ... .max), Array(#"{}[]:,"\u0dDaAeE+-.12 tfn"#.utf8), Array("[{\"".utf8)]

        for round in 0..<6000 {
            let bytes = documents.bytes(round % 40, of: alphabets[round % alphabets.count])
            guard let value = try? JSONValue(parsing: bytes) else { continue }
            #expect(try JSONValue(parsing: value.serialized()) == value, "seed \(seed)")
        }
    }

    @Test(arguments: [
        ("\u{0}\u{1}\u{1F}", #""\u0000\u0001\u001f""#), ("\"\\/", #""\"\\/""#), ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
        ("\u{7F}\u{2028}😀é", "\"\u{7F}\u{2028}😀é\""),
    ])
    func `only what must be escaped is escaped`(string: String, text: String) {
        #expect(JSONValue.string(string).serialized() == text)
    }

    @Test func `a document is written without white space`() {
        let value: JSONValue = ["a": [1, nil, true, false], "b": ["c": -2], "d": [:], "e": []]

        #expect(value.serialized() == #"{"a":[1,null,true,false],"b":{"c":-2},"d":{},"e":[]}"#)
    }
}

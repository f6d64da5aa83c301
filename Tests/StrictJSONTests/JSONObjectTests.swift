import StrictJSON
import Testing

@Suite("JSON objects keep their members in order")
struct JSONObjectTests {
    @Test func `members keep their order, and a changed one its place`() {
        var object: JSONObject = ["b": 1, "a": 2, "c": 3]

        object["a"] = 4
        object["d"] = 5
        object["b"] = nil

        #expect(object.names == ["a", "c", "d"])
        #expect(object.serialized() == #"{"a":4,"c":3,"d":5}"#)
    }

    @Test(arguments: [3, 15, 16, 17, 40])
    func `members are found whether there are few or many`(count: Int) {
        var object = JSONObject((0..<count).map { ("n\($0)", .integer($0)) })

        object["n1"] = nil
        object["last"] = true

        #expect(object.count == count)
        #expect(object["n0"] == 0)
        #expect(object["n1"] == nil)
        #expect(object["n\(count - 1)"] == .integer(count - 1))
        #expect(object["last"] == true)
    }

    @Test func `names that begin, end and count alike are different members`() {
        let names = [
            "", "a", "\0a", "abcdefg", "abcdefgh", "beginning-1-and-the-end", "beginning-2-and-the-end", "e\u{301}",
            "\u{E9}",
        ]
        var object = JSONObject()

        for (number, name) in names.enumerated() { object[name] = .integer(number) }

        #expect(object.names.map { Array($0.utf8) } == names.map { Array($0.utf8) })
        for (number, name) in names.enumerated() { #expect(object[name] == .integer(number)) }
        #expect(object["beginning-3-and-the-end"] == nil)
    }

    @Test func `of several members with one name the last is used`() {
        #expect(JSONObject([("a", 1), ("b", 2), ("a", 3)]).serialized() == #"{"a":3,"b":2}"#)
    }

    @Test func `equality ignores the order of members and nothing else`() {
        #expect(["a": 1, "b": 2] as JSONObject == ["b": 2, "a": 1])
        #expect(["a": 1] as JSONObject != ["a": 1, "b": 2])
        #expect(["a": 1] as JSONObject != ["a": 2])
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
        #expect(JSONValue.array([1, 2]) != [2, 1])
        #expect(JSONValue.null != false)
    }

    @Test func `a value answers only for what it is`() {
        let value: JSONValue = ["text": "1", "flag": true, "number": 1, "list": [nil]]

        #expect(value["text"]?.integer == nil)
        #expect(value["text"]?.string == "1")
        #expect(value["flag"]?.bool == true)
        #expect(value["number"]?.bool == nil)
        #expect(value["number"]?.integer == 1)
        #expect(value["list"]?.array == [nil])
        #expect(value["list"]?["text"] == nil)
        #expect(value["absent"] == nil)
        #expect(value.object?.isEmpty == false)
    }
}

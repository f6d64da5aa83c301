import Testing

@Suite("The emulator stands apart")
struct EmulatorTests {
    private static let folder = "Sources/BrokerCommand/Demo/Emulator/"

    @Test func `only the demo's command names a type of the emulator`() throws {
        let files = try Repository.swiftFiles(below: "Sources")
        let types = files.filter { $0.path.hasPrefix(Self.folder) }.reduce(into: Set<String>()) {
            $0.formUnion(SourceNames($1).types)
        }
        let users = files.filter {
            !$0.path.hasPrefix(Self.folder) && !SourceNames($0).usedTypes.isDisjoint(with: types)
        }

        #expect(types.isSuperset(of: ["Emulator", "EmulatorGateway", "EmulatedProvider", "UnsignedToken"]))
        #expect(users.map(\.path) == ["Sources/BrokerCommand/Demo/DemoCommand.swift"])
    }

    @Test func `the broker knows of no emulator`() throws {
        let files = try Repository.swiftFiles(below: "Sources/Broker", "Sources/BrokerStore", "Sources/JOSE")
        let flags = files.filter { $0.code.contains { $0.contains("isEmulator") || $0.contains("emulatorMode") } }

        #expect(flags.map(\.path) == [])
    }
}

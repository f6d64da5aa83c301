import Foundation
import StoreSchema

/// Writes the generated files of the package in the current folder, and removes records whose table is gone.
@main
enum StoreGenerator {
    static func main() throws {
        let root = URL(filePath: FileManager.default.currentDirectoryPath)
        let files = try GeneratedFile.all(in: root)
        let records = root.appending(path: GeneratedFile.recordFolder)
        try FileManager.default.createDirectory(at: records, withIntermediateDirectories: true)
        let names = Set(files.map(\.path))
        for name in try FileManager.default.contentsOfDirectory(atPath: records.path)
        where !names.contains("\(GeneratedFile.recordFolder)/\(name)") {
            try FileManager.default.removeItem(at: records.appending(path: name))
        }
        for file in files {
            let url = root.appending(path: file.path)
            // A file that stays as it is costs no compilation.
            guard (try? String(contentsOf: url, encoding: .utf8)) != file.text else { continue }
            try file.text.write(to: url, atomically: true, encoding: .utf8)
            print("generate: \(file.path)")
        }
    }
}

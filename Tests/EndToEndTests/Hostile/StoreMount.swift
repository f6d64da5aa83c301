import Foundation

/// A file system that only one broker sees, mounted over its data folder.
enum StoreMount {
    /// What a broker is run through to have `kibibytes` of room for its store and nothing in it.
    static func small(kibibytes: Int) -> [String] {
        namespace("mount -t tmpfs -o size=\(kibibytes)k,mode=700 none data")
    }

    /// What a broker is run through when its operator mounted the store's folder read-only.
    static let readOnly = namespace("mount --bind data data && mount -o remount,ro,bind data")

    /// Whether this host lets a process have mounts of its own.
    static let isAllowed: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        let trial = namespace("mount -t tmpfs none /mnt") + ["true"]
        process.arguments = ["-c", #""$@""#, "sh"] + trial
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Where a file of the broker lies when it is seen from outside.
    static func path(of file: String, seenBy process: BrokerProcess) -> String {
        "/proc/\(process.identifier)/root\(file)"
    }

    private static func namespace(_ mount: String) -> [String] {
        ["unshare", geteuid() == 0 ? "-m" : "-rm", "sh", "-c", "\(mount) && exec \"$@\"", "sh"]
    }
}

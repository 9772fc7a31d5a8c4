package import Foundation

extension URL {
    /// The folders that a file or folder lies in, the nearest first and without the root.
    package var foldersAbove: some Sequence<URL> {
        sequence(first: deletingLastPathComponent()) { $0.deletingLastPathComponent() }
            .prefix { $0.path != "/" }
    }
}

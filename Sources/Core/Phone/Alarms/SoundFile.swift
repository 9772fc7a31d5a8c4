/// A sound file that an app has put where the system looks for it: the root of its bundle, or
/// Library/Sounds.
package struct SoundFile: Sendable, Hashable {
    /// The file's name, without a folder.
    package var name: String
    /// How long it plays.
    package var length: Duration

    /// Names a file.
    package init(_ name: String, length: Duration) {
        self.name = name
        self.length = length
    }
}

/// A sound as an app asks for it.
package enum SoundName: Sendable, Hashable {
    /// The system's.
    case standard
    /// The app's file of this name.
    case named(String)
}

/// What the system plays for a sound that an app asked for.
package enum SystemSound: Sendable, Hashable {
    /// The system's own.
    case standard
    /// The app's file.
    case file(SoundFile)
    /// A short error tone in the place of the app's file.
    case errorTone

    /// The longest file that is played (Apple, `UNNotificationSound`: custom sounds must be under
    /// 30 seconds).
    static let lengthMax: Duration = .seconds(30)

    /// Finds what is played for `name`.
    ///
    /// A folder in the name, a file that is not there and one that is too long give the system's sound,
    /// without an error (Apple, `UNNotificationSound`; nightscout/Trio, pull requests 1375 and 1552).
    static func resolve(_ name: SoundName, among files: [SoundFile]) -> SystemSound {
        guard case .named(let name) = name,
            let file = files.first(where: { $0.name == name }), file.length <= lengthMax
        else { return .standard }
        return .file(file)
    }
}

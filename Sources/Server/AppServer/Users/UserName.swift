public import SansIO

/// A user's name: its bytes, whatever Unicode says of them.
///
/// Swift's `==` takes two spellings of an accented letter for one text (Unicode Standard Annex 15), and a
/// name that looks like another's would share their calls. Whatever the server keeps of a user it keeps
/// under this, so that nothing but this says who is the same.
struct UserName: Sendable, Hashable {
    /// As requests and answers have it.
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (one: UserName, other: UserName) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// From when until when a session is valid; whole seconds.
///
/// Tells a user's sessions apart: each begins in a second of its own, and after a restart, which
/// forgets those seconds, a new one ends later than those before.
public struct SessionSpan: Sendable, Hashable {
    /// The first second in which it is valid.
    public var began: WallTime
    /// The last one.
    public var expires: WallTime

    /// Makes a span.
    public init(began: WallTime, expires: WallTime) {
        self.began = began
        self.expires = expires
    }
}

/// The session that a request carries.
struct Session {
    let user: UserName
    let span: SessionSpan
    /// The device that asks, if it gives its identity.
    let device: String?
}

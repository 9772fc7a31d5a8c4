/// Why a payload is no call (VP-01).
public enum PayloadRefusal: Error, Sendable, Hashable {
    /// It is no object.
    case notAnObject
    /// Its values lie deeper in one another than 8.
    case tooDeep
    /// It has more than 512 values.
    case tooManyValues
    /// Its names and texts have more than 5,120 bytes, which no VoIP push can have.
    case tooLarge
    /// A field that must be there is not.
    case missing(PayloadField)
    /// A field stands there twice.
    case repeated(PayloadField)
    /// A field has another type.
    case wrongType(PayloadField)
    /// A field has a value that it may not have.
    case wrongValue(PayloadField)
    /// A text has no character that can be seen.
    case blank(PayloadField)
    /// A text is too long.
    case tooLong(PayloadField)
    /// A text has a character that it may not have: in a name of the server's anything but ASCII letters,
    /// digits, hyphen and underscore; in a person's, what controls or disguises text.
    case forbiddenCharacter(PayloadField)
}

/// The fields of a payload that mean something here.
public enum PayloadField: String, Sendable, Hashable, CaseIterable {
    /// What APNs itself reads.
    case aps
    /// Always 1.
    case contentAvailable = "content-available"
    /// What kind of message it is.
    case type
    /// The call's identity, made by the caller: up to 64 letters, digits, `-`, `_`.
    case callId
    /// The caller's identity, a text of up to 128 bytes (D-02).
    case fromUserId
    /// How the caller is called: up to 256 bytes.
    case fromDisplayName
    /// The room that both sides meet in: up to 128 letters, digits, `-`, `_`.
    case room
    /// Whether the caller offers pictures; optional, no.
    case hasVideo
    /// Until when the call rings, in seconds since 1970; optional (D-03).
    case expiresAt
    /// Why a call ended.
    case reason
}

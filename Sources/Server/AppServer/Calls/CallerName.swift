import TextFormats

/// How callers are called.
extension APIServerSettings {
    /// The longest name that apps take, in bytes of UTF-8.
    static let callerNameBytesMax = 256

    /// A caller's name as apps take it; their identity if nothing of it is left.
    ///
    /// A push with a name that is too long, cannot be seen or holds controls, as a pasted one may, is none
    /// to an app, which has to report it all the same: as a call of nobody's.
    func callerName(of user: UserName) -> String {
        // The dictionary takes a name for another spelling of it.
        let named = displayNames.index(forKey: user.text).map { displayNames[$0] }
        let said = named.flatMap { UserName($0.key) == user ? $0.value : nil } ?? ""
        let shown = said.unicodeScalars.filter { !TextCharacters.isForbidden($0) }
        var name = String(String.UnicodeScalarView(shown))
        while name.utf8.count > Self.callerNameBytesMax { name.removeLast() }
        return name.unicodeScalars.contains(where: TextCharacters.isVisible) ? name : user.text
    }
}

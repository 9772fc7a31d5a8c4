import CoachExchange
import SansIO
import TextFormats

// What the store keeps of machines, as JSON.

extension VoiceProgress {
    /// The text that the store keeps.
    package var text: String {
        let members: [(String, JSON?)]
        switch self {
        case .none: members = []
        case .sealed(let offer):
            members = [
                ("sealed", .string(offer.profile)), ("version", .integer(offer.consentVersion)),
                ("consented", .integer(offer.consented.secondsSince1970)),
                ("salt", .string(Base64URL.encode(offer.salt))),
                ("parts", .integer(Int64(offer.partCount))),
            ]
        case .registered(let profile, let voice):
            members = [("registered", .string(profile)), ("voice", .string(voice))]
        case .deleting(let profile): members = [("deleting", .string(profile))]
        }
        return JSON.object(of: members).text
    }

    /// Reads it; `nil` if it is anything else.
    package init?(text: String) {
        guard let json = try? JSONReader.read(text.utf8) else { return nil }
        if let profile = json["sealed"]?.string {
            guard let version = json["version"]?.integer, let time = json["consented"]?.integer,
                let salt = (json["salt"]?.string).flatMap({ Base64URL.decode($0[...]) }),
                let parts = json["parts"]?.integer, (1...128).contains(parts)
            else { return nil }
            self = .sealed(
                CloneOffer(
                    profile: profile,
                    consentVersion: version,
                    consented: WallTime(secondsSince1970: time),
                    salt: salt,
                    partCount: Int(parts)
                )
            )
        } else if let profile = json["registered"]?.string {
            guard let voice = json["voice"]?.string else { return nil }
            self = .registered(profile: profile, voice: voice)
        } else if let profile = json["deleting"]?.string {
            self = .deleting(profile: profile)
        } else {
            self = .none
        }
    }
}

extension EntitlementRecord {
    /// The text that the store keeps.
    package var text: String {
        JSON.object(of: [
            ("subscription", subscription?.json),
            ("fetched", fetched.map { .integer($0.nanosecondsSince1970) }),
            ("latestKnown", latestKnown.map { .integer($0.nanosecondsSince1970) }),
        ]).text
    }

    /// Reads it; `nil` if it is anything else.
    package init?(text: String) {
        guard let json = try? JSONReader.read(text.utf8) else { return nil }
        func time(_ name: String) -> WallTime? {
            json[name]?.integer.map(WallTime.init(nanosecondsSince1970:))
        }
        self.init(
            subscription: json["subscription"].flatMap { SignedSubscription($0) },
            fetched: time("fetched"),
            latestKnown: time("latestKnown")
        )
    }
}

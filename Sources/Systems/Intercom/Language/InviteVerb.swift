import KodamaLanguage
import SansIO

extension Verb {
    /// Somebody invites somebody.
    static let invite: Verb = {
        let phone = Shape.reference(.phoneRunning(IntercomAppPlan.system))
        let channels = [
            Choice(word: "airdrop", summary: "A file of JSON."),
            Choice(word: "qr", summary: "A URL in a QR code that the other phone's camera reads."),
            Choice(word: "message", summary: "A URL in a message."),
        ]
        let shape = MappingShape(
            name: "invite",
            noun: "'invite'",
            summary: "Somebody makes an invite to their group, which comes to another phone.",
            fields: [
                Field("from", phone, .refused, "Whose user invites."),
                Field("to", phone, .refused, "To which phone the invite comes."),
                Field("by", .choice(channels, noun: "channel"), .refused, "How it comes there."),
                Field("takes", .span, .means("2s"), "How long it is on its way."),
                Field("valid_for", .span, "How long it is valid; for ever if nobody says."),
                Field("altered", .boolean, .means("false"), "Whether a bit changes on the way."),
                Field(
                    "copies",
                    .integer(1...10, step: 1),
                    .means("1"),
                    "How often it comes, 'takes' apart."
                ),
            ]
        )
        return Verb("invite", shape.summary, .mapping(shape)) { body, builder in
            let kind = NameKind.phoneRunning(IntercomAppPlan.system)
            let from = builder.refer(body["from"], to: kind)
            let to = builder.refer(body["to"], to: kind)
            builder.checkInvite(from, at: body["from"])
            builder.checkInvite(to, at: body["to"])
            builder.checkGuest(to, of: from, at: body["to"])
            guard let from, let to, let channel = body["by"]?.text.flatMap(InviteChannel.init),
                let delay = body["takes"]?.duration, let copies = body["copies"]?.number,
                let isAltered = body["altered"]?.boolean
            else { return nil }
            let made = IntercomAct.makeInvite(
                for: to,
                by: channel,
                validFor: body["valid_for"]?.duration
            )
            let taken = IntercomAct.takeInvite(from: from, isAltered: isAltered)
            func app(_ phone: String) -> String {
                AppPlan.component(IntercomAppPlan.system, on: phone)
            }
            var deed = Deed(TimedAct(made, to: app(from)))
            for copy in 1...Int(copies) {
                deed.acts.append(TimedAct(taken, to: app(to), after: delay * copy))
            }
            return deed
        }
    }()
}

extension PlanBuilder {
    /// Refuses an invite by or to an app that knows none.
    fileprivate mutating func checkInvite(_ phone: String?, at value: CheckedValue?) {
        guard let phone, let value,
            let app = phones[phone]?.settings(of: IntercomAppPlan.self), !app.isSecured
        else { return }
        report(
            "'\(phone)' has an intercom that is not secured, and so knows no invites",
            code: "unsecured-invite",
            hint: "write 'secured: true' for it, or leave the invite out",
            at: value
        )
    }

    /// Refuses an invite that comes to whoever made it.
    fileprivate mutating func checkGuest(
        _ guest: String?,
        of host: String?,
        at value: CheckedValue?
    ) {
        guard let guest, guest == host, let value else { return }
        report(
            "'\(guest)' is invited by itself",
            code: "own-invite",
            hint: "name another phone, or leave the invite out",
            at: value
        )
    }
}

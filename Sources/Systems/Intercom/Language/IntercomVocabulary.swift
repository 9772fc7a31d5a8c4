import AppCoordination
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import PeerTransport
import SansIO

extension Vocabulary {
    /// The mountain intercom.
    static let intercom: Vocabulary = {
        var vocabulary = Vocabulary(of: IntercomAppPlan.system)
        var app = AppShape(
            of: IntercomAppPlan.system,
            "The mountain intercom: people of one group talk over links between their phones.",
            fields: [
                Field(
                    "group",
                    .name,
                    "The group that its user is in; without one a secured app waits for an invite, another is "
                        + "never opened."
                ),
                Field(
                    "secured",
                    .boolean,
                    .means("false"),
                    "Whether members find one another, prove who they are, and use radio and Internet; "
                        + "if not, phones with a link talk over it at once and unsealed."
                ),
                Field(
                    "shows",
                    .name,
                    "The group for whose member it passes itself off until it has to prove it; without it, its "
                        + "own."
                ),
            ],
            // With secured voice a phone without a group waits for an invite.
            opens: {
                let isInvited = $0["secured"]?.boolean ?? false
                return $0.field("group") == nil && !isInvited ? "never" : "already"
            },
            read: { body, tuning, builder in
                var app = IntercomAppPlan()
                app.group = body["group"]?.text
                app.isSecured = body["secured"]?.boolean ?? false
                app.shownGroup = body["shows"]?.text
                app.configuration = tuning[IntercomConfiguration.self]
                app.grouping = tuning[GroupTuning.self]
                if let opens = body["opens"], body.field("group") == nil, !app.isSecured,
                    opens.text != "never"
                {
                    builder.reportMissing(
                        "group",
                        inside: "an intercom app that is opened",
                        summary: "The group that its user is in.",
                        at: opens
                    )
                }
                if let shown = body["shows"], !app.isSecured {
                    builder.report(
                        "'shows' does nothing: an app that is not secured shows nobody its group",
                        code: "shows-unsecured",
                        hint: "write 'secured: true' as well, or leave 'shows' out",
                        at: shown
                    )
                }
                return app
            }
        )
        app.voices = [.real, .sized]
        app.usesLinks = true
        app.circle = { ($0 as? IntercomAppPlan)?.group }
        app.reachesFar = { ($0 as? IntercomAppPlan)?.isSecured ?? false }
        vocabulary.app = app
        vocabulary.verbs = [.peerRadio, .invite]
        vocabulary.userWords = [
            UserWord("leave-group", "Leaves the group.", .inside(IntercomAppPlan.system)) { _ in
                IntercomAct.leaveGroup
            },
            UserWord("join-group", "Chooses the group again.", .inside(IntercomAppPlan.system)) {
                _ in IntercomAct.joinGroup
            },
            .makeGroup,
        ]
        vocabulary.userWords += muting
        vocabulary.servers = ["match"]
        vocabulary.parameters = ParameterCatalog(joining: [.intercom, .group, .groupServices])
        vocabulary.dataNeeds = .intercom
        vocabulary.asSpecified = { tuning in
            tuning[IntercomConfiguration.self].jitterBuffer.floor = .milliseconds(20)
            tuning[IntercomConfiguration.self].jitterBuffer.ceiling = .milliseconds(60)
        }
        vocabulary.start = FirstIntercom.scenario
        vocabulary.tour = FirstIntercom.tour
        return vocabulary
    }()

    private static let muting: [UserWord] = {
        var words = UserWord.muting(
            IntercomAppPlan.system,
            mute: IntercomAct.mute,
            unmute: IntercomAct.unmute
        )
        for index in words.indices {
            words[index].unheeded = { settings in
                guard let app = settings as? IntercomAppPlan, !app.isSecured, app.group == nil
                else { return nil }
                return UserWord.Unheeded(
                    reason: "an intercom in no group is never opened",
                    hint: "give the intercom a 'group', or leave the act out"
                )
            }
        }
        return words
    }()
}

extension UserWord {
    /// What only a secured app heeds: another is in the group that the scenario gives it.
    fileprivate static let makeGroup: UserWord = {
        var word = UserWord(
            "make-group",
            "Makes a new group, in none so far.",
            .inside(IntercomAppPlan.system)
        ) { _ in IntercomAct.makeGroup }
        word.unheeded = { settings in
            guard let app = settings as? IntercomAppPlan, !app.isSecured else { return nil }
            return UserWord.Unheeded(
                reason: "an app that is not secured is in the group that the scenario gives it",
                hint: "write 'secured: true' in its app, or leave the act out"
            )
        }
        word.vain = { settings, before in
            var isMember = (settings as? IntercomAppPlan)?.group != nil
            for act in before {
                switch act as? IntercomAct {
                case .makeGroup: isMember = true
                // What is chosen, and whether an invite leads anywhere, shows in the run.
                case .leaveGroup, .joinGroup, .takeInvite: isMember = false
                default: break
                }
            }
            return isMember ? "its user is in a group, and has not left it" : nil
        }
        return word
    }()
}

extension Verb {
    /// A phone's radio for phones nearby is switched.
    fileprivate static let peerRadio: Verb = {
        let fields = [
            Field(
                "of",
                .reference(.phoneRunning(IntercomAppPlan.system)),
                .refused,
                "The phone, which has the intercom."
            ),
            Field(
                "is",
                .choice(
                    [
                        Choice(word: "off", summary: "Nothing passes to or from phones nearby."),
                        Choice(word: "on", summary: "It looks for phones nearby again."),
                    ],
                    noun: "state of a radio"
                ),
                .refused,
                "What it is from then on."
            ),
        ]
        let summary = "A phone's radio for phones nearby is switched off or on."
        let shape = MappingShape(
            name: "peer_radio",
            noun: "'peer-radio'",
            summary: summary,
            fields: fields
        )
        return Verb("peer-radio", summary, .mapping(shape)) { body, builder in
            let phone = builder.refer(body["of"], to: .phoneRunning(IntercomAppPlan.system))
            guard let phone, let state = body["is"]?.text else { return nil }
            let app = AppPlan.component(IntercomAppPlan.system, on: phone)
            return Deed(TimedAct(IntercomAct.peerRadio(isOn: state == "on"), to: app))
        }
    }()
}

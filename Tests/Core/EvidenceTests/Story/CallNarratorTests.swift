import Testing

@Suite("Calls, and what users do in them, are told as what they were (HN-06)")
struct CallNarratorTests {
    @Test("Of several devices that answer a call each is told its own answer, others the first")
    func twoAnswers() throws {
        let told = try Told.lines(
            "aoi-phone,ren-phone,ren-pad,aoi-phone.calls,ren-phone.calls,ren-pad.calls,api",
            """
            1000 aoi-phone user.acted - action=dial
            1200 api call.placed aoi-phone.calls call=1
            2000 ren-phone.calls call.ringing - call=1
            2000 ren-pad.calls call.ringing - call=1
            5000 ren-phone.calls call.ring-ended - call=1 end=answered
            6000 ren-pad.calls call.ring-ended - call=1 end=answered
            7000 aoi-phone.calls call.connected - call=1
            7500 ren-pad.calls call.connected - call=1
            8000 aoi-phone.calls call.voice-flowing ren-pad.calls call=1 heard_ns=8100000000
            8000 ren-pad.calls call.voice-flowing aoi-phone.calls call=1 heard_ns=8100000000
            """
        )
        #expect(
            told.suffix(3) == [
                "2 s after the call was answered: the app says that call 1 is connected.",
                "1.5 s after the call was answered: the app says that call 1 is connected.",
                "3.1 s after the call was answered: both hear each other in call 1.",
            ]
        )
    }

    @Test("A call is over for all when its last device says so, not when one of several does")
    func oneDevice() throws {
        let told = try Told.lines(
            "aoi-phone,ren-phone,aoi-phone.calls,ren-phone.calls,api",
            """
            1000 aoi-phone user.acted - action=dial
            1200 api call.placed aoi-phone.calls call=1
            6000 ren-phone.calls call.ended - call=1 reason=filtered
            30000 aoi-phone.calls call.ended - call=1 reason=unanswered
            32000 ren-phone.calls call.missed-shown - call=1
            """
        )
        #expect(
            told.suffix(3) == [
                "The app says that call 1 is over: the phone does not let it ring.",
                "The app says that call 1 is over: unanswered.",
                "2 s after the call was over: the phone shows that call 1 was missed.",
            ]
        )
    }

    @Test("A call that one device declines goes on at another that has answered it")
    func declinedBesideAnswer() throws {
        let told = try Told.lines(
            "aoi-phone,ren-phone,ren-pad,aoi-phone.calls,ren-phone.calls,ren-pad.calls,api",
            """
            1200 api call.placed aoi-phone.calls call=1
            2000 ren-phone.calls call.ringing - call=1
            2000 ren-pad.calls call.ringing - call=1
            5000 ren-phone.calls call.ring-ended - call=1 end=answered
            5600 ren-pad.calls call.ring-ended - call=1 end=declined
            5600 ren-pad.calls call.ended - call=1 reason=declined
            40000 ren-phone.calls call.ended - call=1 reason=hung-up
            40200 aoi-phone.calls call.ended - call=1 reason=hung-up
            """
        )
        #expect(
            told.suffix(3) == [
                "The app says that call 1 is over: declined.",
                "The app says that call 1 is over: somebody hung up.",
                "200 ms after it was over elsewhere: "
                    + "the app says that call 1 is over: somebody hung up.",
            ]
        )
    }

    @Test("A phone that rings no more in the instant in which it began is told no length of time")
    func ringsForNoTime() throws {
        let told = try Told.lines(
            "aoi-phone,ren-phone,aoi-phone.calls,ren-phone.calls,api",
            """
            1200 api call.placed aoi-phone.calls call=1
            2000 ren-phone.calls call.ringing - call=1
            2000 ren-phone.calls call.ring-ended - call=1 end=ended-by-app
            """
        )
        #expect(
            told == [
                "The app's server has call 1 of aoi-phone.",
                "The phone rings for call 1.",
                "Call 1 rings no more: the app says that it is over.",
            ]
        )
    }

    @Test("In a call it is told whether one is heard no more or both, and when voice goes one way")
    func voiceInCalls() throws {
        let (aoi, ren) = ("aoi-phone.calls", "ren-phone.calls")
        func voice(_ milliseconds: Int, _ listener: String, _ speaker: String) -> String {
            "\(milliseconds) \(listener) call.voice-flowing \(speaker) call=1 "
                + "heard_ns=\(milliseconds)000000\n"
        }
        func silence(_ milliseconds: Int, _ listener: String, _ speaker: String) -> String {
            "\(milliseconds) \(listener) call.voice-stopped \(speaker) call=1\n"
        }
        let told = try Told.lines(
            "aoi-phone,ren-phone,\(aoi),\(ren),api",
            [
                "1000 api call.placed \(aoi) call=1\n",
                voice(5_000, aoi, ren), voice(5_100, ren, aoi),
                // A phone call takes both voices, and gives them back one after the other.
                silence(20_000, aoi, ren), silence(20_000, ren, aoi),
                voice(30_000, ren, aoi), voice(34_000, aoi, ren),
                // One is muted, then the other's path is lost.
                silence(40_000, aoi, ren), silence(50_000, ren, aoi),
                voice(60_000, aoi, ren),
                "70000 - run.ended -\n",
            ].joined()
        )
        #expect(
            told.dropFirst() == [
                "Both hear each other in call 1.",
                "In call 1 neither hears the other any more.",
                "In call 1 aoi-phone is heard again, but ren-phone is not.",
                "Both hear each other again in call 1.",
                "In call 1 ren-phone is heard no more.",
                "In call 1 aoi-phone is heard no more either.",
                "In call 1 ren-phone is heard again, but aoi-phone is not.",
                "The run ends.",
            ]
        )
    }

    @Test("Who answers when nothing rings answers nothing")
    func nothingRings() throws {
        let told = try Told.lines(
            "ren-phone,ren-phone.calls",
            """
            1000 ren-phone.calls call.ringing - call=0
            4000 ren-phone user.acted - action=answer-call
            4000 ren-phone.calls call.ring-ended - call=0 end=answered
            5000 ren-phone user.acted - action=answer-call
            6000 ren-phone user.acted - action=decline-call
            """
        )
        #expect(
            told == [
                "The phone rings for a push that announces no call.",
                "The user answers the call.",
                "The user would answer a call, but none rings.",
                "The user would decline a call, but none rings.",
            ]
        )
    }

    @Test("Who mutes or holds while every call is on hold does so to none")
    func allHeld() throws {
        let told = try Told.lines(
            "ren-phone,ren-phone.calls",
            """
            1000 ren-phone.calls call.told - call=1 event=started right=1
            2000 ren-phone user.acted - action=hold-call
            3000 ren-phone user.acted - action=mute-call
            4000 ren-phone user.acted - action=unmute-call
            5000 ren-phone user.acted - action=hold-call
            6000 ren-phone user.acted - action=unhold-call
            7000 ren-phone user.acted - action=mute-call
            8000 ren-phone.calls call.told - call=2 event=started right=1
            9000 ren-phone user.acted - action=mute-call
            9500 ren-phone.calls call.ended - call=2 reason=cancelled
            9600 ren-phone user.acted - action=unmute-call
            """
        )
        #expect(
            told.filter { $0.contains("The user") } == [
                "The user puts the call on hold.",
                "The user would mute the call, but it is on hold.",
                "The user would unmute the call, but it is on hold.",
                "The user would put the call on hold, but it is already.",
                "The user takes the call back from hold.",
                "The user mutes the call.",
                "The user mutes the call.",
                "The user would unmute the call, but it is on hold.",
            ]
        )
    }

    @Test("Who mutes in a phone call, for which the call is on hold, mutes none")
    func heldByPhoneCall() throws {
        let told = try Told.lines(
            "ren-phone,ren-phone.calls",
            """
            1000 ren-phone.calls call.told - call=1 event=started right=1
            2000 ren-phone user.acted - action=phone-call-begins
            3000 ren-phone user.acted - action=mute-call
            4000 ren-phone user.acted - action=phone-call-ends
            5000 ren-phone user.acted - action=mute-call
            6000 ren-phone user.acted - action=phone-call-begins
            7000 ren-phone phone.call.held -
            8000 ren-phone user.acted - action=unmute-call
            """
        )
        #expect(
            told.filter { $0.contains("mute") } == [
                "The user would mute the call, but it is on hold.",
                "The user mutes the call.",
                "The user unmutes the call.",
            ]
        )
    }

    @Test("Who hangs up, mutes or holds without a call does so to none")
    func noCall() throws {
        let told = try Told.lines(
            "ann-phone,ann-phone.calls,ann-phone.session",
            """
            1000 ann-phone user.acted - action=end-call
            2000 ann-phone user.acted - action=dial
            2000 ann-phone.calls call.told - call=1 event=started right=1
            3000 ann-phone user.acted - action=mute-call
            4000 ann-phone.session app.terminated -
            5000 ann-phone user.acted - action=end-call
            5000 ann-phone.calls call.ended - call=1 reason=cancelled
            6000 ann-phone user.acted - action=hold-call
            7000 ann-phone.calls call.ringing - call=2
            8000 ann-phone.calls call.ring-ended - call=2 end=answered
            9000 ann-phone user.acted - action=hold-call
            9500 ann-phone.calls app.terminated -
            9600 ann-phone user.acted - action=unhold-call
            """
        )
        #expect(
            told.filter { $0.hasPrefix("The user") } == [
                "The user would end a call, but has none.",
                "The user calls somebody.",
                "The user mutes the call.",
                "The user ends the call.",
                "The user would put a call on hold, but has none.",
                "The user puts the call on hold.",
                "The user would take a call back from hold, but has none.",
            ]
        )
    }

    @Test("A push and a ring are told of with their call, for several may go on at once")
    func callsAtOnce() throws {
        let told = try Told.lines(
            "aoi-phone,mio-phone,ren-phone,aoi-phone.calls,mio-phone.calls,ren-phone.calls,"
                + "api,push",
            """
            1000 api call.placed aoi-phone.calls call=1
            1100 push push.accepted ren-phone.calls call=1 state=foreground locked=0 reachable=1
            1200 api call.placed mio-phone.calls call=2
            1300 push push.accepted ren-phone.calls call=2 state=killed locked=1 reachable=0
            1400 push push.accepted ren-phone.calls call=3 state=foreground locked=0 reachable=1
            2000 ren-phone.calls call.ringing - call=1
            2100 ren-phone.calls call.ringing - call=2
            4000 ren-phone.calls call.ring-ended - call=1 end=ended-by-app
            """
        )
        #expect(
            told == [
                "The app's server has call 1 of aoi-phone.",
                "The push service takes the push for call 1 to ren-phone: its app is in front.",
                "The app's server has call 2 of mio-phone.",
                "The push service takes the push for call 2 to ren-phone: its app does not run, "
                    + "the phone is locked, and no packet reaches it.",
                "The push service takes a push to ren-phone: its app is in front.",
                "The phone rings for call 1.",
                "The phone rings for call 2.",
                "2 s after it began to ring: call 1 rings no more: the app says that it is over.",
            ]
        )
    }
}

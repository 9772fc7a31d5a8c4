import KodamaEvidence
import Foundation
@testable import KodamaHarness
import Testing

@Suite("Reports as pages")
struct PageTests {
    private func report() throws -> RunReport {
        var report = try Reports.ofEverything()
        report.scenarios[1].stories = [try Stories.told(by: Stories.outage)]
        return report
    }

    @Test("The page of a report with something of everything is as kept (HN-04)")
    func golden() throws {
        try Golden.check(HTMLReport(try report()).text, "Golden/report.html")
    }

    @Test("A page fetches nothing, and its own script stays below 15 kB (HN-04)")
    func selfContained() throws {
        let page = HTMLReport(try report()).text
        #expect(PageScript.text.utf8.count <= 15_000)
        for word in ["src=", "url(", "@import", "fetch(", "XMLHttp", "<iframe", "<img"] {
            #expect(!page.contains(word), "\(word)")
        }
        // The one address is the name of a namespace.
        #expect(!page.replacing("http://www.w3.org/2000/svg", with: "").contains("://"))
        #expect(page.contains("default-src 'none'"))
    }

    @Test("Every number of a page's tables is in the JSON (HN-04)")
    func numbers() throws {
        let report = try report()
        let page = HTMLReport(report).text
        let json = String(decoding: try report.json, as: UTF8.self)
        let known = Set(json.split { !($0.isNumber || $0 == "-") })
        let numbers = page.matches(of: /data-value="(-?\d+)"/).map(\.1)
        #expect(numbers.count > 100)
        for number in numbers { #expect(known.contains(number), "\(number)") }
    }

    @Test("What comes from outside cannot become markup")
    func escaping() throws {
        var report = try report()
        report.scenarios[0].about.name = "<script>alert(1)</script>"
        report.scenarios[1].stories?[0].records[0].values = "\"><b>&"
        report.scenarios[1].stories?[0].lanes[0].name = "</svg>"
        let page = HTMLReport(report).text
        #expect(!page.contains("<script>alert"))
        #expect(!page.contains("<b>"))
        #expect(
            page.components(separatedBy: "</svg>").count
                == page.components(separatedBy: "<svg").count
        )
    }

    @Test("Seeds that fail alone are grouped by invariant, gate and dominating part (HN-04)")
    func groups() throws {
        let report = RunReport([try Reports.failing()], material: "")
        let groups = report.scenarios[0].failingSeeds
        let waiting =
            "voice.mouth_to_ear.time max <= 30s missed, most of the time of reconnects in "
        #expect(groups.map(\.point) == [0, 0, 0])
        #expect(
            groups.map(\.cause) == [
                waiting + "waiting", "voice.order-kept broken", waiting + "token",
            ]
        )
        #expect(groups.map(\.seeds) == [[9, 18, 36], [27, 31], [13]])
        #expect(groups.map(\.breaks.course) == ["", "voice.order-kept at 12.34 s", ""])
    }
}

@Suite("Lanes of a run")
struct StoryTests {
    private func rows(_ story: RunStory, _ lane: String) -> [String: RunStory.Row] {
        let rows = story.lanes.first { $0.name == lane }?.rows ?? []
        return Dictionary(rows.map { ($0.label, $0) }) { first, _ in first }
    }

    @Test("Bands follow status, path, attempts, faults and voice; instants are marked (HN-06)")
    func session() throws {
        let story = try Stories.told(by: Stories.outage)
        let phone = rows(story, "phone")
        func bands(_ row: String) -> [String] {
            phone[row]?.bands.map {
                "\($0.from / 1_000_000)-\($0.until / 1_000_000) \($0.label) (\($0.tone.rawValue))"
            } ?? []
        }
        #expect(
            bands("app") == [
                "500-1000 connecting (busy)", "1000-5200 connected (good)",
                "5200-9000 reconnecting (busy)", "9000-20000 connected (good)",
            ]
        )
        #expect(bands("path") == ["5000-8000 lost: link (bad)"])
        #expect(
            bands("attempts") == ["5200-8200 quick: socket-timeout (bad)", "8200-9000 full (good)"]
        )
        #expect(bands("faults") == ["5000-8000 black-hole (bad)"])
        #expect(
            bands("agent hears") == [
                "1300-4980 voice is heard (good)", "4980-9100 no voice is heard (bad)",
                "9100-20000 voice is heard (good)",
            ]
        )
        #expect(phone["user"]?.marks.map(\.label) == ["open-app", "launched"])
        #expect(phone["events"]?.marks.map(\.label) == ["loss.detected room=1 cause=transport"])
        #expect(rows(story, "phone/wifi")["faults"]?.bands.map(\.label) == ["radio-down"])
        #expect(
            story.attempts?.counts == [0, 0, 0, 0, 0, 1, 0, 0, 1] + Array(repeating: 0, count: 12)
        )
    }

    @Test(
        "Interface, music and the way to a member are rows of their own, each until it changes (HN-06)"
    )
    func states() throws {
        let story = try Stories.told(
            by: """
                kodama-trace 3 scenario=states seed=1 components=phone,phone.session,phone.intercom,other
                0 phone.session path.noticed - interface=wifi
                1000000000 phone.session path.noticed - interface=none
                2000000000 phone.session path.noticed - interface=cellular
                0 phone music.changed - wanted=1 playing=1 call=0
                3000000000 phone music.changed - wanted=1 playing=0 call=1
                4000000000 phone music.changed - wanted=1 playing=0 call=0
                5000000000 phone music.changed - wanted=0 playing=0 call=0
                6000000000 phone music.changed - wanted=1 playing=1 call=0
                6000000000 phone.intercom handover.moved other phase=local-connected cause=appeared
                7000000000 phone.intercom handover.moved other phase=internet-connected cause=elapsed
                20000000000 - run.ended -

                """
        )
        let phone = rows(story, "phone")
        func bands(_ row: String) -> [String] {
            phone[row]?.bands.map {
                "\($0.from / 1_000_000_000)-\($0.until / 1_000_000_000) \($0.label) (\($0.tone.rawValue))"
            } ?? []
        }
        #expect(
            bands("interface") == [
                "0-1 wifi (neutral)", "1-2 none (bad)", "2-20 cellular (neutral)",
            ]
        )
        #expect(
            bands("music") == [
                "0-3 plays (good)", "3-4 waits for a call (neutral)", "4-5 stopped (bad)",
                "6-20 plays (good)",
            ]
        )
        #expect(bands("way to other") == ["6-7 radio (good)", "7-20 Internet (neutral)"])
    }

    @Test("A failure that the app warns of is drawn as one, a refused microphone too (RS-08)")
    func failures() throws {
        let bands = rows(try Stories.told(by: Stories.failures), "phone")["app"]?.bands
        #expect(
            bands?.map { "\($0.label) (\($0.tone.rawValue))" } == [
                "asking-for-microphone (busy)", "microphone-refused (bad)", "token-failed (bad)",
                "taken-over (neutral)",
            ]
        )
    }

    @Test("Two who talk at once are a stretch of sound each, not one for each frame (HN-04)")
    func chorus() throws {
        let right = rows(try Stories.told(by: Stories.chorus), "right")
        #expect(
            right["plays"]?.bands.map {
                "\($0.label) \($0.from / 1_000_000)-\($0.until / 1_000_000)"
            } == ["left 1080-1120", "up 1081-1121", "left 2100-2120"]
        )
    }

    @Test(
        "On a page of many scenarios no row has more stretches than a picture can tell apart (HN-04)"
    )
    func coarse() {
        let second: Int64 = 1_000_000_000
        var bands: [RunStory.Band] = []
        for index in 0..<Int64(9_000) {
            let from = index * second / 10
            let length: Int64 = index % 3 == 0 ? 20_000_000 : 60_000_000
            let tone: RunStory.Tone = index % 2 == 0 ? .speech : .bad
            bands.append(
                RunStory.Band(from: from, until: from + length, label: "\(index)", tone: tone)
            )
        }
        let marks = (0..<900).map { RunStory.Mark(at: Int64($0) * second, label: "\($0)") }
        let counts = RunStory.Counts(
            label: "sent",
            stepNanoseconds: second,
            counts: Array(repeating: 2, count: 900)
        )
        let row = RunStory.Row(label: "plays", bands: bands, marks: marks, counts: [counts])
        let quiet = RunStory.Row(label: "app", bands: [], marks: [], counts: [])
        let lanes = ["a", "b", "worst", "c", "d"].map { name in
            RunStory.Lane(name: name, rows: [name == "worst" ? row : quiet])
        }
        let whole = RunStory(
            point: 0,
            seed: 1,
            reason: "",
            durationNanoseconds: 900 * second,
            lanes: lanes,
            omittedLanes: 3,
            attempts: nil,
            records: [],
            omittedRecords: 0
        )
        let story = whole.coarse
        #expect(story.lanes.map(\.name) == ["a", "b", "worst"])
        #expect(story.omittedLanes == 5)
        let shown = story.lanes[2].rows[0]
        #expect(shown.bands.count <= 120)
        #expect(shown.bands.map { $0.from }.min() == 0)
        #expect(shown.bands.map { $0.until }.max() == bands.map { $0.until }.max())
        #expect(shown.bands[0].label == "0 and 4499 more")
        #expect(shown.marks.count <= 60)
        #expect(shown.marks[0].label == "0 and 14 more")
        #expect(shown.counts[0].counts.reduce(0, +) == 1_800)
        #expect(shown.counts[0].counts.count <= 60)
    }

    @Test("Frames that follow each other are one stretch of sound, packets are counted (HN-06)")
    func voice() throws {
        let story = try Stories.told(by: Stories.talk)
        let right = rows(story, "right")
        #expect(
            right["plays"]?.bands.map {
                "\($0.label) \($0.from / 1_000_000)-\($0.until / 1_000_000)"
            }
                == ["left 1080-1140", "left 1500-1520"]
        )
        #expect(right["made up"]?.bands.map(\.label) == ["extrapolated"])
        let left = rows(story, "left")
        #expect(left["speaks"]?.bands.map(\.label) == ["ann"])
        #expect(left["sends"]?.bands.count == 1)
        #expect(left["packets"]?.counts.map { $0.counts.reduce(0, +) } == [1, 3])
        #expect(left["packets"]?.counts.map(\.label) == ["dropped", "sent"])
    }

    @Test("While a microphone is off its phone's lane says so (HN-06)")
    func muted() throws {
        let story = try Stories.told(
            by: """
                kodama-trace 3 scenario=muted seed=4 components=left,left.intercom
                2000000000 left user.acted left.intercom action=mute
                2000000000 left.intercom microphone.muted - muted=1
                5000000000 left user.acted left.intercom action=unmute
                5000000000 left.intercom microphone.muted - muted=0
                20000000000 - run.ended -

                """
        )
        let left = rows(story, "left")
        #expect(left["muted"]?.bands.map(\.from) == [2_000_000_000])
        #expect(left["muted"]?.bands.map(\.until) == [5_000_000_000])
        #expect(left["user"]?.marks.map(\.label) == ["mute", "unmute"])
    }

    @Test("Too many records are cut to milestones, and how many are missing is said")
    func cut() throws {
        var text = "kodama-trace 2 scenario=many seed=1 components=left\n"
        for index in 0..<1_000 {
            text += "\(index) left gate.changed - state=\(index % 2 == 0 ? "attack" : "talking")\n"
        }
        text += "1000 left group.joined - group=0\n"
        let story = try Stories.told(by: text)
        #expect(story.records.map(\.kind) == ["group.joined"])
        #expect(story.omittedRecords == 1_000)
    }
}

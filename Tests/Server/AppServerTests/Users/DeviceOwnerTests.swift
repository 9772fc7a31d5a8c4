import SansIO
import Testing

@testable import AppServer

@Suite("A device stays its owner's as long as it is in use (VP-03)")
struct DeviceOwnerTests {
    private struct Bench {
        var bench = ServerBench { $0.requiresSession = true }
        let mika: String
        let jiro: String

        init() {
            mika = bench.session(of: "mika")
            jiro = bench.session(of: "jiro")
        }

        mutating func room(_ device: String, _ bearer: String) -> HTTPResponse {
            bench.ask(.ephemeralToken(deviceID: device, bearer: bearer))
        }
    }

    @Test("16 others in a row make no device anybody's: the 17th is refused until one rests")
    func many() {
        var town = Bench()
        #expect(town.room("phone", town.mika).statusCode == 200)
        for number in 1..<16 { #expect(town.room("t-\(number)", town.mika).statusCode == 200) }
        let refusal = town.room("t-16", town.mika)
        #expect(
            refusal.statusCode == 429 && refusal.headers.contains(HTTPField("Retry-After", "86400"))
        )
        #expect(town.room("phone", town.jiro).statusCode == 403)
        #expect(town.room("phone", town.mika).statusCode == 200)
        // A day later only the one used longest ago makes room.
        town.bench.pass(.seconds(86_399))
        let mika = town.bench.session(of: "mika")
        let jiro = town.bench.session(of: "jiro")
        #expect(town.room("phone", mika).statusCode == 200)
        town.bench.pass(.seconds(1))
        #expect(town.room("t-16", mika).statusCode == 200)
        #expect(town.room("t-1", jiro).statusCode == 200)
        #expect(town.room("phone", jiro).statusCode == 403)
    }

    @Test("A device that is registered for calls is in use, however long it rested")
    func registered() {
        var town = Bench()
        _ = town.room("phone", town.mika)
        _ = town.bench.ask(
            .registerDevice(
                voipDeviceToken: "0a",
                bundleID: "example.calls",
                platform: "ios",
                deviceID: "phone",
                bearer: town.mika
            )
        )
        for number in 1..<16 { _ = town.room("t-\(number)", town.mika) }
        town.bench.pass(.seconds(86_401))
        let mika = town.bench.session(of: "mika")
        let jiro = town.bench.session(of: "jiro")
        #expect(town.room("t-16", mika).statusCode == 200)
        #expect(town.room("phone", jiro).statusCode == 403)
        #expect(town.room("t-1", jiro).statusCode == 200)
    }
}

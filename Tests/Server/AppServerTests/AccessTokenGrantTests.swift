import AppServer
import SansIO
import Testing
import TextFormats

@Suite("What a room token grants (RS-01)")
struct AccessTokenGrantTests {
    private static func claims(video: String) throws -> AccessToken.Claims {
        let payload = "{\"iss\":\"k\",\"sub\":\"me\",\"exp\":1900000000\(video)}"
        let parts = ["{\"alg\":\"HS256\"}", payload].map { Base64URL.encode(Array($0.utf8)) }
        return try AccessToken.claims(of: parts.joined(separator: ".") + ".")
    }

    @Test("A token that does not say that its holder may join lets nobody join (RS-01)")
    func joinsByGrantOnly() throws {
        for (video, isJoining) in [
            ("", false), (",\"video\":{}", false), (",\"video\":{\"room\":\"r\"}", false),
            (",\"video\":{\"room\":\"r\",\"roomJoin\":false}", false),
            (",\"video\":{\"room\":\"r\",\"roomJoin\":true}", true),
        ] {
            #expect(try Self.claims(video: video).video.roomJoin == isJoining, "\(video)")
        }
        #expect(throws: AccessToken.Refusal.self) {
            try Self.claims(video: ",\"video\":{\"roomJoin\":\"true\"}")
        }
    }

    @Test(
        "What a token does not say of publishing and hearing is not said: its server decides (RS-01)"
    )
    func unsaid() throws {
        let video = try Self.claims(video: ",\"video\":{\"roomJoin\":true,\"room\":\"r\"}").video
        #expect(video.canPublish == nil && video.canSubscribe == nil && video.canPublishData == nil)
        let said = try Self.claims(
            video: ",\"video\":{\"roomJoin\":true,\"canPublish\":false,\"canSubscribe\":true}"
        ).video
        #expect(said.canPublish == false && said.canSubscribe == true && said.canPublishData == nil)
    }
}

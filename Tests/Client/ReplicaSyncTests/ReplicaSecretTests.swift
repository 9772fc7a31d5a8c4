import ReplicaChanges
import ReplicaSync
import SansIO
import SansIOTesting
import Testing

private typealias Story = ReplicaStory

@Suite("What can be logged of a replica (RP-06)")
struct ReplicaSecretTests {
    /// Every kind of value that carries a session or a token.
    private var carriers: [Any] {
        let id = OperationID(number: 1)
        let requests: [ReplicaRequest] = [
            .credential(session: "s-ada"),
            .snapshot(replica: "r-1", after: "c-1", Story.credential),
            .migrate(Story.schema, Story.credential),
            .sync(
                ReplicaExchange(
                    replica: "r-1",
                    schema: 2,
                    generation: "g1",
                    position: 7,
                    changes: Story.unsent(1...2)
                ),
                Story.credential
            ),
        ]
        let answer = ReplicaAnswer.credential(Story.credential)
        let events: [ReplicaEvent] = [
            .signedIn(session: "s-ada"), .secretRead(id, .found("s-ada")),
            .secretRead(id, .found(Story.kept())), .serverAnswered(id, answer),
        ]
        let effects = requests.map { ReplicaEffect.callServer(id, $0) }
        var carriers: [Any] = [
            Story.credential, answer, SecretAnswer.found(Story.kept()),
            ReplicaEffect.keepCredential(Story.kept()),
        ]
        carriers.append(contentsOf: requests as [Any])
        carriers.append(contentsOf: events as [Any])
        carriers.append(contentsOf: effects as [Any])
        return carriers
    }

    private func isSecret(_ text: String) -> Bool {
        text.contains("s-ada") || text.contains("token-1")
    }

    @Test("No description holds a token or a session (RP-06)")
    func descriptions() throws {
        for carrier in carriers {
            #expect(!isSecret("\(carrier)"), "\(type(of: carrier))")
            #expect(!isSecret(String(reflecting: carrier)), "\(type(of: carrier))")
            #expect(!isSecret("\([carrier])"), "\(type(of: carrier))")
        }
        let story = try Story.asking()
        #expect(!isSecret("\(story.machine)"))
        #expect(!isSecret(String(reflecting: story.machine)))
    }

    @Test("A description tells all the rest")
    func telling() {
        let id = OperationID(number: 3)
        let request = ReplicaRequest.snapshot(replica: "r-1", after: nil, Story.credential)
        #expect("\(request)" == "snapshot(r-1, after nothing, credential of db-ada)")
        #expect("\(ReplicaEffect.keepCredential(nil))" == "keepCredential(none)")
        #expect("\(ReplicaEvent.pathChanged(isSatisfied: true))".contains("true"))
        #expect("\(ReplicaEvent.stored(id, .outOfOrder))".contains("outOfOrder"))
        #expect("\(ReplicaEffect.show(.offline))" == "show(offline)")
    }
}

// The system around the client machine that 'new-system' writes.

extension SystemTemplate {
    static let registration = #"""
        import KodamaLanguage

        extension KodamaSystem {
            /// The __name__ app and its server: what a command line registers.
            public static let __name__ = KodamaSystem(
                "__name__",
                evidence: .__name__,
                vocabulary: .__name__,
                host: __Name__Host.self
            )
        }

        """#

    static let evidence = #"""
        import KodamaEvidence
        import SansIO

        // What happened, what is measured of it, and how it is told. Nothing here knows the app: it writes records,
        // and these are all that the rest sees.

        extension SystemID {
            /// The first half of the kinds of record below, from 128 to 255, unique among systems.
            static var __name__: SystemID { SystemID(__number__) }
        }

        /// The app showed an answer.
        struct __Name__Answered: TraceForm {
            /// The request's number.
            var number: Int64
            /// When it was asked first.
            var asked: Instant
            /// How often it was asked.
            var attempts: Int64

            static let kind = TraceKind(.__name__, 0)
            static let text = TraceFormText(
                "__name__.answered",
                .milestone,
                "The app shows an answer.",
                "number",
                "asked_ns",
                "attempts"
            )
        }

        /// The app said that no answer came.
        struct __Name__Failed: TraceForm {
            /// The request's number.
            var number: Int64
            /// How often it was asked.
            var attempts: Int64

            static let kind = TraceKind(.__name__, 1)
            static let text = TraceFormText(
                "__name__.failed",
                .milestone,
                "The app says that no answer came.",
                "number",
                "attempts"
            )
        }

        /// Measures how long answers take, and how many never come.
        struct __Name__Meter: SystemMeter {
            private var time = Measure.time(
                "__name__.time",
                "From the first request to its answer on the screen.",
                "Our own promise"
            )
            private var failures = Measure.count(
                "__name__.failures",
                "Requests for which the app showed that no answer came.",
                "Our own promise"
            )

            init(_ directory: TraceDirectory) {}

            mutating func record(contentsOf records: [TraceRecord], from position: Int) {
                for record in records {
                    switch record.kind {
                    case __Name__Answered.kind:
                        let length = __Name__Answered(record).asked.duration(to: record.instant)
                        time.add(length.wholeNanoseconds, at: Occurrence(record))
                        // Each request counts, so that none at all is no data and no pass.
                        failures.add(0, at: Occurrence(record))
                    case __Name__Failed.kind:
                        failures.add(1, at: Occurrence(record))
                    default:
                        break
                    }
                }
            }

            var metrics: [any AnyMeasure] { [time, failures] }
        }

        /// Tells a run in sentences, for 'explain'.
        struct __Name__Narrator: SystemNarrator {
            init(_ directory: TraceDirectory) {}

            mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
                switch record.kind {
                case __Name__Answered.kind:
                    let answer = __Name__Answered(record)
                    guard answer.attempts > 1 else { return }
                    narration.say(
                        "the app shows answer \(answer.number), asked for \(answer.attempts) times",
                        of: record.component,
                        at: record.instant,
                        after: Sentence.Cause(at: answer.asked, "it was asked for first")
                    )
                case __Name__Failed.kind:
                    let failure = __Name__Failed(record)
                    narration.say(
                        "the app says that request \(failure.number) failed: "
                            + "\(failure.attempts) attempts had no answer",
                        of: record.component,
                        at: record.instant
                    )
                default:
                    break
                }
            }
        }

        extension EvidenceSystem {
            /// Records, metrics and sentences.
            static let __name__ = EvidenceSystem(
                .__name__,
                forms: [__Name__Answered.self, __Name__Failed.self],
                meter: __Name__Meter.self,
                narrator: __Name__Narrator.self
            )
        }

        """#

    static let language = #"""
        import KodamaLanguage
        import SansIO
        import __Name__Client

        // What scenarios can say of the system.

        extension __Name__Requester.Configuration: Tunable {}

        /// The app as a scenario puts it on a phone.
        struct __Name__Settings: AppSettings {
            static let system = "__name__"

            var configuration: __Name__Requester.Configuration
        }

        /// What the timeline can do to the app.
        enum __Name__Act: SystemAct {
            /// The user wants so many answers at once.
            case want(count: Int)
        }

        extension Vocabulary {
            /// The app, its parameters, and a verb.
            static let __name__: Vocabulary = {
                var vocabulary = Vocabulary(of: __Name__Settings.system)
                var app = AppShape(
                    of: __Name__Settings.system,
                    "Asks its server at intervals.",
                    read: { _, tuning, _ in
                        __Name__Settings(configuration: tuning[__Name__Requester.Configuration.self])
                    }
                )
                app.needsRadio = true
                vocabulary.app = app
                vocabulary.verbs = [.want]
                vocabulary.servers = [__Name__Host.serverName]
                vocabulary.parameters = ParameterCatalog(figures).scoped(.app(__Name__Settings.system))
                return vocabulary
            }()

            private static let figures: [Parameter] = [
                .duration(
                    "__name__.interval",
                    \__Name__Requester.Configuration.interval,
                    .milliseconds(100)...(.seconds(60)),
                    meaning: "The time from one request to the next.",
                    source: "Our own choice"
                ),
                .duration(
                    "__name__.patience",
                    \__Name__Requester.Configuration.patience,
                    .milliseconds(50)...(.seconds(10)),
                    meaning: "How long an answer is waited for at first.",
                    source: "Our own choice"
                ),
                .integer(
                    "__name__.attempts",
                    \__Name__Requester.Configuration.attemptsMax,
                    1...100,
                    meaning: "How often one thing is asked for.",
                    source: "Our own choice"
                ),
            ]
        }

        extension Verb {
            /// Reads `do: { __name__-now: { of: phone, count: 5 } }`.
            fileprivate static let want: Verb = {
                let phone = NameKind.phoneRunning(__Name__Settings.system)
                let fields = [
                    Field("of", .reference(phone), .refused, "The phone whose user wants it."),
                    Field("count", .integer(1...50, step: 1), .refused, "How many at once."),
                ]
                return Verb("__name__-now", "The user wants answers at once.", of: fields) { body, builder in
                    guard let name = builder.refer(body["of"], to: phone),
                        let count = body["count"]?.number
                    else { return nil }
                    let app = AppPlan.component(__Name__Settings.system, on: name)
                    return Deed(TimedAct(__Name__Act.want(count: Int(count)), to: app))
                }
            }()
        }

        """#

    static let app = #"""
        import KodamaEvidence
        import KodamaLanguage
        import KodamaNetwork
        import KodamaPhone
        import KodamaWorld
        import SansIO
        import __Name__Client

        /// The app on a phone: tells its machine what happens, and does what the machine orders.
        final class __Name__App: PhoneApp, Host {
            /// What the app schedules for itself.
            enum Word: UInt8 {
                /// The machine wants to be woken.
                case wake
            }

            let installation: Installation
            var seat: Seat<__Name__Requester>
            private let configuration: __Name__Requester.Configuration
            private let server: SocketAddress

            init(_ settings: __Name__Settings, _ installation: Installation, server: SocketAddress) {
                self.installation = installation
                self.server = server
                configuration = settings.configuration
                seat = Seat(__Name__Requester(configuration, seed: 0))
            }

            // MARK: What happens

            /// A new process has a new machine; what the one before knew is gone.
            func launch(on stage: inout Stage) {
                let seed = seed("__name__", on: stage)
                seat.restart(__Name__Requester(configuration, seed: seed), at: stage.now)
                note(AppLaunched(), on: &stage)
            }

            func terminate(on stage: inout Stage) {
                note(AppTerminated(), on: &stage)
            }

            func resume(on stage: inout Stage) {
                armWake(on: &stage)
            }

            /// A suspended or ended app hears nothing.
            var isAwake: Bool { phase == .running }

            func inform(_ news: SystemNews, on stage: inout Stage) {
                if case .launched = news { tell(.launched, on: &stage) }
            }

            func receive(_ packet: Packet, on stage: inout Stage) {
                guard case .message(let payload) = packet.content,
                    case .answer(let number)? = payload as? __Name__Message
                else { return }
                hear(.answered(number: number), on: &stage)
            }

            func undergo(_ act: any SystemAct, on stage: inout Stage) {
                guard case .want(let count)? = act as? __Name__Act else { return }
                tell(.wanted(count: count), on: &stage)
            }

            func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
                awaken(on: &stage)
            }

            // MARK: What the machine orders

            func perform(_ effect: __Name__Requester.Effect, on stage: inout Stage) {
                switch effect {
                case .send(let number):
                    // Without an address nothing can be sent; the machine asks again.
                    guard let socket else { return }
                    stage.send(__Name__Message.request(number).packet(from: socket, to: server))
                case .show(let number, let asked, let attempts):
                    let answered = __Name__Answered(number: number, asked: asked, attempts: Int64(attempts))
                    note(answered, on: &stage)
                case .fail(let number, let attempts):
                    note(__Name__Failed(number: number, attempts: Int64(attempts)), on: &stage)
                }
            }

            func scheduleWake(at instant: Instant, on stage: inout Stage) {
                scheduleWake(.wake, at: instant, on: &stage)
            }
        }

        """#

    static let server = #"""
        import KodamaEvidence
        import KodamaLanguage
        import KodamaNetwork
        import KodamaPhone
        import KodamaWorld

        /// What the app and its server send each other.
        enum __Name__Message: PacketPayload {
            /// The app asks.
            case request(Int64)
            /// The server answers.
            case answer(Int64)

            /// Its bytes on the wire, with the headers of UDP (RFC 768) and IPv6 (RFC 8200).
            private static let wireBytes = 8 + 40 + 16

            /// The packet that carries it.
            func packet(from source: SocketAddress, to destination: SocketAddress) -> Packet {
                Packet(from: source, to: destination, wireBytes: Self.wireBytes, .message(self))
            }
        }

        /// The server, in the Internet: it answers what reaches it.
        final class __Name__Server: Component {
            let name = __Name__Host.serverName
            let index: ComponentIndex

            init(index: ComponentIndex) {
                self.index = index
            }

            /// Where it listens.
            var socket: SocketAddress {
                SocketAddress(address: NetworkAddress(ofServer: index), port: 1)
            }

            func receive(_ packet: Packet, on stage: inout Stage) {
                guard case .message(let payload) = packet.content,
                    case .request(let number)? = payload as? __Name__Message
                else { return }
                stage.send(__Name__Message.answer(number).packet(from: socket, to: packet.source))
            }
        }

        /// Makes the apps and the server of a run.
        final class __Name__Host: WorldSystem {
            static let serverName = "__name__-server"

            static func serverNames(in plan: WorldPlan) -> [String] { [serverName] }

            private let server: __Name__Server

            init(in setting: Setting, servers indices: [ComponentIndex]) {
                server = __Name__Server(index: indices[0])
            }

            var servers: [any Component] { [server] }

            func app(_ settings: __Name__Settings, _ installation: Installation) -> any PhoneApp {
                __Name__App(settings, installation, server: server.socket)
            }
        }

        """#
}

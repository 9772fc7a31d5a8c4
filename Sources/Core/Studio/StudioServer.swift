import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Serves the studio's page and its socket.
package final class StudioServer: Sendable {
    private let server: HTTPServer
    private let board: StudioBoard
    private let isOpen: Bool
    private let token = StudioServer.randomWord()

    /// Between two looks at the file's date.
    private static let lookInterval = Duration.milliseconds(300)

    /// Reads the scenario and prepares an address.
    ///
    /// - Parameters:
    ///   - subject: The scenario.
    ///   - address: The IPv4 address to listen at.
    ///   - port: The port; 0 for any that is free.
    /// - Throws: What is wrong with the scenario or the address.
    package init(_ subject: StudioSubject, address: String, port: UInt16) throws(StudioRefusal) {
        board = try StudioBoard(subject)
        isOpen = !Self.isLoopback(address)
        guard let place = try? sockaddr_in.inet(ip4: address, port: port) else {
            throw StudioRefusal("'\(address)' is no IPv4 address, such as 127.0.0.1")
        }
        server = HTTPServer(
            config: HTTPServer.Configuration(address: place, logger: .disabled)
        )
    }

    /// Whether an address is reached from this machine alone (RFC 1122, 3.2.1.3).
    package static func isLoopback(_ address: String) -> Bool {
        let parts = address.split(separator: ".", omittingEmptySubsequences: false).map {
            UInt8($0)
        }
        return parts.count == 4 && parts[0] == 127 && !parts.contains(nil)
    }

    /// Serves until it is cancelled.
    ///
    /// - Parameter ready: Told the page's address once it can be opened.
    /// - Throws: Why it cannot listen.
    package func run(ready: @escaping @Sendable (String) -> Void) async throws {
        let (board, token, isOpen, server) = (board, token, isOpen, server)
        let port = Port()
        await server.appendRoute("*") { request in
            let gate = RequestGuard(token: token, port: port.number, isOpen: isOpen)
            return try await Self.response(to: request, gate, board)
        }
        let watch = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.lookInterval)
                await board.look()
            }
        }
        defer { watch.cancel() }
        let listening = Task {
            try await server.waitUntilListening()
            guard case .ip4(let address, port: let number)? = await server.listeningAddress else {
                return
            }
            port.number = number
            let host = address == "0.0.0.0" ? "127.0.0.1" : address
            ready("http://\(host):\(number)/\(token)/")
        }
        defer { listening.cancel() }
        try await server.run()
    }

    private static func response(
        to request: HTTPRequest,
        _ gate: RequestGuard,
        _ board: StudioBoard
    ) async throws -> HTTPResponse {
        do throws(RequestGuard.Refusal) {
            let path = try gate.path(
                method: request.method.rawValue,
                path: request.path,
                host: request.headers[.host],
                origin: request.headers[HTTPHeader("Origin")]
            )
            switch path {
            case .page: return page(at: request.headers[.host] ?? "")
            case .socket: break
            }
        } catch {
            return answer(error.status, "text/plain", error.sentence + "\n")
        }
        // Whole messages: a part would wait for the receipt of the one before.
        let handler = MessageFrameWSHandler(handler: StudioSocket(board), frameSize: 1 << 24)
        return try await WebSocketHTTPHandler(handler: handler).handleRequest(request)
    }

    private static func page(at host: String) -> HTTPResponse {
        let word = randomWord()
        var response = answer(200, "text/html", StudioPage.text(nonce: word))
        response.headers[HTTPHeader("Content-Security-Policy")] =
            "default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'; script-src 'nonce-\(word)'; "
            + "connect-src 'self' ws://\(host); base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        return response
    }

    private static func answer(_ status: Int, _ type: String, _ text: String) -> HTTPResponse {
        HTTPResponse(
            statusCode: HTTPStatusCode(status, phrase: status == 200 ? "OK" : "Refused"),
            headers: [
                .contentType: "\(type); charset=utf-8",
                HTTPHeader("Cache-Control"): "no-store",
                HTTPHeader("Referrer-Policy"): "no-referrer",
                HTTPHeader("X-Content-Type-Options"): "nosniff",
                HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
            ],
            body: Data(text.utf8)
        )
    }

    /// 128 bits that nobody can guess, in hexadecimal.
    private static func randomWord() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in
            let byte = UInt8.random(in: 0...255, using: &generator)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

/// The port once it is known.
private final class Port: Sendable {
    private let value = Mutex<UInt16>(0)

    var number: UInt16 {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

/// The socket of one page.
private struct StudioSocket: WSMessageHandler {
    private let board: StudioBoard

    init(_ board: StudioBoard) { self.board = board }

    func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
        let (replies, sink) = AsyncStream.makeStream(of: WSMessage.self)
        let (requests, texts) = AsyncStream.makeStream(of: String.self)
        let tab = StudioTab(board) { sink.yield(.text($0.text)) }
        let reading = Task {
            for await message in client {
                if case .text(let text) = message { texts.yield(text) }
            }
            texts.finish()
        }
        let answering = Task {
            await tab.answer(requests)
            sink.finish()
        }
        sink.onTermination = { _ in
            reading.cancel()
            answering.cancel()
        }
        return replies
    }
}

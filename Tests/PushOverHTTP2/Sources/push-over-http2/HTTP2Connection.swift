import AppServer
import NIOCore
import NIOHPACK
import NIOHTTP2
import SansIO

/// One real HTTP/2 connection to the push service: frames in, facts out.
///
/// It stands behind swift-nio-http2's handler, which turns bytes into frames and keeps the protocol's rules.
/// Everything happens on the connection's event loop.
final class HTTP2Connection: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// What a connection has to say.
    enum Fact: Sendable {
        case opened
        case ponged
        case answered(OperationID, PushResponse)
        case closed
    }

    private struct Exchange {
        let operation: OperationID
        var statusCode = 0
        var body = ""
    }

    private let listener: (Fact) -> Void
    private var context: ChannelHandlerContext?
    private var exchanges: [HTTP2StreamID: Exchange] = [:]
    private var nextStream = HTTP2StreamID(1)
    private var isOpen = false

    init(listener: @escaping (Fact) -> Void) {
        self.listener = listener
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func ping() {
        write(
            HTTP2Frame(
                streamID: .rootStream,
                payload: .ping(HTTP2PingData(withInteger: 1), ack: false)
            )
        )
    }

    /// Sends a push as Apple wants it.
    func send(_ order: PushOrder, id: UniqueID, token: String, _ operation: OperationID) {
        guard let context else { return }
        var fields = HPACKHeaders([(":scheme", "http"), (":authority", "push.test")])
        for field in order.headers(id: id) { fields.add(name: field.name, value: field.value) }
        fields.add(name: "authorization", value: "bearer " + token)
        let stream = nextStream
        nextStream = stream.advanced(by: 2)
        exchanges[stream] = Exchange(operation: operation)
        let headers = HTTP2Frame.FramePayload.Headers(headers: fields)
        context.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: .headers(headers))))
            .whenFailure { fatalError("the request's headers were not sent: \($0)") }
        let body = context.channel.allocator.buffer(string: order.payload)
        write(
            HTTP2Frame(
                streamID: stream,
                payload: .data(.init(data: .byteBuffer(body), endStream: true))
            )
        )
    }

    func close() { context?.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .settings(.settings):
            guard !isOpen else { return }
            isOpen = true
            listener(.opened)
        case .ping(_, ack: true): listener(.ponged)
        case .headers(let headers):
            let status = headers.headers.first(name: ":status").flatMap { Int($0) } ?? 0
            exchanges[frame.streamID]?.statusCode = status
            if headers.endStream { finish(frame.streamID) }
        case .data(let data):
            if case .byteBuffer(let buffer) = data.data {
                exchanges[frame.streamID]?.body += String(buffer: buffer)
            }
            if data.endStream { finish(frame.streamID) }
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        listener(.closed)
        context.fireChannelInactive()
    }

    /// An error ends the connection; that it has ended is then said by `channelInactive`.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func finish(_ stream: HTTP2StreamID) {
        guard let exchange = exchanges.removeValue(forKey: stream) else { return }
        let response = PushResponse(statusCode: exchange.statusCode, body: exchange.body)
        listener(.answered(exchange.operation, response))
    }

    private func write(_ frame: HTTP2Frame) {
        context?.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }
}

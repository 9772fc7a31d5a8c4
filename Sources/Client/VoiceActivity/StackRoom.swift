/// Room for numbers on the stack, all zero at first.
///
/// The standard library's temporary allocations of more than 1 KiB come from the heap, which has no
/// place in code that runs for every frame.
protocol StackRoom: BitwiseCopyable {
    init()
}

extension StackRoom {
    /// How many numbers there is room for.
    static var count: Int { MemoryLayout<Self>.size / MemoryLayout<Float>.size }
}

/// Twice the room of another.
struct Doubled<Half: StackRoom>: StackRoom {
    var low = Half()
    var high = Half()
}

extension SIMD64<Float>: StackRoom {}

/// Room for 1024 numbers.
typealias Room1024 = Doubled<Doubled<Doubled<Doubled<SIMD64<Float>>>>>
/// Room for 2048 numbers.
typealias Room2048 = Doubled<Room1024>

/// Runs `body` with room that is gone when it returns.
///
/// - Parameters:
///   - room: How much room.
///   - body: Gets the address of the room's first number.
/// - Returns: What `body` returns.
@inline(__always)
func withRoom<Room: StackRoom, Result>(
    _ room: Room.Type,
    _ body: (UnsafeMutablePointer<Float>) -> Result
) -> Result {
    var numbers = Room()
    return withUnsafeMutablePointer(to: &numbers) { pointer in
        body(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Float.self))
    }
}

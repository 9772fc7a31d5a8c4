/// Storage for numbers, in place: on the stack or within a value, all zero at first.
///
/// It is copied and compared as a value and never lies on the heap, which has no place in code
/// that runs for every frame. (The standard library's temporary allocations of more than 1 KiB do.)
/// Its numbers are reached by address: the compiler makes vector code of loops over those, as it does
/// not of the operators of vectors as wide as these.
protocol InlineStorage: BitwiseCopyable, Sendable, Equatable {
    init()
}

/// Twice the storage of another.
struct Doubled<Half: InlineStorage>: InlineStorage {
    private var low = Half()
    private var high = Half()
}

extension SIMD32<Int16>: InlineStorage {}
extension SIMD64<Int16>: InlineStorage {}

/// Room for 32 whole numbers.
typealias Shorts32 = SIMD32<Int16>
/// Room for 64 whole numbers.
typealias Shorts64 = SIMD64<Int16>
/// Room for 128 whole numbers.
typealias Shorts128 = Doubled<Shorts64>
/// Room for 256 whole numbers.
typealias Shorts256 = Doubled<Shorts128>
/// Room for 512 whole numbers.
typealias Shorts512 = Doubled<Shorts256>
/// Room for 1024 whole numbers.
typealias Shorts1024 = Doubled<Shorts512>
/// Room for 1024 fractions.
typealias Floats1024 = Doubled<Shorts1024>

/// Runs `body` with the stored numbers.
///
/// - Parameters:
///   - storage: The storage.
///   - body: Gets the address of the first number; it MUST stay within the storage.
/// - Returns: What `body` returns.
@inline(__always)
func withNumbers<Storage: InlineStorage, Number, Result>(
    in storage: inout Storage,
    _ body: (UnsafeMutablePointer<Number>) -> Result
) -> Result {
    withUnsafeMutablePointer(to: &storage) { pointer in
        body(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Number.self))
    }
}

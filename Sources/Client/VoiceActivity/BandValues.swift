/// One number for each band of the spectrum, stored in place and copied as a value.
///
/// The subscript goes through the address, one number at a time: the compiler makes vector code of
/// loops over it, as it does not of the operators of a vector as wide as this one.
struct BandValues: Sendable, Equatable {
    /// The bands: 15 narrow ones, then 8 of middle width, then 9 wide ones.
    static let bands = 0..<32

    private var storage: SIMD32<Float>

    /// The same number for every band.
    init(repeating value: Float = 0) {
        storage = SIMD32(repeating: value)
    }

    /// A number for all narrow bands, one for the middle and one for the wide ones.
    init(narrow: Float, middle: Float, wide: Float) {
        self.init(repeating: wide)
        for band in 0..<23 {
            self[band] = band < 15 ? narrow : middle
        }
    }

    /// The number of one band; `band` MUST be one of `bands`.
    subscript(band: Int) -> Float {
        @inline(__always)
        get {
            withUnsafePointer(to: storage) { pointer in
                UnsafeRawPointer(pointer).assumingMemoryBound(to: Float.self)[band]
            }
        }
        @inline(__always)
        set {
            withUnsafeMutablePointer(to: &storage) { pointer in
                UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Float.self)[band] =
                    newValue
            }
        }
    }
}

#if DEBUG
/// One number: not optimised, vectors are a hundred times slower than single numbers.
typealias Lanes = Float
#else
/// A few numbers that are treated alike.
typealias Lanes = SIMD4<Float>
#endif

/// A few complex numbers that are treated alike.
struct ComplexLanes {
    /// How many there are.
    static let count = MemoryLayout<Lanes>.size / MemoryLayout<Float>.size

    /// Their real parts.
    var real: Lanes
    /// Their imaginary parts.
    var imaginary: Lanes

    /// The sums of two numbers each.
    @inline(__always)
    static func + (first: Self, second: Self) -> Self {
        Self(real: first.real + second.real, imaginary: first.imaginary + second.imaginary)
    }

    /// The differences of two numbers each.
    @inline(__always)
    static func - (first: Self, second: Self) -> Self {
        Self(real: first.real - second.real, imaginary: first.imaginary - second.imaginary)
    }

    /// The numbers times −j: turned back by a quarter.
    var turnedBack: Self {
        @inline(__always) get { Self(real: imaginary, imaginary: -real) }
    }

    /// The numbers turned back by angles, of which cosines and sines are given.
    @inline(__always)
    func turned(_ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>) -> Self {
        let (cosines, sines) = (Lanes.at(cosines), Lanes.at(sines))
        return Self(
            real: real * cosines + imaginary * sines,
            imaginary: imaginary * cosines - real * sines
        )
    }
}

/// Complex numbers in memory, real and imaginary parts apart.
struct ComplexNumbers {
    /// The real parts.
    let real: UnsafeMutablePointer<Float>
    /// The imaginary parts.
    let imaginary: UnsafeMutablePointer<Float>

    /// The numbers from a place on.
    subscript(place: Int) -> ComplexLanes {
        @inline(__always) get {
            ComplexLanes(real: Lanes.at(real + place), imaginary: Lanes.at(imaginary + place))
        }
        @inline(__always) nonmutating set {
            UnsafeMutableRawPointer(real + place).storeBytes(of: newValue.real, as: Lanes.self)
            UnsafeMutableRawPointer(imaginary + place)
                .storeBytes(of: newValue.imaginary, as: Lanes.self)
        }
    }

    /// Of as many rows of four numbers as there are lanes, from a place on, the four columns.
    @inline(__always)
    func across(_ place: Int) -> (ComplexLanes, ComplexLanes, ComplexLanes, ComplexLanes) {
        let (real, imaginary) = (Lanes.across(real + place), Lanes.across(imaginary + place))
        return (
            ComplexLanes(real: real.0, imaginary: imaginary.0),
            ComplexLanes(real: real.1, imaginary: imaginary.1),
            ComplexLanes(real: real.2, imaginary: imaginary.2),
            ComplexLanes(real: real.3, imaginary: imaginary.3)
        )
    }
}

extension Lanes {
    @inline(__always)
    fileprivate static func at(_ numbers: UnsafePointer<Float>) -> Self {
        UnsafeRawPointer(numbers).loadUnaligned(as: Self.self)
    }

    @inline(__always)
    fileprivate static func across(_ numbers: UnsafePointer<Float>) -> (Self, Self, Self, Self) {
        #if DEBUG
        return (numbers[0], numbers[1], numbers[2], numbers[3])
        #else
        let first = SIMD8(lowHalf: at(numbers), highHalf: at(numbers + 4))
        let second = SIMD8(lowHalf: at(numbers + 8), highHalf: at(numbers + 12))
        let even = SIMD8(lowHalf: first.evenHalf, highHalf: second.evenHalf)
        let odd = SIMD8(lowHalf: first.oddHalf, highHalf: second.oddHalf)
        return (even.evenHalf, odd.evenHalf, even.oddHalf, odd.oddHalf)
        #endif
    }
}

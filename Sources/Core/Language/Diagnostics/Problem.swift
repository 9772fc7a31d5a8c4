import KodamaSimulation

/// What is wrong, apart from the words for it.
enum Problem: Sendable, Equatable {
    // The text as YAML.
    case emptyFile
    case malformed(SyntaxFault)
    case duplicateKey(String, first: SourceLocation?)
    case mergeKey
    case keyNotText
    case explicitTag(String)
    case tooDeep(levels: Int)
    case tooLarge(String)
    case tooMany(Int, of: String, most: Int)
    case tooManyAtAllPoints(of: String, most: Int)

    // Other files.
    case unreadableFile(String, reason: FileFault)
    case extendsItself(chain: [String])
    case brokenBase(String, errors: Int)
    case faultyTrace(String, line: Int, TraceParseError.Kind)

    // The shape of a value.
    case wrongKind(expected: String, found: String, write: String? = nil)
    case noName(NameKind, found: String)
    case missingValue(expected: String)
    case unknownKey(String, inside: String, allowed: [String])
    case keyOfOther(String, inside: String, owners: [String])
    case missingKey(String, inside: String, summary: String)
    case chooseOne(of: [String], inside: String)
    case excludesEachOther(String, String, inside: String)
    case wrongCount(found: Int, allowed: ClosedRange<Int>, noun: String)
    case notText(String)
    case badName(String)
    case notChoice(String, among: [String], noun: String)
    case notBoolean(String)
    case notInteger(String, hint: String?)
    case notQuantity(String, QuantityKind, hint: String?)
    case notTimeOfDay(String, hint: String?)
    case missingUnit(String, QuantityKind)
    case unknownUnit(String, number: String, QuantityKind)
    case wrongUnit(String, QuantityKind, wanted: String)
    case tooPrecise(String, finest: String)
    case tooManyDigits(String)
    case outOfRange(String, least: String, most: String?)
    case notMultiple(String, of: String)
    case notBound(String, hint: String?)
    case unsupportedVersion(String)
    case oldKey(String, write: String)

    // Meaning.
    case noSuch(NameKind, String, known: [String])
    case duplicateName(String, first: SourceLocation)
    case sameTwice(String, inside: String)
    case duplicateLink(String, first: SourceLocation)
    case outsideRun(what: String, time: String, duration: String)
    case emptyInterval(from: String, until: String)
    case alreadyTalks(String, first: SourceLocation)
    case noPath(String, String)
    case otherCircles(String, String)
    case unlikeSeals(String, String)
    case impossibleLink(String)
    case needsSound(String, VoiceMode)
    case voiceTooCoarse(VoiceMode, app: String, offered: [VoiceMode])
    case voiceTooReal(VoiceMode, makers: [String], most: VoiceMode)
    case fallingQuantiles(String, before: String)
    case statisticNotOffered(String, metric: String, offered: [String])
    case contradictoryGates(first: SourceLocation)
    case duplicateGate(first: SourceLocation)
    case vacuousGate(String)
    case impossibleGate(String)
    case warningWithoutGate(String)
    case warningNotStricter(String, limit: String)
    case warningOtherWay(String, limit: String)
    case duplicateInvariant(String, first: SourceLocation)
    case noDevice(String)
    case noData(String, because: String)
    case parameterConflict(String)
    case parameterOutOfPlace(String, ParameterScope)
    case parameterOfNobody(String, ParameterScope)
    case parameterOfSound(String)
    case parameterForNothing(String, because: String)
    case notAnAssignment(String)
    case badRequirementID(String)
    case nothingGated

    // What a system finds wrong in its own words.
    case ofSystem(code: String, String, hint: String?)

    // Sweeps and outcomes.
    case notASweep(String)
    case shortRange(String)
    case unlikeEnds(String)
    case emptyRange(String)
    case unlikePoints([String])
    case tooManyPoints(Int, most: Int)
    case sweptInPoints(String)
    case sweptForNothing(String)
    case inheritedForNothing(String, from: SourceLocation)
    case settingOverSweep(ParameterSetting, swept: String, at: SourceLocation)
    case setAndSwept(String, at: SourceLocation)
    case failsWithoutReason
    case reasonWithoutFailure(String)
    case notSwept(String, known: [String])
    case noSuchPoint(String, value: String, known: [String])

    // Phones, their apps and servers.
    case reservedName(String)
    case noClock(String)
    case beforeClock(String, clock: String)
    case otherApp(String, needs: String)
    case noAppForAct(String, String, needs: String, instead: String?)
    case faultOfOtherApp(String, of: String, phone: String)
    case whichApp(String, among: [String])
    case appForNothing(String)
    case actOfOtherApp(String, String, instead: String?)
    case noRadio(String, needs: String)
    case radioIsDown(String, at: String)
    case handoverToItself(String)
    case turnTooLong(lasting: String, every: String)
    case faultsOverlap(String, first: SourceLocation)
    case orderInVain(because: String, SourceLocation?)
    case voiceUnsealed(VoiceMode)
    case walksTwice(String)
    case emptyGap
    case emptyRidge
    case beyondWay(length: String)

    /// Whether it can be said only of a plan from which nothing is missing.
    var isOfWholePlan: Bool {
        switch self {
        case .noData, .parameterForNothing, .orderInVain: true
        default: false
        }
    }

    /// Whether it is wrong whatever stands in parts of the file that could not be read.
    var standsAlone: Bool {
        switch self {
        case .noSuch(let kind, _, _): kind.isOfCatalog
        case .emptyFile, .malformed, .duplicateKey, .mergeKey, .keyNotText, .explicitTag, .tooDeep,
            .tooLarge, .tooMany, .tooManyAtAllPoints, .unreadableFile, .extendsItself, .brokenBase,
            .faultyTrace,
            .wrongKind, .unknownKey, .keyOfOther, .excludesEachOther, .notText, .badName,
            .notChoice,
            .notBoolean, .notInteger, .notQuantity, .notTimeOfDay, .missingUnit, .unknownUnit,
            .wrongUnit, .tooPrecise, .tooManyDigits, .outOfRange, .notMultiple, .notBound,
            .unsupportedVersion, .oldKey, .emptyInterval, .impossibleLink, .fallingQuantiles,
            .statisticNotOffered, .noDevice, .vacuousGate, .impossibleGate, .badRequirementID,
            .notAnAssignment:
            true
        default:
            false
        }
    }

    /// Whether the scenario can be run all the same.
    var severity: Diagnostic.Severity {
        switch self {
        case .nothingGated, .noData, .noPath, .otherCircles, .unlikeSeals, .parameterOfNobody,
            .parameterOfSound, .parameterForNothing, .orderInVain, .voiceUnsealed:
            .warning
        default: .error
        }
    }
}

/// Why a file could not be read.
public enum FileFault: String, Sendable, Equatable {
    /// There is no such file.
    case missing = "there is no such file"
    /// It is a folder.
    case folder = "it is a folder"
    /// Its bytes are not UTF-8.
    case notUTF8 = "it is not UTF-8 text"
    /// The bytes of its name are not UTF-8, so that nothing can be found by it.
    case nameNotUTF8 = "its name is not UTF-8; rename it"
    /// The system refused.
    case refused = "it cannot be read; look at its permissions"
    /// It has more bytes than any scenario or trace needs, or no end at all.
    case tooLarge = "it is larger than 16 MiB"
    /// It is a pipe or a device, which may have no end or never begin.
    case notOrdinary = "it is a pipe or a device; name an ordinary file"
    /// It lies outside the folders that a scenario may read from.
    case outside = "it lies outside the scenario's folder"
}

/// Where the YAML scanner or parser gave up, and what it was doing.
struct SyntaxFault: Sendable, Equatable {
    /// What it found, in its own words.
    var problem: String
    /// What it was doing, in its own words.
    var context: String
    /// Where it began what it was doing.
    var began: SourceLocation?
}

/// A problem with its position.
struct Report: Sendable, Equatable {
    var problem: Problem
    var place: Place
}

import ArgumentParser
import KodamaCommand
import KodamaHarness
import KodamaRecordings

/// Measures the tables behind sized audio again.
struct CalibrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Measures on the real detector and encoder what `voice: sized` draws from.",
        discussion: "Prints the tables as Swift source, for SizedSoundTables.swift."
    )

    func run() throws {
        let voices: Voices
        do {
            voices = try Voices(needsSound: true, isSynthetic: false, decoder: G722.decode)
        } catch {
            throw Failure(.inputMissing, "\(error)")
        }
        guard let material = voices.material else { return }
        let measured = try SizedCalibration(material)
        try Terminal.say("// \(voices.description)")
        for (name, samples) in [
            ("onsetDelay", measured.onsetDelays), ("hangover", measured.hangovers),
            ("speechPacketBytes", measured.speechPacketBytes),
            ("quietPacketBytes", measured.quietPacketBytes),
        ] {
            let table = SizedCalibration.quantiles(samples).map(String.init)
            try Terminal.say("static let \(name) = QuantileTable([  // \(samples.count) samples")
            for start in stride(from: 0, to: table.count, by: 6) {
                try Terminal.say(
                    "    " + table[start..<min(start + 6, table.count)].joined(separator: ", ")
                        + ","
                )
            }
            try Terminal.say("])")
        }
    }
}

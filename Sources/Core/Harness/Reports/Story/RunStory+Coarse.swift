import KodamaEvidence

extension RunStory {
    /// The same as a page of many scenarios shows it: fewer lanes, and what lies too near to be told apart
    /// is one stretch.
    var coarse: RunStory {
        var story = self
        story.lanes = worstLanes(Self.coarseLaneCountMax).map { lane in
            Lane(name: lane.name, rows: lane.rows.map(coarse))
        }
        story.samples = samples.map { Lane(name: $0.name, rows: $0.rows.map(coarse)) }
        story.omittedLanes = [omittedLanes, lanes.count - story.lanes.count].heldSum
        return story
    }

    private static let coarseLaneCountMax = 3
    /// Into how many stretches a run is divided; a picture gives each some 14 pixels.
    private static let coarseStepCount: Int64 = 60

    private var coarseStep: Int64 { max(1, durationNanoseconds / Self.coarseStepCount) }

    /// The lanes that are longest in trouble, in their order.
    private func worstLanes(_ count: Int) -> [Lane] {
        let ranks = lanes.map { lane in
            lane.rows.flatMap(\.bands).filter { $0.tone == .bad || $0.tone == .busy }
                .map(\.length).heldSum
        }
        let kept = lanes.indices.sorted { (ranks[$1], $0) < (ranks[$0], $1) }.prefix(count)
        return kept.sorted().map { lanes[$0] }
    }

    private func coarse(_ row: Row) -> Row {
        Row(
            label: row.label,
            bands: Tone.allCases.flatMap { tone in
                joined(row.bands.filter { $0.tone == tone })
            }.sorted { ($0.from, $0.tone.rawValue) < ($1.from, $1.tone.rawValue) },
            marks: joined(row.marks),
            counts: row.counts.map(coarse)
        )
    }

    /// Stretches of one tone, those that nearly touch as one.
    private func joined(_ bands: [Band]) -> [Band] {
        var runs: [(band: Band, count: Int)] = []
        for band in bands {
            let gap = runs.last.map { band.from.minus($0.band.until) }
            if let gap, gap < coarseStep, isShort(band) || isShort(runs[runs.count - 1].band) {
                runs[runs.count - 1].band.until = max(runs[runs.count - 1].band.until, band.until)
                runs[runs.count - 1].count += 1
            } else {
                runs.append((band, 1))
            }
        }
        return runs.map { band, count in
            var band = band
            if count > 1 { band.label += " and \(count - 1) more" }
            return band
        }
    }

    private func isShort(_ band: Band) -> Bool { band.length < coarseStep }

    private func joined(_ marks: [Mark]) -> [Mark] {
        var runs: [(mark: Mark, count: Int)] = []
        for mark in marks {
            if let last = runs.last, mark.at.minus(last.mark.at) < coarseStep {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((mark, 1))
            }
        }
        return runs.map { mark, count in
            // The values stand in the records.
            let word = String(mark.label.prefix { $0 != " " })
            return Mark(at: mark.at, label: word + (count > 1 ? " and \(count - 1) more" : ""))
        }
    }

    private func coarse(_ counts: Counts) -> Counts {
        let width = max(1, Int(coarseStep / max(1, counts.stepNanoseconds)))
        let sums = stride(from: 0, to: counts.counts.count, by: width).map { start in
            counts.counts[start..<min(start + width, counts.counts.count)].heldSum
        }
        return Counts(
            label: counts.label,
            stepNanoseconds: counts.stepNanoseconds.times(Int64(width)),
            counts: sums
        )
    }
}

import ReplicaSync
import SansIO
import SansIOTesting

extension Household {
    /// Lives through so many happenings, on a bad network and with processes that die.
    func live(_ happenings: Int) {
        let loss = [0, 10, 35][Int(seed % 3)]
        weather = HouseholdWeather(lossPercent: loss, isRough: true)
        // Sometimes the web was there first, sometimes a phone has to make the primary's tables.
        if random.chance(percent: 50) { pushFromWeb() }
        for index in phones.indices {
            let wait = Duration.milliseconds(random.below(20_000))
            schedule(.launch(phone: index, isInterrupted: random.chance(percent: 10)), after: wait)
        }
        for _ in 0..<happenings where faults.isEmpty {
            run(for: .milliseconds(random.below(6_000)))
            if faults.isEmpty { happen() }
        }
    }

    private func happen() {
        let index = random.below(phones.count)
        switch random.below(50) {
        case 0...19:
            for _ in 0...random.below(3) where faults.isEmpty { writeSomething(on: index) }
        case 20...24:
            writeOnWeb()
            pushFromWeb(isAnswerLost: random.chance(percent: 30))
        case 25...31: setPath(index, !phones[index].isOnline)
        case 32, 33: crashForAWhile(index)
        case 34, 35: damage(index)
        case 36, 37: update(index, isInterrupted: random.chance(percent: 40))
        case 38: failPrimary()
        case 39, 40: trimPrimary()
        case 41, 42: expireTokens()
        case 43, 44: phones[index].isLocked.toggle()
        case 45, 46: tell(index, .syncRequested)
        case 47: tell(index, .cameToFront)
        default: run(for: .seconds(30))
        }
    }

    /// The app is updated, and launched again.
    ///
    /// - Parameters:
    ///   - index: The phone.
    ///   - isInterrupted: Whether the process ends in the middle of the migration.
    func update(_ index: Int, isInterrupted: Bool = false) {
        crash(index)
        phones[index].version = Diary.versionMax
        note(phones[index].name, "is updated")
        schedule(.launch(phone: index, isInterrupted: isInterrupted), after: .seconds(1))
    }

    /// The file is damaged where it lies: its head, its length, or a page in the middle.
    private func damage(_ index: Int) {
        crash(index)
        guard var disk = phones[index].disk, disk.count > 1_024 else { return }
        let way = random.below(3)
        switch way {
        case 0:
            for place in 0..<16 { disk[place] = 0 }
        case 1:
            disk.removeLast(1 + random.below(disk.count - 1_024))
        default:
            // Two bytes at 16 say a page's size, 1 meaning 65,536 (sqlite.org/fileformat.html).
            let said = Int(disk[16]) << 8 | Int(disk[17])
            let size = said == 1 ? 65_536 : max(512, said)
            guard disk.count >= 2 * size else { break }
            let start = size * (1 + random.below(disk.count / size - 1))
            let fill = UInt8(random.below(2) * 0xA5)
            for place in start..<start + size { disk[place] = fill }
        }
        note(phones[index].name, "the file is damaged: way \(way)")
        phones[index].disk = disk
        phones[index].isDamaged = true
        schedule(.launch(phone: index, isInterrupted: false), after: .seconds(2))
    }

    /// Faults end, all phones return with the last version, and time passes until nothing moves.
    func settle() {
        weather = HouseholdWeather()
        for index in phones.indices where faults.isEmpty {
            phones[index].isLocked = false
            if phones[index].version < Diary.versionMax {
                crash(index)
                phones[index].version = Diary.versionMax
            }
            setPath(index, true)
            launch(index)
        }
        if faults.isEmpty { pushFromWeb() }
        rest()
        if faults.isEmpty { checkRest() }
    }

    /// Lets time pass until nothing has moved for two sync intervals.
    func rest() {
        lastNews = now
        let limit = now.advanced(by: .seconds(1_200))
        while faults.isEmpty, now < limit, now < lastNews.advanced(by: .seconds(125)) {
            run(for: .seconds(5))
        }
        expect(now < limit, "this never comes to rest")
    }
}

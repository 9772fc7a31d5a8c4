/// What leads somebody new to scenarios with the coach.
enum FirstMorning {
    /// Mornings by a system alarm.
    static let scenario = """
        summary: Five people are woken at half past six by a system alarm, and guided out of bed by the phone.

        # How many runs, each with people and weather of its own; the same seed is the same run.
        seeds: 20
        duration: 25h
        # The time of day at which a run begins.
        clock: 22:00:00

        # One person sleeps beside each phone; what they notice and do is drawn from the mixtures of the guide.
        phones:
          - name: mika-phone
            count: 5
            apps: { coach: { wakes: [06:30:00] } }

        # What is done to the world, and when: one app is thrown out of memory at three.
        # timeline:
        #   - at: 5h
        #     do: { end-process: { of: mika-phone-1 } }

        # 'kodama list metrics' and 'kodama list invariants' name what can be expected.
        expect:
          - metric: wake.chain.rang
            value: "== 100%"
            # Fewer samples than this are no data, and no data is no pass.
            samples: 100
          - metric: wake.chain.answered
            value: ">= 50%"
          - metric: wake.chain.finished
            value: ">= 70%"
          - metric: wake.tap_to_talk.time
            p95: "<= 3s"
          - invariant: coach.hears-before-it-notices

        """
}

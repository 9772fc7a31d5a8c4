#!/usr/bin/env python3
"""Carries a reading a second to another phone: each once, in order, over a link that loses packets.

Reading n is taken at second n. It is sent until it is acknowledged, then the next one is. What was
acknowledged and what was seen is synced before anything is said about it, so that a kill costs nothing.
"""
import json
import sys

SECOND = 1_000_000_000


class Pigeon:
    def __init__(self, event):
        self.peer = event["peers"][0]
        self.acked = int(event["storage"].get("acked", 0))
        self.seen = int(event["storage"].get("seen", 0))
        self.tries = 0

    def push(self, now):
        """Sends the next reading, or waits until there is one."""
        number = self.acked + 1
        if number * SECOND > now:
            return [{"timer": "push", "at": number * SECOND}]
        orders = [{"mark": "retries"}] if self.tries else []
        self.tries += 1
        return orders + [
            {"send": self.peer, "text": f"reading {number}"},
            {"draw": "backoff", "index": number * 64 + min(self.tries, 63)},
        ]

    def hear(self, word, number, now):
        if word == "ack":
            if number != self.acked + 1:
                return []
            self.acked, self.tries = number, 0
            stored = [{"write": "acked", "value": str(number)}, {"sync": True}, {"timer": "push"}]
            return stored + self.push(now)
        ack = {"send": self.peer, "text": f"ack {number}"}
        if number <= self.seen:
            return [{"mark": "duplicates"}, ack]
        self.seen = number
        return [
            {"write": "seen", "value": str(number)},
            {"sync": True},
            {"mark": "received"},
            {"mark": "delay", "amount": now - number * SECOND},
            ack,
        ]

    def take(self, event):
        now, kind = event["now"], event["event"]
        if kind == "launched" or kind == "timer":
            return self.push(now)
        if kind == "drawn":
            # Half of the wait is drawn; it doubles up to 3.2 s.
            wait = 200_000_000 << min(self.tries - 1, 4)
            wait = wait // 2 + event["values"][0] % (wait // 2)
            return [{"timer": "push", "at": now + wait}]
        if kind == "datagram":
            word, number = event["text"].split()
            return self.hear(word, int(number), now)
        return []


pigeon = None
for line in sys.stdin:
    event = json.loads(line)
    if event["event"] == "launched":
        pigeon = Pigeon(event)
    print(json.dumps({"turn": event["turn"], "do": pigeon.take(event)}), flush=True)

#!/usr/bin/env python3
"""Keeps a line to a server: a token over HTTP, a stream, a ping every 2 s, and anew when the path is dead.

An echo that is 3 s late means that the path is dead, whatever the sockets say. The line is then made anew, with
a wait that doubles up to 16 s, half of it drawn; the first echo resets it. A path that comes up ends the wait.
"""
import json
import sys

SECOND = 1_000_000_000
PING_EVERY = 2 * SECOND
PATIENCE = 3 * SECOND
WAIT_FIRST = SECOND // 2
WAIT_MAX = 16 * SECOND


class Lark:
    def __init__(self, event):
        self.url = "/api/mobile/rtc/ephemeral-token?deviceId=" + event["phone"]
        self.wished = event["now"]  # since when it wants to be ready; None while it is
        self.heard = None  # when an echo came last
        self.line = 0  # counts attempts, which name requests and streams
        self.tries = 0  # attempts since the last echo
        self.isWaiting = False
        self.pinged = None  # when the ping that is not answered was sent

    def connect(self):
        self.line += 1
        self.tries += 1
        self.isWaiting = False
        request = {"http": f"token-{self.line}", "to": "api", "path": self.url, "timeout": 5 * SECOND}
        return [{"timer": "retry"}, request]

    def fail(self):
        """The attempt, or the line, is over: another follows after a wait."""
        self.isWaiting = True
        self.pinged = None
        stop = [{"timer": "ping"}, {"timer": "patience"}, {"close": f"line-{self.line}"}]
        return stop + [{"mark": "retries"}, {"draw": "backoff", "index": self.line}]

    def lose(self, now):
        """A line that was good is no more."""
        if self.wished is None:
            self.wished = now
            return [{"mark": "lost"}] + self.fail()
        return self.fail()

    def ping(self, now):
        """The deadline stands from the oldest ping without an echo."""
        orders = [{"say": f"line-{self.line}", "text": str(now)}, {"timer": "ping", "at": now + PING_EVERY}]
        if self.pinged is None:
            self.pinged = now
            orders.append({"timer": "patience", "at": now + PATIENCE})
        return orders

    def echo(self, sent, now):
        self.pinged = None
        self.tries = 0
        orders = [{"timer": "patience"}, {"mark": "response", "amount": now - sent}]
        if self.wished is not None:
            if self.heard is None:
                orders.append({"mark": "setup", "amount": now - self.wished})
            else:
                orders.append({"mark": "gap", "amount": now - self.heard})
        self.wished, self.heard = None, now
        return orders

    def take(self, event):
        now, kind = event["now"], event["event"]
        isMine = event.get("request") == f"token-{self.line}" or event.get("stream") == f"line-{self.line}"
        if kind == "launched" or kind == "timer" and event["name"] == "retry":
            return self.connect()
        if kind == "path" and event["online"] and self.isWaiting:
            return self.connect()
        if kind == "drawn":
            wait = min(WAIT_FIRST << min(self.tries - 1, 10), WAIT_MAX) if self.tries else WAIT_FIRST
            wait = wait // 2 + event["values"][0] % (wait // 2)
            return [{"timer": "retry", "at": now + wait}]
        if kind == "timer" and event["name"] == "ping":
            return self.ping(now)
        if kind == "timer" and event["name"] == "patience":
            return self.lose(now)
        if self.isWaiting or not isMine:
            return []
        if kind == "answered" and event["status"] == 200:
            # Opening has as long as a request.
            opening = {"open": f"line-{self.line}", "to": "guest-relay"}
            return [opening, {"timer": "patience", "at": now + 5 * SECOND}]
        if kind == "answered" or kind == "failed":
            return self.lose(now)
        if kind == "opened":
            return self.ping(now)
        if kind == "said":
            return self.echo(int(event["text"]), now)
        if kind == "closed":
            return self.lose(now)
        return []


lark = None
for line in sys.stdin:
    event = json.loads(line)
    if event["event"] == "launched":
        lark = Lark(event)
    print(json.dumps({"turn": event["turn"], "do": lark.take(event)}), flush=True)

"""Guests that do one thing each, by their first argument; most of them wrong."""
import json
import os
import sys
import time

word = sys.argv[1]
SECOND = 1_000_000_000


def answer(event, *orders):
    print(json.dumps({"turn": event["turn"], "do": orders}), flush=True)


def draws(event, *purposes):
    """Draws for each purpose, once."""
    if event["event"] != "launched":
        return answer(event)
    answer(event, *({"draw": purpose, "index": 3, "count": 2} for purpose in purposes))


for line in sys.stdin:
    event = json.loads(line)
    kind = event["event"]
    if word == "mute":
        answer(event)
    elif word == "hangs":
        time.sleep(60)
    elif word == "hangs-unread":
        answer(event, {"timer": "again", "at": event["now"]})
        time.sleep(60)
    elif word == "nonsense":
        print("hello, world", flush=True)
    elif word == "complains":
        print("my heart is broken", file=sys.stderr, flush=True)
        sys.exit(3)
    elif word == "dies":
        os.kill(os.getpid(), 9)
    elif word == "twice":
        print(json.dumps({"turn": event["turn"]}) + "\n" + json.dumps({"turn": event["turn"]}), flush=True)
    elif word == "late":
        answer(event, {"timer": "again", "at": event["now"] + SECOND})
        time.sleep(0.05)
        print("one more thing", flush=True)
        time.sleep(0.05)
    elif word == "other-turn":
        print(json.dumps({"turn": event["turn"] + 1}), flush=True)
    elif word == "restless":
        answer(event, {"timer": "again", "at": 0})
    elif word == "hurries":
        answer(event, {"timer": "again", "at": event["now"] + 1})
    elif word == "draws":
        draws(event, "dice")
    elif word == "draws-more":
        draws(event, "coin", "dice")
    elif word == "writes":
        # One write is synced, the other is not.
        orders = []
        if kind == "launched" and event["launch"] == 1:
            orders = [{"write": "kept", "value": "1"}, {"sync": True}, {"write": "lost", "value": "1"}]
        answer(event, *orders)
    elif word == "ticks":
        answer(event, {"timer": "tick", "at": event["now"] + SECOND}, {"mark": "sent"})
    elif word == "by-clock":
        answer(event, {"log": str(time.time_ns())}, {"timer": "tick", "at": event["now"] + SECOND})
    elif word == "relay":
        orders = [{"send": "guest-relay"}]
        if kind == "launched":
            peer = event["peers"][0]
            orders.append({"timer": "send", "at": event["now"] + SECOND})
        if kind == "timer":
            orders = [{"send": peer, "text": "hi", "by": "relay"}]
        if kind == "datagram":
            orders = [{"mark": "received"}]
        answer(event, *orders)
    elif word == "caller":
        # Says a hundred numbers over a stream, opened anew where it ends before the last is heard.
        orders = []
        if kind == "launched":
            peer = event["peers"][0]
        if kind == "launched" or kind == "closed":
            orders = [{"open": f"line{event['turn']}", "to": peer}]
        if kind == "opened":
            orders = [{"say": event["stream"], "text": str(n), "bytes": 1000} for n in range(100)]
        answer(event, *orders)
    elif word == "answerer":
        orders = []
        if kind == "said":
            orders = [{"mark": "received"}] if int(event["text"]) == said else [{"mark": "failures"}]
            said += 1
        if kind == "accepted":
            said = 0
        if kind == "closed":
            orders = [{"mark": "lost", "amount": 100 - said}, {"log": event["why"]}]
        answer(event, *orders)
    elif word == "once":
        # The orders of the first launch; later ones hear of it only.
        answer(event, *(json.loads(sys.argv[2]) if kind == "launched" and event["launch"] == 1 else []))
    elif word == "asks-late":
        orders = []
        if kind == "launched":
            orders = [{"timer": "asks", "at": SECOND}]
        if kind == "timer":
            path = "/api/mobile/rtc/ephemeral-token?deviceId=mika"
            orders = [{"http": "t", "to": "api", "path": path, "timeout": 8 * SECOND}]
        answer(event, *orders)
    elif word == "renotifies":
        orders = []
        if kind == "launched":
            orders = [{"notify": "n", "after": 10 * SECOND}, {"timer": "again", "at": 2 * SECOND}]
        if kind == "timer":
            orders = [{"notify": "n", "after": 10 * SECOND}]
        answer(event, *orders)
    elif word == "timers":
        # Set out of order; one is replaced, one is cleared, two are due at once.
        orders = []
        if kind == "launched":
            orders = [{"timer": name, "at": at * SECOND} for name, at in (("c", 3), ("a", 1), ("b", 2))]
            orders += [{"timer": "c", "at": 4 * SECOND}, {"timer": "d", "at": 4 * SECOND}]
            orders += [{"timer": "gone", "at": SECOND}, {"timer": "gone"}]
        answer(event, *orders)
    elif word == "everything":
        # Everything that goes beyond the phone or outlives the process, again and again.
        turn = event["turn"]
        orders = []
        if kind == "launched":
            count = event["launch"] * 100
            orders = [
                {"notify": "at-once"},
                {"notify": "later", "after": 18 * SECOND},
                {"notify": "never", "after": 19 * SECOND},
            ]
        if kind == "launched" or kind == "timer":
            path = "/api/mobile/rtc/ephemeral-token"
            orders += [
                {"cancel": "never"},
                {"http": f"token-{count}", "to": "api", "path": path, "headers": {"X-Device-Id": "d"}, "timeout": 4 * SECOND},
                {"http": f"nothing-{count}", "to": "api", "method": "POST", "path": "/nothing", "body": "{}"},
                {"http": f"hasty-{count}", "to": "api", "path": "/", "timeout": 1},
                {"open": f"line-{count}", "to": "guest-relay"},
                {"say": f"line-{count}", "text": "hello", "bytes": 3000},
                {"timer": "again", "at": event["now"] + 5 * SECOND},
            ]
            count += 1
        if kind == "said":
            orders = [{"close": event["stream"]}, {"mark": "received"}]
        answer(event, *orders)

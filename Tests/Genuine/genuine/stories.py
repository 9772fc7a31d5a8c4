"""The stories that the native client is driven through: a link, and what befalls it."""

from __future__ import annotations

from dataclasses import dataclass, field

from .lines import Line


@dataclass(frozen=True)
class Step:
    """An order to one of the programs, some seconds after the fault begins."""

    after_s: float
    target: str
    """wire, server, client, rival (a second client of the same identity) or route (to the second interface)."""
    order: Line


@dataclass(frozen=True)
class Story:
    """One story: what the link is like, and the fault that comes once both sides hear each other."""

    name: str
    summary: str
    rtt_ms: float = 50
    loss_percent: float = 0
    steps: tuple[Step, ...] = ()
    ends_s: float = 0
    """When the fault is over, from its beginning: recovery counts from there."""
    token_ttl_s: float = 600
    second_interface: bool = False
    before: tuple[Step, ...] = field(default=())
    """Orders before the client connects."""
    settle_s: float = 3

    @property
    def link(self) -> dict[str, str]:
        return {"delay": f"{self.rtt_ms / 2:g}ms", "loss": f"{self.loss_percent:g}%"}

    @property
    def connects_only(self) -> bool:
        return not self.steps


def dark(seconds: float) -> tuple[Step, ...]:
    return Step(0, "wire", {"pass": "none"}), Step(seconds, "wire", {"pass": "all"})


def leave(action: str, reason: str) -> tuple[Step, ...]:
    return (Step(0, "server", {"do": "leave", "action": action, "reason": reason}),)


def _stories() -> list[Story]:
    stories = [
        Story(f"connect-{rtt}ms-{loss}%", f"A cold connect at {rtt} ms RTT with {loss} % of packets lost each way.",
              rtt_ms=rtt, loss_percent=loss)
        for rtt in (0, 50, 200, 400) for loss in (0, 2, 5, 10)
    ]
    stories.append(Story("reset", "The signalling socket is reset; media lives.",
                         steps=(Step(0, "server", {"do": "reset"}),)))
    stories += [Story(f"hole-{length}s", f"For {length} s nothing passes, and nobody says so.",
                      steps=dark(length), ends_s=length) for length in (3, 8, 15, 30, 60)]
    stories += [
        Story("udp-dead-20s", "For 20 s only TCP passes.", ends_s=20,
              steps=(Step(0, "wire", {"pass": "tcp"}), Step(20, "wire", {"pass": "all"}))),
        Story("server-restart", "The server's process dies and another listens at once.",
              steps=(Step(0, "server", {"do": "stop"}), Step(0.5, "server", {"do": "start"})), ends_s=0.5),
        Story("server-away-10s", "The server's process dies; for 10 s connections are refused.",
              steps=(Step(0, "server", {"do": "stop"}), Step(10, "server", {"do": "start"})), ends_s=10),
        Story("machine-dead-10s", "The server's machine dies; for 10 s nothing answers, then all is forgotten.",
              steps=(Step(0, "wire", {"pass": "none"}), Step(0.1, "server", {"do": "stop"}),
                     Step(9.5, "server", {"do": "start"}), Step(10, "wire", {"pass": "all"})), ends_s=10),
        Story("leave-resume", "The server asks for a resume.", steps=leave("RESUME", "MIGRATION")),
        Story("leave-reconnect", "The server asks for a full reconnect.", steps=leave("RECONNECT", "STATE_MISMATCH")),
        Story("leave-disconnect", "The server ends the session.", steps=leave("DISCONNECT", "PARTICIPANT_REMOVED")),
        Story("token-expired", "The socket is reset when the last token has been invalid for some seconds.",
              before=(Step(0, "server", {"do": "token", "ttl_s": 1}),), token_ttl_s=20, settle_s=66,
              steps=(Step(0, "server", {"do": "reset"}),)),
        Story("duplicate-identity", "A second client joins as the same user.",
              steps=(Step(0, "rival", {"do": "join"}),)),
        Story("address-change", "The interface goes down; another one with another address is there.",
              steps=(Step(0, "route", {}),), second_interface=True),
    ]
    return stories


STORIES = {story.name: story for story in _stories()}


def chosen(names: list[str]) -> list[Story]:
    """Finds stories by name or by the beginning of a name; all if none is named."""
    if not names:
        return list(STORIES.values())
    found: list[Story] = []
    for name in names:
        matches = [STORIES[name]] if name in STORIES else [s for s in STORIES.values() if s.name.startswith(name)]
        if not matches:
            raise SystemExit(f"error: there is no story '{name}'; there are: {', '.join(STORIES)}")
        found += [match for match in matches if match not in found]
    return found

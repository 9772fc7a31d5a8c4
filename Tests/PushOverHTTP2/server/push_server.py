"""An HTTP/2 push service on loopback, after Apple's documentation alone.

It speaks real HTTP/2 without TLS (h2), verifies provider tokens (PyJWT) and answers as "Sending
notification requests to APNs" and "Handling notification responses from APNs" say. It knows nothing of
the simulated push service and shares no code with it.

The first line on stdout is {"port": ..., "key": PEM}: the key to sign provider tokens with. Orders come on
stdin, one JSON object a line; when stdin ends, the last line on stdout says what was seen. Its clock shows
what the order "tick" says, which is answered by an empty line when all that had come in is done.
"""

import asyncio
import collections
import json
import sys
import uuid

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

KEY_ID = "KODAMAKEY1"
TEAM_ID = "KODAMATEAM"


class Service:
    """What all connections share."""

    def __init__(self):
        private = ec.generate_private_key(ec.SECP256R1())
        self.key = private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ).decode()
        self.public = private.public_key()
        self.clock = 0.0
        self.late = []
        self.launch = 0.0
        self.idle_life = 1_800.0
        self.requests_max = 60
        self.request_window = 60.0
        self.refusal = None
        self.delay = 0.0
        self.devices = {}
        self.windows = {}
        self.connections = set()
        self.statuses = collections.Counter()
        self.tokens = set()
        self.accepted = collections.Counter()

    def now(self):
        """Seconds since the story began, as its clock shows them."""
        return self.clock

    def tick(self, seconds):
        """Sets the clock, and says what is due to be said."""
        self.clock = seconds
        due = [answer for answer in self.late if answer[0] <= seconds]
        self.late = [answer for answer in self.late if answer[0] > seconds]
        for _, connection, answer in due:
            connection.say_late(*answer)

    def obey(self, order):
        match order["do"]:
            case "begin":
                self.launch = order["launch"]
                self.idle_life = order["idle_life"]
                self.requests_max = order["requests_max"]
                self.request_window = order["request_window"]
            case "register":
                self.devices[order["token"]] = {"topic": order["topic"], "death": None}
            case "remove":
                self.devices[order["token"]]["death"] = order["timestamp"]
            case "refuse":
                self.refusal = (order["status"], order["reason"])
            case "slow":
                self.delay = order["seconds"]
            case "clear":
                self.refusal = None
                self.delay = 0.0
            case "silence":
                for connection in self.connections:
                    connection.is_dead = True
            case "close":
                for connection in list(self.connections):
                    connection.go_away()
            case other:
                raise SystemExit(f"there is no order '{other}'")

    def answer(self, headers, body):
        """A status, and a body if there is something to say."""
        if self.refusal is not None:
            return self.refusal
        reason = self.provider_fault(headers)
        if reason is not None:
            return 403, reason
        if headers.get(":method") != "POST":
            return 405, "MethodNotAllowed"
        path = headers.get(":path", "")
        if not path.startswith("/3/device/"):
            return 404, "BadPath"
        reason = self.header_fault(headers)
        if reason is not None:
            return 400, reason
        if not body:
            return 400, "PayloadEmpty"
        if len(body) > 5_120:
            return 413, "PayloadTooLarge"
        token = path.removeprefix("/3/device/")
        device = self.devices.get(token)
        if device is None:
            return 400, "BadDeviceToken"
        if device["topic"] != headers["apns-topic"]:
            return 400, "DeviceTokenNotForTopic"
        if device["death"] is not None:
            return 410, "Unregistered", device["death"]
        began, count = self.windows.get(token, (self.now(), 0))
        if self.now() >= began + self.request_window:
            began, count = self.now(), 0
        self.windows[token] = (began, count + 1)
        if count + 1 > self.requests_max:
            return 429, "TooManyRequests"
        self.accepted[headers["apns-id"]] += 1
        return (200,)

    def provider_fault(self, headers):
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            return "MissingProviderToken"
        try:
            if jwt.get_unverified_header(token).get("kid") != KEY_ID:
                return "InvalidProviderToken"
            claims = jwt.decode(
                token,
                self.public,
                algorithms=["ES256"],
                issuer=TEAM_ID,
                options={"require": ["iss", "iat"], "verify_iat": False},
            )
        except jwt.InvalidTokenError:
            return "InvalidProviderToken"
        self.tokens.add(token)
        age = self.launch + self.now() - claims["iat"]
        return None if -60 <= age < 3_600 else "ExpiredProviderToken"

    @staticmethod
    def header_fault(headers):
        if "apns-topic" not in headers:
            return "MissingTopic"
        if not headers["apns-topic"].endswith(".voip") or headers.get("apns-push-type") != "voip":
            return "InvalidPushType"
        if headers.get("apns-priority") != "10":
            return "BadPriority"
        if not headers.get("apns-expiration", "").isdigit():
            return "BadExpirationDate"
        if len(headers.get("apns-collapse-id", "").encode()) > 64:
            return "BadCollapseId"
        try:
            uuid.UUID(headers["apns-id"])
        except (KeyError, ValueError):
            return "BadMessageId"
        return None

    def report(self):
        return {
            "statuses": {str(status): count for status, count in sorted(self.statuses.items())},
            "providerTokensVerified": len(self.tokens),
            "acceptedTwice": sum(count > 1 for count in self.accepted.values()),
        }


class Connection(asyncio.Protocol):
    """One connection of a provider."""

    def __init__(self, service):
        self.service = service
        self.h2 = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        )
        self.requests = {}
        self.is_dead = False
        self.heard_at = service.now()

    def connection_made(self, transport):
        self.transport = transport
        self.service.connections.add(self)
        self.h2.initiate_connection()
        transport.write(self.h2.data_to_send())

    def connection_lost(self, error):
        self.service.connections.discard(self)

    def data_received(self, data):
        now = self.service.now()
        if now >= self.heard_at + self.service.idle_life:
            self.is_dead = True
        if self.is_dead:
            # As a middlebox that has forgotten the connection: nothing comes back, not even a reset.
            return
        self.heard_at = now
        try:
            events = self.h2.receive_data(data)
        except h2.exceptions.ProtocolError as error:
            raise SystemExit(f"the client broke HTTP/2: {error}") from error
        for event in events:
            self.take(event)
        self.transport.write(self.h2.data_to_send())

    def take(self, event):
        match event:
            case h2.events.RequestReceived():
                self.requests[event.stream_id] = (dict(event.headers), bytearray())
            case h2.events.DataReceived():
                self.requests[event.stream_id][1].extend(event.data)
                self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            case h2.events.StreamEnded():
                self.respond(event.stream_id)

    def respond(self, stream):
        headers, body = self.requests.pop(stream)
        status, *rest = self.service.answer(headers, bytes(body))
        if not self.service.delay:
            return self.say(stream, headers, status, rest)
        due = self.service.now() + self.service.delay
        self.service.late.append((due, self, (stream, headers, status, rest)))

    def say_late(self, *answer):
        if self.is_dead or self.transport.is_closing():
            return
        self.say(*answer)
        self.transport.write(self.h2.data_to_send())

    def say(self, stream, headers, status, rest):
        self.service.statuses[status] += 1
        fields = [(":status", str(status)), ("apns-id", headers.get("apns-id", ""))]
        if not rest:
            self.h2.send_headers(stream, fields, end_stream=True)
            return
        said = {"reason": rest[0]}
        if len(rest) > 1:
            said["timestamp"] = rest[1]
        self.h2.send_headers(stream, [*fields, ("content-type", "application/json")])
        self.h2.send_data(stream, json.dumps(said).encode(), end_stream=True)

    def go_away(self):
        self.h2.close_connection(additional_data=b'{"reason":"Shutdown"}')
        self.transport.write(self.h2.data_to_send())
        self.transport.close()


async def main():
    service = Service()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(service), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    print(json.dumps({"port": port, "key": service.key}), flush=True)
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        order = json.loads(line)
        if order["do"] != "tick":
            service.obey(order)
            continue
        # A new connection is accepted, made and read in three rounds of the loop.
        for _ in range(4):
            await asyncio.sleep(0)
        service.tick(order["milliseconds"] / 1_000)
        print(flush=True)
    print(json.dumps(service.report()), flush=True)


asyncio.run(main())

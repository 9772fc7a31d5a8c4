"""A certificate authority of a day, and a server's certificate by it: signalling goes over TLS, as in the field."""

from __future__ import annotations

import subprocess
from pathlib import Path


def make(folder: Path, addresses: list[str]) -> None:
    """Writes authority.pem, for clients to trust, and server.pem, the server's key and certificate."""
    def request(*words: str) -> None:
        common = "openssl req -x509 -days 1 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1".split()
        subprocess.run([*common, *words], cwd=folder, check=True, stderr=subprocess.DEVNULL)

    names = ",".join(f"IP:{address}" for address in addresses)
    request("-subj", "/CN=Tests of the simulator", "-keyout", "authority.key", "-out", "authority.pem")
    request("-subj", "/CN=server", "-CA", "authority.pem", "-CAkey", "authority.key", "-keyout", "server.key",
            "-out", "leaf.pem", "-addext", f"subjectAltName={names}", "-addext", "basicConstraints=critical,CA:FALSE")
    (folder / "server.pem").write_text((folder / "server.key").read_text() + (folder / "leaf.pem").read_text())

#!/usr/bin/env python3
"""What a service takes while two addresses hold every connection: with unfinished heads, unfinished bodies and answers
that nobody reads.

    cargo build --release -p restwell --features postgres,tls,measuring --example offers --example filled_export
    bench/hold.py [--stores sqlite,postgres] [--rows 100000] [--connections 9900] [--tls]

With --tls every connection is one of TLS. Prints for each kind of connection the peak of the resident memory, what became
of the connections, and the slowest hundredth of a plain reader's answers meanwhile. Exits with 1 where a figure is beyond
its bound. See docs/operate/performance.md, "Held connections".
"""

import argparse
import os
import selectors
import socket
import ssl
import subprocess
import sys
import threading
import time

from costs import ROOT
from growth import PORT, Bench
from service import HEADERS, Service

MAX_MEMORY = 512
MAX_P99 = 250
ADDRESSES = ("127.0.0.2", "127.0.0.3")
SECONDS = 20
LINES = "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items())


def head(method, path, more=""):
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{LINES}{more}".encode()


def kinds():
    """By name: what each connection sends. None of them reads."""
    pages = head("GET", "/offers?limit=1000") + b"\r\n"
    return {
        "heads of 125 KB": head("GET", "/offers", f"X-Long: {'x' * 125_000}\r\n"),
        "heads of 7 KB": head("GET", "/offers", f"X-Long: {'x' * 7_000}\r\n"),
        "bodies of 1 MiB": head("POST", "/offers", "Content-Length: 1048000\r\n\r\n") + b'"' + b"x" * 1_000_000,
        "bodies of 15 KB": head("POST", "/offers", "Content-Length: 15000\r\n\r\n") + b'"' + b"x" * 14_900,
        "unread pages": pages * 8,
        "unread errors": (head("GET", "/nowhere") + b"\r\n") * 40,
    }


def certificate(folder):
    """The files of a certificate for 127.0.0.1, and what clients need to trust it."""
    names = [os.path.join(folder, name) for name in ("hold-cert.pem", "hold-key.pem")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
         "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-out", names[0], "-keyout", names[1]],
        check=True, capture_output=True)
    return dict(zip(("TLS_CERT", "TLS_KEY"), names)), ssl.create_default_context(cafile=names[0])


class Held:
    """Connections that send what they have to send, and read nothing beyond a handshake."""

    def __init__(self, count, text, tls):
        self.selector, self.text, self.sockets = selectors.DefaultSelector(), text, []
        self.closed = 0
        for number in range(count):
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.bind((ADDRESSES[number % len(ADDRESSES)], 0))
            one.setblocking(False)
            if tls:
                one = tls.wrap_socket(one, server_hostname="127.0.0.1", do_handshake_on_connect=False)
            one.connect_ex(("127.0.0.1", PORT))
            self.sockets.append(one)
            self.selector.register(one, selectors.EVENT_WRITE, [0, not tls])

    def hold(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not self.selector.get_map():
                time.sleep(min(left, 0.2))
            for key, _ in self.selector.select(min(left, 0.5)) if self.selector.get_map() else ():
                self.send(key)

    def send(self, key):
        try:
            self.shake_hands(key)
            key.data[0] += key.fileobj.send(self.text[key.data[0]:key.data[0] + 65536])
        except (BlockingIOError, ssl.SSLWantWriteError):
            return
        except ssl.SSLWantReadError:
            self.selector.modify(key.fileobj, selectors.EVENT_READ, key.data)
            return
        except OSError:
            self.closed += 1
            self.selector.unregister(key.fileobj)
            return
        if key.data[0] >= len(self.text):
            self.selector.unregister(key.fileobj)

    def shake_hands(self, key):
        """The handshake of a connection of TLS, as far as it goes."""
        if not key.data[1]:
            key.fileobj.do_handshake()
            key.data[1] = True
            self.selector.modify(key.fileobj, selectors.EVENT_WRITE, key.data)

    def close(self):
        for one in self.sockets:
            one.close()


class Reader(threading.Thread):
    """A plain reader: a short page, then a pause."""

    def __init__(self, service):
        super().__init__()
        self.service, self.times, self.failed, self.is_over = service, [], 0, False

    def run(self):
        while not self.is_over:
            began = time.monotonic()
            try:
                status, _ = self.service.get("/offers?limit=5")
            except OSError:
                status = 0
            self.failed += status != 200
            self.times.append((time.monotonic() - began) * 1000)
            time.sleep(0.02)

    def p99(self):
        times = sorted(self.times)
        return times[len(times) * 99 // 100]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stores", default="sqlite,postgres")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=9900)
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--only", default="", help="kinds with this in their name")
    parser.add_argument("--postgres", default=os.environ.get("POSTGRES_URL", "postgres://postgres@127.0.0.1:5432"))
    parser.add_argument("--programs", default=os.path.join(ROOT, "target/release"))
    parser.add_argument("--work", default=os.path.join(ROOT, "target/growth"))
    arguments = parser.parse_args()
    faults, bench = [], Bench(arguments)
    tls = certificate(arguments.work) if arguments.tls else ({}, None)
    for store in arguments.stores.split(","):
        url, _ = bench.filled(store, arguments.rows)
        for name, text in kinds().items():
            if arguments.only in name:
                faults += held(bench, url, f"{store}, {name}", text, arguments.connections, tls)
    print("\n".join(faults) or "all within bounds")
    sys.exit(1 if faults else 0)


def held(bench, url, name, text, count, tls):
    files, context = tls
    service = Service([bench.offers], url, PORT, bench.work, tls=context, **files)
    reader = Reader(service)
    reader.start()
    connections = Held(count, text, context)
    connections.hold(SECONDS)
    peak, closed = service.memory("VmHWM"), connections.closed
    reader.is_over = True
    reader.join()
    connections.close()
    print(f"{name}: {peak:.0f} MiB, {closed} of {count} closed, reader {reader.p99():.0f} ms, {reader.failed} failed", flush=True)
    service.stop()
    faults = [f"{name}: {peak:.0f} MiB"] if peak > MAX_MEMORY else []
    faults += [f"{name}: the reader waits {reader.p99():.0f} ms"] if reader.p99() > MAX_P99 else []
    return faults + ([f"{name}: {reader.failed} of the reader's requests fail"] if reader.failed else [])


if __name__ == "__main__":
    main()

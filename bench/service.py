"""A service under load: started, asked, and stopped; what it costs, with PostgreSQL's processes for its database."""

import http.client
import json
import os
import re
import signal
import subprocess
import time

from costs import children_of, cpu_of, memory_of

MEDIA_TYPE = "application/vnd.service.public.v1+json"
HEADERS = {"User-Agent": "bench/1", "Accept": MEDIA_TYPE, "Content-Type": MEDIA_TYPE}
LUA = """
local paths, bodies = %(paths)s, %(bodies)s
local headers = {["User-Agent"] = "bench/1", ["Accept"] = "%(media)s", ["Content-Type"] = "%(media)s"}
local at = 0
request = function()
  at = at + 1
  local body = bodies[(at - 1) %% #bodies + 1]
  local method = body == "" and "GET" or "%(method)s"
  return wrk.format(method, paths[(at - 1) %% #paths + 1], headers, body ~= "" and body or nil)
end
done = function(summary)
  local errors = summary.errors
  io.write(string.format("requests=%%d failed=%%d\\n", summary.requests,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
"""


def lua_list(texts):
    return "{" + ", ".join("[==[" + text + "]==]" for text in texts) + "}"


class Postgres:
    """Databases on a server that is running, and the CPU time of the server's processes for one of them."""

    def __init__(self, url, name):
        self.server, self.name, self.url = url, name, f"{url}/{name}"

    def sql(self, text, database="postgres"):
        command = ["psql", "-qAt", f"{self.server}/{database}", "-c", text]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    def make(self, template=None):
        self.drop()
        self.sql(f'CREATE DATABASE "{self.name}"' + (f' TEMPLATE "{template}"' if template else ""))

    def drop(self):
        self.sql(f'DROP DATABASE IF EXISTS "{self.name}" WITH (FORCE)')

    def cpu(self):
        """Seconds that each of the processes has taken so far."""
        found = self.sql(f"SELECT pid FROM pg_stat_activity WHERE datname = '{self.name}' AND pid <> pg_backend_pid()")
        return {process: cpu for process in found if (cpu := _cpu_if_running(process)) is not None}


def _cpu_if_running(process):
    try:
        return cpu_of(process)
    except (FileNotFoundError, ProcessLookupError):
        return None


class Service:
    """An instance. `command` without `--listen` and `--database`; `tls` is what its clients trust, where it has a certificate."""

    def __init__(self, command, database, port, folder, ready="/offers?limit=1", tls=None, **environment):
        self.port, self.tls = port, tls
        command = [*command, "--listen", f"127.0.0.1:{port}", *(["--database", database] if database else [])]
        self.log = open(os.path.join(folder, f"service-{port}.log"), "w", encoding="utf-8")
        began = time.monotonic()
        self.process = subprocess.Popen(command, cwd=folder, stdout=self.log, stderr=self.log, env=os.environ | environment)
        self.started = None
        while self.started is None:
            if self.process.poll() is not None or time.monotonic() - began > 120:
                raise SystemExit(f"{' '.join(command)} does not answer: see {self.log.name}")
            try:
                if self.get(ready)[0] == 200:
                    self.started = time.monotonic() - began
            except OSError:
                time.sleep(0.0005)

    def connect(self):
        if self.tls:
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=60, context=self.tls)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def get(self, path):
        connection = self.connect()
        try:
            connection.request("GET", path, headers=HEADERS)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def ids(self, collection="offers", number=1000):
        """Ids of entities, spread over the first part of the collection."""
        _, body = self.get(f"/{collection}?limit={number}")
        return [entity["id"] for entity in next(value for value in json.loads(body).values() if isinstance(value, list))]

    def cpu(self):
        process = self.process.pid
        return cpu_of(process) + sum(map(cpu_of, children_of(process)))

    def memory(self, kind="VmRSS"):
        return memory_of(self.process.pid, kind)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.log.close()


class Load:
    """Requests of one kind: paths in turn, with a body each or none."""

    def __init__(self, paths, bodies=("",), method="GET"):
        self.script = LUA % {
            "paths": lua_list(paths), "bodies": lua_list(bodies), "media": MEDIA_TYPE, "method": method,
        }


def measure(services, load, connections=32, seconds=3.0, postgres=None, warm_up=0.7):
    """Sends a load to one or several instances: microseconds of CPU per request, of the instances and of PostgreSQL."""
    script = f"/tmp/restwell-bench-{os.getpid()}.lua"
    with open(script, "w", encoding="utf-8") as file:
        file.write(load.script)
    each = max(1, connections // len(services))

    def send(duration):
        clients = [
            subprocess.Popen(
                ["wrk", "-t1", f"-c{each}", f"-d{duration}s", "--timeout", "30s", "-s", script, f"http://127.0.0.1:{service.port}"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            for service in services
        ]
        texts = [client.communicate()[0] for client in clients]
        counts = [re.search(r"requests=(\d+) failed=(\d+)", text) for text in texts]
        if not all(counts):
            raise SystemExit("wrk failed:\n" + "\n".join(texts))
        return [sum(int(count.group(group)) for count in counts) for group in (1, 2)]

    send(max(1, round(warm_up)))
    before, before_postgres = sum(service.cpu() for service in services), postgres.cpu() if postgres else {}
    requests, failed = send(max(1, round(seconds)))
    service_cpu = sum(service.cpu() for service in services) - before
    postgres_cpu = 0.0
    if postgres:
        postgres_cpu = sum(cpu - before_postgres.get(process, 0.0) for process, cpu in postgres.cpu().items())
    os.remove(script)
    if failed:
        print(f"{failed} of {requests} requests failed", flush=True)
    requests = max(requests - failed, 1)
    return {"service": service_cpu / requests * 1e6, "postgres": postgres_cpu / requests * 1e6, "requests": requests, "failed": failed}

#!/usr/bin/env python3
"""How the cost of a request grows: with rows, resources, connections, the length of pages, and instances.

    cargo build --release -p restwell --features postgres,measuring --example offers --example filled_export
    cargo build --release -p restwell-generator --features postgres
    bench/growth.py [--axes rows,pages,connections,instances,resources] [--rows 10000,…] [--postgres-rows 10000,…]

CPU time (user and system) of the service, and of PostgreSQL's processes for its database, per request under `wrk`. It
varies little with what else the machine does, so nothing needs to stand still. Writes a table and a plot for each axis to
`docs/operate/performance/`, and keeps the measured values in `growth.json` there: an axis that is not measured keeps its values,
and `--axes ''` only writes tables and plots again.
Databases are filled by `import`, and kept in `--work` for the next run. Needs wrk, psql and a PostgreSQL.
See docs/operate/performance.md, "Growth".
"""

import argparse
import json
import os
import resource
import shutil
import socket
import subprocess
import time

from compile_time import write_schemas
from costs import ROOT, run, table
from plots import number, plot
from service import HEADERS, Load, Postgres, Service, measure

PORT = 8410
CLIENTS, FEW_CLIENTS = 32, 4
COUNTED = ("filtered, sorted", "page after a change, and the change")
FILTER = "/offers?category=BOOKS&buyNow.amount.gte=10&stock.gt=5&sort=-buyNow,createdAt&limit=50"
BODY = (
    '{"name":"Offer %d, a quiet garden bench","description":"Wood, two seats.","category":"TOYS","buyNow":{"amount":"%d.90",'
    '"currency":"PLN"},"active":true,"stock":%d,"address":{"city":"Poznań","countryCode":"PL"}}'
)


def bodies(count=200):
    return [BODY % (index, 100 + index * 37 % 900, index % 100) for index in range(count)]


def loads(ids):
    """What is sent. A count is known until the table changes: the last kind changes it before each page."""
    paths = [f"/offers/{id}" for id in ids]
    return {
        "read one": Load(paths),
        "page of 50": Load(["/offers?limit=50"]),
        "filtered, sorted": Load([FILTER]),
        "replace": Load(paths, bodies(), "PUT"),
        "create": Load(["/offers"], bodies(), "POST"),
        "page after a change, and the change": Load(
            [path for id in ids[:100] for path in (f"/offers/{id}", "/offers?limit=50")],
            [body for text in bodies(100) for body in (text, "")], "PUT"),
    }


class Bench:
    def __init__(self, options):
        self.options = options
        self.work = os.path.abspath(options.work)
        os.makedirs(self.work, exist_ok=True)
        self.offers = os.path.join(options.programs, "examples/offers")
        self.restwell = os.path.join(options.programs, "restwell")

    def postgres(self, name):
        return Postgres(self.options.postgres, f"restwell_growth_{name}")

    def filled(self, store, rows):
        """The URL of a database with this number of offers, and the database if it is PostgreSQL's."""
        if store == "postgres":
            database = self.postgres(str(rows))
            try:
                if database.sql("SELECT count(*) FROM offers", database.name) == [str(rows)]:
                    return database.url, database
            except subprocess.CalledProcessError:
                pass
            database.make()
            self.fill(database.url, rows)
            database.sql("VACUUM ANALYZE", database.name)
            return database.url, database
        file = os.path.join(self.work, f"{rows}.db")
        if not os.path.exists(file):
            part = file + ".part"
            self.fill(f"sqlite://{part}", rows)
            os.rename(part, file)
        return f"sqlite://{file}", None

    def fill(self, url, rows):
        empty, fresh = os.path.join(self.work, "empty.ndjson"), os.path.join(self.work, "empty.db")
        if not os.path.exists(empty):
            service = Service([self.offers], f"sqlite://{fresh}", PORT, self.work)
            service.stop()
            run([self.offers, "export", "--database", f"sqlite://{fresh}", "--out", empty], self.work)
        filler = os.path.join(self.options.programs, "examples/filled_export")
        pipe = f"'{filler}' {rows} < '{empty}' | '{self.offers}' import --database '{url}' --from -"
        cost = run(["bash", "-o", "pipefail", "-c", pipe], self.work)
        print(f"filled {url.split('@')[-1]} with {rows} rows in {cost.clock:.0f} s, {cost.cpu:.0f} s of CPU", flush=True)

    def copy(self, store, rows):
        """A database that may be changed: a copy. Large files are changed themselves, by what is small beside them."""
        url, database = self.filled(store, rows)
        if store == "postgres" or rows > 1_000_000:
            return url, database
        copy = os.path.join(self.work, "copy.db")
        for end in ("", "-wal", "-shm"):
            if os.path.exists(copy + end):
                os.remove(copy + end)
        shutil.copy(url.removeprefix("sqlite://"), copy)
        return f"sqlite://{copy}", None

    def report(self, axis, at, name, figure, extra=None):
        cost = figure["service"] + figure["postgres"]
        print(f"{axis} {at} {name}: {cost:.1f} µs ({figure['service']:.1f} + {figure['postgres']:.1f}), "
              f"{figure['requests']} requests, {figure['failed']} failed", flush=True)
        self.values.append({"at": at, "name": name, **{key: round(value, 1) for key, value in figure.items()}, **(extra or {})})

    def rows(self):
        self.values = []
        for store, sizes in (("sqlite", self.options.rows), ("postgres", self.options.postgres_rows)):
            for rows in sizes:
                url, database = self.copy(store, rows)
                service = Service([self.offers], url, PORT, self.work)
                started, idle = service.started, service.memory()
                for name, load in loads(service.ids()).items():
                    # what counts many rows takes long: few clients, so that none is refused
                    clients = FEW_CLIENTS if name in COUNTED else CLIENTS
                    figure = measure([service], load, clients, self.options.seconds, database)
                    self.report("rows", rows, f"{store}: {name}", figure, {"started": round(started * 1000), "idle": round(idle)})
                service.stop()
                if database:
                    database.drop()

    def pages(self):
        self.values = []
        for store in ("sqlite", "postgres"):
            url, database = self.copy(store, 100_000)
            service = Service([self.offers], url, PORT, self.work)
            for limit in (1, 10, 50, 100, 300, 1000):
                figure = measure([service], Load([f"/offers?limit={limit}"]), postgres=database, seconds=self.options.seconds)
                self.report("pages", limit, store, figure)
            service.stop()

    def connections(self):
        """Clients that all ask, then 32 that ask while others are connected and wait."""
        self.values = []
        url, _ = self.copy("sqlite", 100_000)
        command = [self.offers, "--max-connections", "20000", "--max-connections-per-address", "20000"]
        for count in (1, 10, 100, 1000, 10000):
            service = Service(command, url, PORT, self.work)
            paths = [f"/offers/{id}" for id in service.ids()]
            figure = measure([service], Load(paths), connections=count, seconds=self.options.seconds)
            self.report("connections", count, "all of them send", figure, {"memory": round(service.memory())})
            service.stop()
            service = Service(command, url, PORT, self.work)
            before, waiting = service.memory(), idle_connections(count)
            after = service.memory()
            figure = measure([service], Load(paths), seconds=self.options.seconds)
            extra = {"memory": round(after), "each": round((after - before) * 1000 / count, 1)}
            self.report("connections", count, "32 send, beside idle ones", figure, extra)
            for connection in waiting:
                connection.close()
            service.stop()

    def instances(self):
        self.values = []
        url, database = self.filled("postgres", 100_000)
        for count in (1, 2, 4):
            services = [Service([self.offers], url, PORT + index, self.work) for index in range(count)]
            for name, load in loads(services[0].ids()).items():
                figure = measure(services, load, postgres=database, seconds=self.options.seconds)
                self.report("instances", count, name, figure)
            for service in services:
                service.stop()
        database.drop()

    def resources(self):
        """Served by `restwell serve`: the first of them is asked."""
        self.values = []
        for count in (1, 10, 100, 1000):
            folder = os.path.join(self.work, f"resources-{count}")
            shutil.rmtree(folder, ignore_errors=True)
            write_schemas(folder, count, 1000, "")
            with open(os.path.join(folder, "schemas/offer.yaml"), "w", encoding="utf-8") as file:
                file.write(OFFER)
            command = [self.restwell, "serve", "schemas"]
            Service(command, None, PORT, folder).stop()
            service = Service(command, None, PORT, folder)
            extra = {"started": round(service.started * 1000), "idle": round(service.memory())}
            measure([service], Load(["/offers"], bodies(), "POST"), seconds=1)
            for name, load in loads(service.ids(number=200)).items():
                if name != "filtered, sorted" and "after" not in name:
                    self.report("resources", count, name, measure([service], load, seconds=self.options.seconds), extra)
            service.stop()
            shutil.rmtree(folder)


OFFER = """resource: Offer
operations:
  create: { access: anyone }
  list:
  get:
  update: { access: anyone }
  delete: { access: anyone }
fields:
  name: { type: string, required: true, maxLength: 200 }
  description: { type: string }
  category: { type: enum, values: [BOOKS, MUSIC, GARDEN, TOYS], required: true, filter: true, sort: true }
  buyNow: { type: price, required: true, filter: true, sort: true }
  active: { type: boolean, required: true }
  stock: { type: integer, required: true, minimum: 0, filter: true, sort: true }
  address: { type: object, required: true, fields: { city: { type: string, required: true }, countryCode: { type: country, required: true } } }
"""


def idle_connections(count):
    """Connections that have sent one request each, and then wait."""
    head = "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items() if name != "Content-Type")
    request = f"GET /offers?limit=0 HTTP/1.1\r\nHost: bench\r\n{head}\r\n".encode()
    connections = []
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", PORT))
        connection.sendall(request)
        connection.recv(4096)
        connections.append(connection)
    time.sleep(1)
    return connections


AXES = {
    "rows": ("Rows", "rows of the table", "log"),
    "pages": ("Length of a page", "entities of the page (`limit`)", "log"),
    "connections": ("Connections", "open connections", "log"),
    "instances": ("Instances behind one PostgreSQL", "instances, with 32 clients together", "log"),
    "resources": ("Resources of the service", "resources of 20 fields", "log"),
}


def write(folder, kept):
    """The tables and plots of what is kept."""
    text = "# Growth\n\nWritten by `bench/growth.py`: microseconds of CPU time per request, of the service and, where there is one, of\nPostgreSQL together. What it means is in [Performance](../performance.md#growth).\n"
    for axis, (title, across, _) in AXES.items():
        values = kept.get(axis)
        if not values:
            continue
        at = sorted({value["at"] for value in values})
        names = list(dict.fromkeys(value["name"] for value in values))
        refused = {(value["name"], value["at"]) for value in values if value["failed"] >= value["requests"]}
        cost = {(value["name"], value["at"]): value["service"] + value["postgres"] for value in values}
        cost = {key: figure for key, figure in cost.items() if key not in refused}

        def cell(name, x):
            return "refused" if (name, x) in refused else f"{cost[name, x]:,.0f}" if (name, x) in cost else ""

        text += f"\n## {title}\n\n" + table([across, *map(number, at)], [[name, *(cell(name, x) for x in at)] for name in names]) + "\n"
        for key, what in (("started", "start to the first answer, ms"), ("idle", "idle memory, MB"), ("memory", "memory, MB"), ("each", "memory of an idle connection, KB")):
            found = {(value["name"], value["at"]): value[key] for value in values if key in value}
            if found:
                rows = {}
                for (name, x), value in found.items():
                    rows.setdefault(name.split(":")[0] if key in ("started", "idle") else name, {})[x] = value
                if key in ("started", "idle") and axis == "resources":
                    rows = {"service": next(iter(rows.values()))}
                text += "\n" + table([what, *map(number, at)], [[name, *(row.get(x, "") for x in at)] for name, row in rows.items()]) + "\n"
        text += f"\n![{title}](growth-{axis}.svg)\n"
        lines = [(name, [(x, cost[name, x]) for x in at if (name, x) in cost]) for name in names]
        with open(os.path.join(folder, f"growth-{axis}.svg"), "w", encoding="utf-8") as file:
            file.write(plot(title, across.replace("`", ""), "CPU per request, µs", lines))
    with open(os.path.join(folder, "growth.md"), "w", encoding="utf-8") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers = lambda text: [int(part) for part in text.split(",") if part]  # noqa: E731
    parser.add_argument("--axes", default=",".join(AXES))
    parser.add_argument("--rows", type=numbers, default=[10_000, 100_000, 1_000_000, 10_000_000])
    parser.add_argument("--postgres-rows", type=numbers, default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--postgres", default=os.environ.get("POSTGRES_URL", "postgres://postgres@127.0.0.1:5432"))
    parser.add_argument("--programs", default=os.path.join(ROOT, "target/release"))
    parser.add_argument("--work", default=os.path.join(ROOT, "target/growth"))
    parser.add_argument("--out", default=os.path.join(ROOT, "docs/operate/performance"))
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65_536), most))
    os.makedirs(options.out, exist_ok=True)

    bench, file = Bench(options), os.path.join(options.out, "growth.json")
    kept = json.load(open(file, encoding="utf-8")) if os.path.exists(file) else {}
    for axis in filter(None, options.axes.split(",")):
        getattr(bench, axis)()
        kept[axis] = bench.values
        with open(file, "w", encoding="utf-8") as out:
            lines = ",\n".join(f'"{name}": [\n' + ",\n".join(map(json.dumps, values)) + "\n]" for name, values in kept.items())
            out.write("{\n" + lines + "\n}\n")
    write(options.out, kept)


if __name__ == "__main__":
    main()

"""How `restwell check` judges the names of fields of public interfaces.

    bench/names.py [--program target/debug/restwell] [--list FOLDER] [--folder FOLDER]

Takes documents that packages ship: the OpenAPI documents of GitHub (npm `@octokit/openapi`) and Kubernetes (npm
`kubernetes-client`), and the descriptions of Google's interfaces (PyPI `google-api-python-client`). Writes schemas with
the names of their fields in camelCase, with their types, checks them, and prints the faults by code and severity.
`--list` writes every fault with the type of its field, a file for each interface, to be read by people: an error has to
be a breach of §2.1 without doubt. `--folder` keeps the packages and the schemas.

It downloads some 50 MB with `npm` and `pip`, and is not a part of CI. Python 3.11, standard library.
"""

import argparse
import collections
import gzip
import json
import pathlib
import re
import subprocess
import tarfile
import tempfile
import zipfile

# of an object at most: a resource has one of them, and no more than 750 fields
FIELDS = 300
SCALARS = {"string": "string", "integer": "integer", "number": "number", "boolean": "boolean"}
FORMATS = {"uuid": "uuid", "date-time": "timestamp", "date": "date", "google-datetime": "timestamp"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/debug/restwell")
    parser.add_argument("--list", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, documents in (("github", github), ("kubernetes", kubernetes), ("google", google)):
            fields = {pair for document in documents(folder) for pair in fields_of(document)}
            schemas = folder / f"schemas-{name}"
            write(schemas, sorted(fields))
            faults = check(options.program, schemas)
            print(f"\n{name}: {len({field for field, _ in fields})} names, {len(fields)} with their types")
            table(faults)
            if options.list:
                options.list.mkdir(parents=True, exist_ok=True)
                (options.list / f"{name}-errors.txt").write_text(listed(faults, fields))


def package(folder, pattern, *command):
    """The file of a package, downloaded unless it is there."""
    if not list(folder.glob(pattern)):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return next(folder.glob(pattern))


def github(folder):
    archive = package(folder, "octokit-openapi-[0-9]*.tgz", "npm", "pack", "@octokit/openapi")
    with tarfile.open(archive) as files:
        yield json.load(files.extractfile("package/generated/api.github.com.json"))


def kubernetes(folder):
    archive = package(folder, "kubernetes-client-*.tgz", "npm", "pack", "kubernetes-client")
    with tarfile.open(archive) as files:
        newest = max(name for name in files.getnames() if re.search(r"specs/swagger-1\.\d\d\.json\.gz$", name))
        yield json.loads(gzip.decompress(files.extractfile(newest).read()))


def google(folder):
    pip = ("pip", "download", "--no-deps", "google-api-python-client")
    with zipfile.ZipFile(package(folder, "google_api_python_client-*.whl", *pip)) as files:
        wanted = r"/(calendar|drive|gmail|people|books|sheets|tasks|youtube)\.v\d\.json$"
        for name in files.namelist():
            if re.search(wanted, name):
                yield json.loads(files.read(name))


def fields_of(node):
    """The names and types of all properties below a node of a document."""
    if isinstance(node, list):
        for item in node:
            yield from fields_of(item)
    elif isinstance(node, dict):
        properties = node.get("properties")
        if isinstance(properties, dict):
            for name, schema in properties.items():
                if isinstance(schema, dict) and (camel := camel_of(name)):
                    yield camel, type_of(schema)
        for item in node.values():
            yield from fields_of(item)


def camel_of(name):
    """`single_file_name` is `singleFileName`; `None` for what is no name."""
    words = re.findall(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)
    if not words or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", name):
        return None
    first, *rest = [word.lower() for word in words]
    return first + "".join(word.capitalize() for word in rest)


def type_of(schema):
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), None)
    for key in ("anyOf", "oneOf", "allOf"):
        if kind is None and schema.get(key):
            return next((found for one in schema[key] if (found := type_of(one)) != "object"), "object")
    if kind == "array":
        return "array"
    if kind == "string":
        return FORMATS.get(schema.get("format"), "string")
    return SCALARS.get(kind, "object")


def write(folder, fields):
    """Schemas with these fields: objects, each with a resource that has it."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.yaml"):
        old.unlink()
    (folder / "service.yaml").write_text("service: measured\n")
    (folder / "thing.yaml").write_text("object: Thing\nfields:\n  note: { type: string }\n")
    objects = []
    for name, kind in fields:
        # a name with two types stands in two objects
        found = next((one for one in objects if name not in one and len(one) < FIELDS), None)
        if found is None:
            objects.append(found := {})
        found[name] = kind
    shapes = {"array": "array, items: { type: string }", "object": "Thing"}
    for number, found in enumerate(objects):
        lines = [f"  {name}: {{ type: {shapes.get(kind, kind)} }}" for name, kind in found.items()]
        (folder / f"part{number}.yaml").write_text(f"object: Part{number}\nfields:\n" + "\n".join(lines) + "\n")
        holder = f"resource: Holder{number}\nfields:\n  part: {{ type: Part{number} }}\n"
        (folder / f"holder{number}.yaml").write_text(holder)


def check(program, folder):
    """The faults of names, each with the name."""
    command = [program, "check", "--format", "json", str(folder)]
    printed = subprocess.run(command, capture_output=True, text=True).stderr
    faults = [json.loads(line) for line in printed.splitlines()]
    faults = [fault for fault in faults if fault.get("code") != "open-writes"]
    return [(fault["severity"], fault["code"], re.search(r"`(\w+)`", fault["message"]).group(1)) for fault in faults]


def table(faults):
    counts = collections.Counter((severity, code) for severity, code, _ in faults)
    for (severity, code), count in sorted(counts.items(), key=lambda item: (item[0][0], -item[1])):
        print(f"  {severity:8} {code:20} {count:5}")


def listed(faults, fields):
    types = collections.defaultdict(set)
    for name, kind in fields:
        types[name].add(kind)
    lines = {f"{severity:8} {code:18} {name}  ({', '.join(sorted(types[name]))})" for severity, code, name in faults}
    return "\n".join(sorted(lines)) + "\n"


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the plural rules of all languages, and the samples that they are tested with.

    bench/plural_rules.py [--package FOLDER] [--version VERSION] [--check]

Reads CLDR's rules in the package `cldr-core` (npm): in a folder with the unpacked package, or in a version that it
downloads (5 MB). Writes `cardinal.rs`, `ordinal.rs`, `samples.txt` and `LICENSE-UNICODE` in
`model/src/messages/plural_rules/`; with `--check` it writes nothing, and fails if they would change. It also fails if a
rule uses what `model` does not know, such as a new operand. Python 3.11, standard library, `rustfmt`.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent
TARGET = HERE / "model/src/messages/plural_rules"
KINDS = {"cardinal": "plurals", "ordinal": "ordinals"}
CATEGORIES = ["zero", "one", "two", "few", "many", "other"]
RELATION = re.compile(r"([nivfte]) (?:% (\d+) )?(=|!=) ([\d.,]+)")

HEAD = """\
//! The {kind} plural rules of languages: data of CLDR {version}. `bench/plural_rules.py` writes this file.
//!
//! © Unicode, Inc., under the Unicode License v3 (Unicode-3.0), which is in `LICENSE-UNICODE` beside this file.

use super::PluralCategory::{{{categories}}};
use super::operands::Operand::{{{operands}}};
use super::{{LanguageGroup, is, is_not}};

pub(super) const LANGUAGES: &[LanguageGroup] = &[
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", type=pathlib.Path)
    parser.add_argument("--version", default="48.2.0")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        package = options.package or download(options.version, pathlib.Path(temporary))
        files = written(package)
    differing = [name for name, text in files.items() if text != present(TARGET / name)]
    if options.check:
        sys.exit(f"to be written again: {', '.join(differing)}" if differing else 0)
    for name in differing:
        (TARGET / name).write_text(files[name])
    print(f"changed: {', '.join(differing) or 'nothing'}")


def download(version, folder):
    subprocess.run(("npm", "pack", "--silent", f"cldr-core@{version}"), cwd=folder, check=True, capture_output=True)
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"


def present(path):
    return path.read_text() if path.exists() else None


def written(package):
    """The files, with their texts."""
    files, samples = {"LICENSE-UNICODE": (package / "LICENSE").read_text().strip() + "\n"}, []
    for kind, name in KINDS.items():
        document = read(package, name)
        version = document["version"]["_cldrVersion"]
        groups = grouped(document[f"plurals-type-{kind}"])
        files[f"{kind}.rs"] = table(kind, version, "".join(map(group_code, groups)))
        samples += [line for group in groups for line in sample_lines(kind, *group)]
    note = (
        f"# Samples of CLDR {version}, for tests: kind, languages, category, numbers. By `bench/plural_rules.py`.\n"
        "# © Unicode, Inc., under the Unicode License v3 (Unicode-3.0): LICENSE-UNICODE\n"
    )
    return files | {"samples.txt": note + "\n".join(samples) + "\n"}


def table(kind, version, code):
    def used(names):
        return ", ".join(name for name in names if re.search(rf"\({name},", code))
    categories = used(category.capitalize() for category in CATEGORIES)
    head = HEAD.format(kind=kind, version=version, categories=categories, operands=used("EFINTV"))
    command = ("rustfmt", "--edition", "2024", "--config-path", str(HERE))
    return subprocess.run(command, input=f"{head}{code}];\n", capture_output=True, text=True, check=True).stdout


def read(package, name):
    return json.loads((package / f"supplemental/{name}.json").read_text())["supplemental"]


def grouped(languages):
    """The languages that have the same rules and samples: `([language], {category: rule with samples})`."""
    groups = {}
    for language, rules in languages.items():
        rules = {key.removeprefix("pluralRule-count-"): rule for key, rule in rules.items()}
        if unknown := set(rules) - set(CATEGORIES):
            sys.exit(f"{language}: unknown categories {unknown}")
        groups.setdefault(json.dumps(rules), ([], rules))[0].append(language)
    # root has only `other`, which is what a language without rules gets
    return [(sorted(languages), rules) for languages, rules in groups.values()]


def group_code(group):
    languages, rules = group
    names = ", ".join(f'"{language}"' for language in languages)
    code = ""
    for category in CATEGORIES[:-1]:
        if condition := condition_of(rules.get(category, "")):
            ways = ", ".join(f"&[{', '.join(map(relation_code, way))}]" for way in parsed(condition))
            code += f"({category.capitalize()}, &[{ways}]),"
    return f"LanguageGroup {{ languages: &[{names}], rules: &[{code}] }},"


def condition_of(rule):
    return rule.split("@")[0].strip()


def parsed(condition):
    """The ways to meet a condition; each is a list of relations that all hold."""
    return [[relation(text, condition) for text in way.split(" and ")] for way in condition.split(" or ")]


def relation(text, condition):
    found = RELATION.fullmatch(text)
    if not found:
        sys.exit(f"a rule that is not understood: {text!r} in {condition!r}")
    operand, modulus, sign, values = found.groups()
    if modulus and 10**18 % int(modulus):
        sys.exit(f"a modulus that does not divide a power of ten: {condition!r}")
    ranges = [tuple(map(int, (value.split("..") * 2)[:2])) for value in values.split(",")]
    return operand, int(modulus or 0), sign, ranges


def relation_code(relation):
    operand, modulus, sign, ranges = relation
    name = "is" if sign == "=" else "is_not"
    values = ", ".join(f"({first}, {last})" for first, last in ranges)
    return f"{name}({operand.upper()}, {modulus}, &[{values}])"


def sample_lines(kind, languages, rules):
    for category, rule in rules.items():
        listed = [part for part in re.split(r"@(?:integer|decimal)", rule)[1:]]
        numbers = [number.strip() for part in listed for number in part.split(",")]
        numbers = [number for number in numbers if number not in ("", "…")]
        yield f"{kind} | {' '.join(languages)} | {category} | {' '.join(numbers)}"


if __name__ == "__main__":
    main()

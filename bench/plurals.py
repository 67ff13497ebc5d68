"""The plurals and singulars of the nouns of a dictionary.

    bench/plurals.py [--words FILE] [--folder FOLDER]

Takes the nouns with their plurals of `lemminflect` (PyPI; from the NLM's lexicon), asks `model/examples/inflect.rs`, and
prints each noun whose plural is not one of the dictionary's, or which does not come back from its plural. `--words` is
a list of words, such as Debian's `wamerican` installs at /usr/share/dict/words: then only nouns in it are compared.

Of the nouns that remain most have two plurals, or none that anyone uses: read what changes, not the number. It
downloads 1 MB with `pip`, and is not a part of CI. Python 3.11, standard library.
"""

import argparse
import csv
import gzip
import io
import pathlib
import re
import subprocess
import tempfile
import zipfile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        nouns = dict(read(folder))
    if options.words:
        words = set(options.words.read_text().split())
        known = {noun: [one for one in plurals if one in words] for noun, plurals in nouns.items() if noun in words}
        nouns = {noun: plurals for noun, plurals in known.items() if plurals}
    answers = inflected({word for noun, plurals in nouns.items() for word in (noun, plurals[0])})
    wrong = 0
    for noun, plurals in sorted(nouns.items()):
        plural, first = answers[noun][0], plurals[0]
        faults = [f"plural {plural}"] if plural not in plurals else []
        faults += [f"singular of {first}: {answers[first][1]}"] if answers[first][1] != noun else []
        faults += [f"not a singular: {answers[noun][1]}"] if answers[noun][1] != noun else []
        wrong += bool(faults)
        if faults:
            print(f"{noun} ({', '.join(plurals)}): {'; '.join(faults)}")
    print(f"{len(nouns)} nouns, {wrong} differ")


def read(folder):
    """The nouns that have a plural, with their plurals."""
    if not list(folder.glob("lemminflect-*.whl")):
        subprocess.run(("pip", "download", "--no-deps", "lemminflect"), cwd=folder, check=True, capture_output=True)
    with zipfile.ZipFile(next(folder.glob("lemminflect-*.whl"))) as files:
        text = gzip.decompress(files.read("lemminflect/resources/infl_lu.csv.gz")).decode()
    for noun, kind, *forms in csv.reader(io.StringIO(text)):
        plurals = [form for form in forms[0].split("/") if re.fullmatch("[a-z]+", form) and form != noun]
        if kind == "noun" and plurals and re.fullmatch("[a-z]{2,}", noun):
            yield noun, plurals


def inflected(words):
    """The plural and the singular of each word."""
    command = ("cargo", "run", "--quiet", "--package", "restwell-model", "--example", "inflect")
    printed = subprocess.run(command, input="\n".join(sorted(words)), text=True, capture_output=True, check=True).stdout
    return {word: forms for word, *forms in (line.split("\t") for line in printed.splitlines())}


if __name__ == "__main__":
    main()

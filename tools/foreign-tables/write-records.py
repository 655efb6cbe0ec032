#!/usr/bin/env python3
"""Writes XML, JSON and HTML as suppliers and their systems send them, with what a reader has to find in each.

Usage: /usr/bin/python3 tools/foreign-tables/write-records.py FOLDER [--seed 1] [--only TEXT] [--samples FILE]

Uses Debian's python3-lxml, python3-pandas, python3-openpyxl, python3-xlsxwriter, python3-xlrd and
libreoffice-calc-nogui. FOLDER then has a file of each kind, and `truth.json` with a line for each, which
tools/foreign-tables/check-records.ts compares with what is read. pandas and LibreOffice read what they can, and have
to find the same. Half of the kinds, by their names, are held out: their files are only counted, so that the reader is
judged by what nobody has looked at. `--samples` stores a few small files of the other half, for
src/server/files/foreign-records.test.ts.
"""
import argparse
import base64
import json
import os
import random
import re
import sys
import zlib

from books.libreoffice import convert
from records import (
    apis,
    databases,
    erp,
    feeds,
    html_tables,
    oracle,
    platforms,
    refused,
    shapes,
    spreadsheets,
    texts,
)
from records.files import KINDS

FAMILIES = [feeds, platforms, erp, databases, apis, texts, shapes, html_tables, spreadsheets, refused]
MAX_SAMPLE_BYTES = 4_000
SAMPLES_PER_FAMILY = 6


def draw_files(seed, only):
    """The files by the names of their kinds."""
    return {name: draw(random.Random(f'{seed}:{name}')) for name, (_, draw) in KINDS.items() if only in name}


def convert_files(files):
    """Replaces the data of those that LibreOffice converts."""
    flat = [file for file in files if file.is_converted]
    converted = convert({f'{at:03}.xlsx': file.data for at, file in enumerate(flat)}, 'fods') if flat else {}
    for file, data in zip(flat, converted.values()):
        file.data = data


def check(files):
    """How many files other programs read otherwise than their truths say, and how many were read."""
    readable = {name: file for name, file in files.items() if file.tables and file.is_checked}
    books = oracle.check_books([file for file in readable.values() if file.book])
    failures = 0
    for name, file in readable.items():
        try:
            wrong = books[id(file)] if file.book else oracle.find_wrong(file)
        except Exception as error:
            wrong = [repr(error)]
        if wrong:
            failures += 1
            print(f'{name}: {len(wrong)} differences, such as {wrong[0]}', file=sys.stderr)
    return failures, len(readable)


def is_held_out(name):
    return zlib.crc32(name.encode()) % 2 == 1


def describe(name, file):
    words = re.sub(r'[^a-z0-9]+', '-', name.lower())
    family = KINDS[name][0]
    return {
        'name': f'{family.replace("_", "-")}-{words}.{file.suffix}',
        'kind': name,
        'family': family,
        'isHeldOut': is_held_out(name),
        'isAmbiguous': file.is_ambiguous,
        'tables': [table.describe() for table in file.tables],
    }


def choose_samples(files):
    """Some small files of each family, in no order, of the half that may be looked at."""
    for family in FAMILIES:
        names = [name for name in files if KINDS[name][0] == family.__name__.rpartition('.')[2]]
        small = [name for name in names if not is_held_out(name) and len(files[name].data) <= MAX_SAMPLE_BYTES]
        yield from sorted(small, key=lambda name: zlib.crc32(name.encode()))[:SAMPLES_PER_FAMILY]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--only', default='')
    parser.add_argument('--samples')
    options = parser.parse_args()
    files = draw_files(options.seed, options.only)
    convert_files(files.values())
    failures, checked = check(files)
    truths = {name: describe(name, file) for name, file in files.items()}
    os.makedirs(options.folder, exist_ok=True)
    for name, file in files.items():
        with open(os.path.join(options.folder, truths[name]['name']), 'wb') as target:
            target.write(file.data)
    write_lines(os.path.join(options.folder, 'truth.json'), truths.values())
    if options.samples:
        samples = [
            {**truths[name], 'bytes': base64.b64encode(files[name].data).decode()} for name in choose_samples(files)
        ]
        write_lines(options.samples, samples)
    held_out = sum(map(is_held_out, files))
    print(
        f'{len(files)} files, {held_out} held out; of {checked} that other programs read, {failures} otherwise',
        file=sys.stderr,
    )
    sys.exit(1 if failures else 0)


def write_lines(path, items):
    """A JSON list with an item a line."""
    lines = (json.dumps(item, ensure_ascii=False, separators=(',', ':')) for item in items)
    with open(path, 'w', encoding='utf-8') as target:
        target.write('[\n' + ',\n'.join(lines) + '\n]\n')


main()

#!/usr/bin/env python3
"""Writes a set of documents with their truth: write.py FOLDER first|second|third|fourth [SEED], or write.py --samples FILE.

One document a file, and truth.json: [{file, name, set, form, rows, fields, …}]. The same seed writes the same bytes.
With --samples, small documents of all sets are written to one file, with their bytes in base64.
"""
import base64
import json
import pathlib
import sys
import zlib

from model import seeded


# Of small ones, every so many, so that a test of them all stays short.
MAX_SAMPLE_BYTES = {'first': 1_900, 'second': 1_900, 'third': 1_200, 'fourth': 1_900}
SAMPLE_EVERY = {'first': 2, 'second': 2, 'third': 3, 'fourth': 2}


def draw(which, seed):
    for at, (make, args) in enumerate(__import__(which).PLANS):
        document = make(seeded(zlib.crc32(f'{which} {seed} {at}'.encode())), *args)
        extension = {'html': 'xls'}.get(document['form'], document['form'])
        yield {'file': f'{at:03d}-{document["name"]}.{extension}', 'set': which, **document}


def write_lines(path, documents):
    lines = (json.dumps(document, ensure_ascii=False, separators=(',', ':')) for document in documents)
    pathlib.Path(path).write_text('[\n' + ',\n'.join(lines) + '\n]\n', encoding='utf-8')


def write_samples(path):
    documents = []
    for which, most in MAX_SAMPLE_BYTES.items():
        small = [document for document in draw(which, 1) if len(document['bytes']) <= most]
        documents += small[::SAMPLE_EVERY[which]]
    write_lines(path, ({**d, 'bytes': base64.b64encode(d['bytes']).decode()} for d in documents))


def write_set(folder, which, seed):
    folder.mkdir(parents=True, exist_ok=True)
    truths = []
    for document in draw(which, seed):
        (folder / document['file']).write_bytes(document.pop('bytes'))
        truths.append(document)
    write_lines(folder / 'truth.json', truths)


if sys.argv[1] == '--samples':
    write_samples(sys.argv[2])
else:
    write_set(pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1)

#!/usr/bin/env python3
"""Writes a set of documents with their truth: write.py FOLDER [first|second] [SEED].

One document a file, and truth.json: [{file, name, form, rows, fields, …}]. The same seed writes the same bytes.
"""
import json
import pathlib
import sys
import zlib

from model import seeded


def main():
    folder, which, seed = pathlib.Path(sys.argv[1]), (sys.argv[2:] or ['first'])[0], int((sys.argv[3:] or ['1'])[0])
    plans = __import__(which).PLANS
    folder.mkdir(parents=True, exist_ok=True)
    out = []
    for at, (make, args) in enumerate(plans):
        r = seeded(zlib.crc32(f'{which} {seed} {at}'.encode()))
        d = make(r, *args)
        ext = {'html': 'xls'}.get(d['form'], d['form'])
        file = f'{at:03d}-{d["name"]}.{ext}'
        (folder / file).write_bytes(d.pop('bytes'))
        out.append({'file': file, **d})
    (folder / 'truth.json').write_text(json.dumps(out, ensure_ascii=False, indent=0) + '\n', encoding='utf-8')
    print(len(out), 'documents')


main()

#!/usr/bin/env python3
"""Writes workbooks and archives as suppliers send them, with what a reader has to find in each.

Usage: /usr/bin/python3 tools/foreign-tables/write-books.py FOLDER [--seed 1] [--count 610] [--only TEXT]
                                                            [--samples FILE]

Uses Debian's python3-openpyxl, python3-xlsxwriter, python3-pandas, python3-odf, python3-xlrd, zip, zstd and
libreoffice-calc-nogui. FOLDER then has the files, `truth.json` with a line for each, which
tools/foreign-tables/check-books.ts compares with what is read, and for each workbook another program has read the
same as stands there. Half of the files, by their number, are marked as held out: these are only counted, so that the
reader is judged by files that nobody has looked at. `--samples` stores a few small files of the other half, for
src/server/files/foreign-books.test.ts.
"""
import argparse
import base64
import gzip
import json
import os
import random
import re
import sys
import zlib

from books.archives import ARCHIVES
from books.cells import Sheet, table_of, texts_of
from books.dialects import (
    DIALECTS,
    ODS_DIALECTS,
    as_strict,
    rewrite,
    with_backslashes,
    with_general_in_german,
    with_macros,
)
from books.kinds import KINDS
from books.libreoffice import convert, convert_to_xml
from books.oracle import find_differences
from books.products import draw_table
from books.texts import (
    as_libreoffice_page,
    as_page,
    without_formats,
    write_excel_page,
    write_excel_xml,
    write_grid,
    write_php_page,
)
from books.writers import as_pandas_writes, write_openpyxl, write_pandas, write_xlsxwriter

FORMULAS = ['formulas', 'formulas with errors', 'totals']
NO_RESULTS = 'formulas without results'
FRAMES = [
    'plain',
    'zeros in text',
    'dates',
    'percentages and booleans',
    'other scripts',
    'sheets by brand',
    'mixed types',
    'sparse',
]
OLD_BOOKS = [
    'plain',
    'zeros by format',
    'barcodes',
    'dates',
    'dates 1904',
    'percentages and booleans',
    'errors',
    'formulas',
    'rich texts',
    'other scripts',
    'lines and quotes',
    'title above',
    'cover sheet',
    'sheets by brand',
    'hidden rows',
    'hidden sheet',
    'totals',
    'merged categories',
    'sparse',
    'no table',
]
# Of texts: what LibreOffice and pages show as it is, so that it need not be known how.
SHOWN = [
    'plain',
    'zeros by format',
    'zeros in text',
    'barcodes',
    'prices',
    'errors',
    'other scripts',
    'lines and quotes',
    'title above',
    'logo above',
    'blank rows',
    'totals',
    'cover sheet',
    'sheets by brand',
    'empty sheets around',
    'lookup sheet first',
    'hidden rows',
    'hidden columns',
    'hidden sheet',
    'merged categories',
    'wide',
    'empty column between',
    'units below header',
    'repeated header',
    'lines in header',
    'sparse',
    'two columns',
    'one row',
]
# What can be written as the first sheet of a page.
PAGES = [kind for kind in SHOWN if 'sheet' not in kind and kind not in ('logo above', 'wide')] + [
    'dates',
    'long digits',
]
SCRIPTS = ['plain', 'zeros in text', 'other scripts', 'lines and quotes', 'sparse', 'repeated header', 'totals']
# LibreOffice has its own idea of the rest.
EXCEL_2003 = [
    'plain',
    'zeros in text',
    'barcodes',
    'prices',
    'dates',
    'times',
    'percentages and booleans',
    'title above',
    'blank rows',
    'totals',
    'cover sheet',
    'sheets by brand',
    'hidden rows',
    'hidden columns',
    'merged categories',
    'empty column between',
    'sparse',
    'one row',
]
MAX_SAMPLE_BYTES = 12_000


def list_combinations():
    """Each as (kind, writer); writers are told by name."""
    combinations = []
    for kind in KINDS:
        if kind != 'rich texts' and kind not in FORMULAS[:2]:
            combinations.append((kind, 'openpyxl'))
        if kind != NO_RESULTS:
            combinations += [
                (kind, 'XlsxWriter'),
                (kind, 'XlsxWriter inline'),
                (kind, 'LibreOffice xlsx'),
                (kind, 'LibreOffice ods'),
            ]
        if kind in OLD_BOOKS:
            combinations.append((kind, 'LibreOffice xls'))
    for kind in FRAMES:
        combinations += [(kind, f'pandas {engine}') for engine in ('openpyxl', 'xlsxwriter', 'odf')]
        combinations.append((kind, 'pandas with index'))
    for dialect, kinds in {**DIALECTS, **ODS_DIALECTS}.items():
        combinations += [(kind, name_of_dialect(dialect)) for kind in kinds]
    combinations += [('table of texts', f'LibreOffice {target} of csv') for target in ('xlsx', 'ods', 'xls')] * 2
    combinations += [(kind, 'archive') for kind in ARCHIVES] * 2
    combinations += [(kind, 'Excel 2003 XML') for kind in KINDS]
    combinations += [(kind, 'LibreOffice fods') for kind in KINDS if kind != NO_RESULTS]
    combinations += [(kind, 'LibreOffice html') for kind in SHOWN]
    combinations += [(kind, 'LibreOffice xml') for kind in EXCEL_2003]
    combinations += [(kind, writer) for kind in PAGES for writer in ('Excel 2003 page', 'Excel page')]
    combinations += [(kind, writer) for kind in SCRIPTS for writer in ('page of PHP', 'page of ASP.NET')]
    return combinations


def draw_files(seed, count, only):
    """The files with their truths; those for LibreOffice have its name as `target`, and what it is to convert."""
    combinations = list_combinations()
    files = []
    for number in range(count):
        kind, writer = combinations[number % len(combinations)]
        source = random.Random(f'{seed}:{number}')
        if only in f'{number:03} {kind} {writer}':
            file = draw_archive(kind, source) if writer == 'archive' else draw_book(kind, writer, source)
            is_held_out = zlib.crc32(str(number).encode()) % 2 == 1
            files.append({'number': number, 'kind': kind, 'writer': writer, 'isHeldOut': is_held_out, **file})
    return files


def draw_archive(kind, source):
    packed = ARCHIVES[kind](source)
    choice = packed.choice and {'reading': packed.choice, 'rows': packed.chosen_rows}
    return {
        'data': packed.data,
        'suffix': packed.suffix,
        'truth': {
            'rows': packed.rows,
            'read': packed.sheets,
            'member': packed.member,
            'notes': list(packed.notes),
            'choice': choice,
        },
    }


def draw_book(kind, writer, source):
    if kind == 'table of texts':
        return draw_csv(writer, source)
    book = KINDS[kind](source)
    suffix = 'xlsx'
    target = None
    ods_dialect = next((one for one in ODS_DIALECTS if writer == name_of_dialect(one)), None)
    if writer.startswith('pandas'):
        book = as_pandas_writes(book, writer == 'pandas with index')
        if writer == 'pandas odf':
            suffix = 'ods'
        data = write_pandas(without_index(book) if 'index' in writer else book, engine_of(writer), 'index' in writer)
    elif writer.startswith('XlsxWriter'):
        data = write_xlsxwriter(book, **({'constant_memory': True} if 'inline' in writer else {}))
    elif writer.startswith('LibreOffice') or ods_dialect:
        suffix = target = 'ods' if ods_dialect else writer.split()[1]
        data = write_xlsxwriter(book) if kind == 'rich texts' else write_openpyxl(book)
        book = {'html': as_libreoffice_page, 'xml': without_formats}.get(target, lambda book: book)(book)
        suffix = {'html': 'xls', 'fods': 'fods.gz'}.get(target, suffix)
    elif writer == 'Excel 2003 XML':
        data, suffix = write_excel_xml(book), 'xls'
    elif 'page' in writer:
        data, suffix, book = draw_page(book, writer)
    elif writer == 'openpyxl':
        data = write_openpyxl(without_formulas(book) if kind in FORMULAS else book)
    else:
        dialect = next(one for one in DIALECTS if writer == name_of_dialect(one))
        data = rewrite(write_xlsxwriter(book), dialect)
        suffix = 'xlsm' if dialect is with_macros else 'xlsx'
    # The oracle does not know these, takes them for dates, or does not read texts.
    is_text = 'page' in writer or writer == 'Excel 2003 XML' or target in ('html', 'fods', 'xml')
    unknown = (as_strict, with_backslashes, with_general_in_german, *ODS_DIALECTS)
    is_checked = not is_text and writer not in map(name_of_dialect, unknown)
    return {
        'data': data,
        'suffix': suffix,
        'target': target,
        'dialect': ods_dialect,
        'book': book if is_checked else None,
        'truth': truth_of(book),
    }


def draw_page(book, writer):
    if writer.startswith('Excel'):
        has_numbers = writer == 'Excel 2003 page'
        return write_excel_page(book, has_numbers), 'htm', as_page(book, has_numbers)
    write = write_php_page if writer == 'page of PHP' else write_grid
    return write(book), 'xls', as_page(book, True, 'Table 1')


def name_of_dialect(dialect):
    return f'rewritten, {dialect.__name__.replace("_", " ")}'


def draw_csv(writer, source):
    """As somebody opens a CSV file in LibreOffice and saves it, with the articles as texts."""
    rows = draw_table(source, ['text zeros', 'ean text', 'name', 'price', 'stock'], language='en')
    sheet = Sheet('table', rows)
    text = '\n'.join(';'.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in texts_of(rows))
    truth = {'rows': table_of(sheet), 'notes': [], 'choice': None}
    return {
        'data': text.encode(),
        'suffix': writer.split()[1],
        'target': writer.split()[1],
        'isCsv': True,
        'truth': truth,
    }


def without_index(book):
    sheets = [Sheet(sheet.name, [row[1:] for row in sheet.rows]) for sheet in book.sheets]
    return type(book)(sheets, book.read)


def without_formulas(book):
    for sheet in book.sheets:
        sheet.rows = [[cell and type(cell)(cell.value, cell.format) for cell in row] for row in sheet.rows]
    return book


def engine_of(writer):
    return {'pandas with index': 'openpyxl'}.get(writer, writer.split()[1])


def truth_of(book):
    sheets = [{'name': sheet.name, 'isHidden': sheet.is_hidden, 'rows': texts_of(sheet.rows)} for sheet in book.sheets]
    if book.read is None:
        return {'sheets': sheets, 'rows': None, 'notes': [], 'choice': None}
    by_name = {sheet.name: sheet for sheet in book.sheets}
    read = by_name[book.read[0]]
    choice = None
    if book.choice:
        chosen = book.sheets if book.choice['sheets'] == ['*'] else [by_name[book.choice['sheets'][0]]]
        first, *others = [table_of(sheet) for sheet in chosen]
        choice = {'reading': book.choice, 'rows': [*first, *(row for rows in others for row in rows[1:])]}
    elif read.header > 0:
        choice = {'reading': {'skipLines': read.header}, 'rows': table_of(read)}
    return {'sheets': sheets, 'rows': table_of(read), 'read': book.read, 'notes': book.notes, 'choice': choice}


def convert_files(files):
    """Replaces the data of those that LibreOffice converts."""
    groups = {}
    for file in files:
        if file.get('target'):
            groups.setdefault((file['target'], file.get('isCsv', False)), []).append(file)
    for (target, is_csv), group in groups.items():
        print(f'LibreOffice: {len(group)} to {target}', file=sys.stderr)
        # The sheet of a CSV file gets its name.
        sources = {f'{file["number"]:03}.{"csv" if is_csv else "xlsx"}': file['data'] for file in group}
        if target == 'xml':
            converted = convert_to_xml(sources)
        else:
            converted = convert(sources, target, [1, 2, 3] if is_csv else None)
        for file, data in zip(group, converted.values()):
            dialect = file.get('dialect')
            data = rewrite(data, dialect) if dialect else data
            file['data'] = gzip.compress(data, mtime=0) if file['suffix'].endswith('.gz') else data


def check(files):
    """Whether other programs read what is in the truths."""
    failures = 0
    for file in files:
        book = file.get('book')
        if book is None:
            continue
        try:
            differences = find_differences(file['data'], file['suffix'], book)
        except Exception as error:
            differences = [repr(error)]
        if differences:
            failures += 1
            print(f'{name_of(file)}: {len(differences)} differences, such as {differences[0]}', file=sys.stderr)
    return failures


def name_of(file):
    words = re.sub(r'[^a-z0-9]+', '-', f'{file["kind"]} {file["writer"]}'.lower())
    return f'{file["number"]:03}-{words}.{file["suffix"]}'


def describe(file):
    return {
        'name': name_of(file),
        'kind': file['kind'],
        'writer': file['writer'],
        'isHeldOut': file['isHeldOut'],
        **file['truth'],
    }


def choose_samples(files):
    """Each kind once and each writer twice, of the half that may be looked at."""
    kinds, writers = set(), []
    for file in files:
        kind, writer = file['kind'], file['writer']
        is_small = len(file['data']) <= MAX_SAMPLE_BYTES
        if not file['isHeldOut'] and is_small and (kind not in kinds or writers.count(writer) < 2):
            kinds.add(kind)
            writers.append(writer)
            yield file


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=610)
    parser.add_argument('--only', default='')
    parser.add_argument('--samples')
    options = parser.parse_args()
    files = draw_files(options.seed, options.count, options.only)
    convert_files(files)
    failures = check(files)
    os.makedirs(options.folder, exist_ok=True)
    for file in files:
        with open(os.path.join(options.folder, name_of(file)), 'wb') as target:
            target.write(file['data'])
    with open(os.path.join(options.folder, 'truth.json'), 'w', encoding='utf-8') as target:
        write_lines(target, map(describe, files))
    if options.samples:
        samples = [
            {**describe(file), 'bytes': base64.b64encode(file['data']).decode()} for file in choose_samples(files)
        ]
        with open(options.samples, 'w', encoding='utf-8') as target:
            write_lines(target, samples)
    held_out = sum(file['isHeldOut'] for file in files)
    print(f'{len(files)} files, {held_out} held out; {failures} that other programs read otherwise', file=sys.stderr)
    sys.exit(1 if failures else 0)


def write_lines(target, items):
    """A JSON list with an item a line."""
    lines = (json.dumps(item, ensure_ascii=False, separators=(',', ':')) for item in items)
    target.write('[\n' + ',\n'.join(lines) + '\n]\n')


main()

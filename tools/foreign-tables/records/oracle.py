"""Reads a file back with another program, so that its truth is checked too: libxml2, pandas and LibreOffice."""
import io
import json
import re

import pandas
from lxml import etree

from books.libreoffice import convert
from books.oracle import find_differences
from records.truth import VARIANT, Either


def find_wrong(file):
    """What another program finds that is not in the table of a file of XML, JSON or HTML."""
    table = file.tables[0]
    found = read_xml(file.data, table) if table.separator == '/' else read_frame(file, table)
    rows = [[row.get(at, '') for at in range(len(table.columns))] for row in table.rows]
    if len(found) != len(rows):
        return [f'{len(found)} rows for {len(rows)}']
    return [
        f'row {line}, {table.columns[at].steps}: {other!r} for {cell!r}'
        for line, (row, others) in enumerate(zip(rows, found), 1)
        for at, (cell, other) in enumerate(zip(row, others))
        if not is_same(cell, other)
    ]


def is_same(cell, found):
    """None in a truth is anything; what is found may be a list or an object, of which the truth has the text."""
    accepted = cell if isinstance(cell, Either) else [cell]
    if cell is None or text_of(found) in accepted:
        return True
    if isinstance(found, list) and ' | '.join(map(text_of, found)) in accepted:
        return True
    return isinstance(found, (list, dict)) and loads(accepted[-1]) == found


def text_of(found):
    if isinstance(found, bool):
        return 'true' if found else 'false'
    return '' if found is None or found != found else str(found)


def read_xml(data, table):
    parser = etree.XMLParser(resolve_entities=False, huge_tree=True, remove_comments=True, remove_pis=True)
    root = etree.fromstring(data, parser)
    rows = []
    for record in root.xpath('/' + '/'.join(map(by_name, table.path))):
        variants = record.xpath('/'.join(map(by_name, table.variants))) if table.variants else []
        rows += [
            [read_column(column, record, variant, variants) for column in table.columns]
            for variant in variants or [None]
        ]
    return rows


def by_name(name):
    return f'*[name()="{name}"]'


def read_column(column, record, variant, variants):
    owner = variant if column.owner == VARIANT else record
    if owner is None:
        return ''
    steps = list(map(by_name, column.steps))
    if column.told:
        attribute, value, depth = column.told
        steps[depth - 1] += f'[@*[name()="{attribute}"]="{value}"]'
    elements = owner.xpath('/'.join(steps)) if steps else [owner]
    if column.attribute:
        texts = [text for element in elements for text in element.xpath(f'@*[name()="{column.attribute}"]')]
    else:
        inner = set(variants) if owner is record else set()
        leaves = [one for one in elements if has_text(one) and not inner & set(one.iterancestors())]
        texts = [''.join(element.itertext()) for element in leaves]
    return ' | '.join(filter(None, texts))


def has_text(element):
    """An element that only has others in it has none of its own."""
    return len(element) == 0 or any(text and text.strip() for text in element.xpath('text()'))


def read_frame(file, table):
    """With pandas."""
    names = ['.'.join(column.steps) for column in table.columns]
    if table.separator is None:
        frame = read_html(file.data, names)
    else:
        frame = read_json(file.data, table)
        names = [f'{column.owner}:{name}' for column, name in zip(table.columns, names)]
    columns = [frame[name] if name in frame else [''] * len(frame) for name in names]
    return list(map(list, zip(*columns)))


def loads(text):
    """Numbers as they are written."""
    return json.loads(text, parse_float=str, parse_int=str)


def read_json(data, table):
    value = parse_all(data.decode(json.detect_encoding(data)).lstrip('\ufeff'))
    records = pick(value, table.path)
    if isinstance(value, dict) and table.columns[0].steps == ('key',):
        records = [{'key': key, **row} for key, row in records[0].items()]
    if not table.variants:
        return pandas.json_normalize(records).rename(columns='record:{}'.format)
    variants = [pick(record, table.variants) or [{}] for record in records]
    repeated = [record for record, inner in zip(records, variants) for _ in inner]
    frames = [pandas.json_normalize(repeated), pandas.json_normalize([one for inner in variants for one in inner])]
    owners = ['record:{}', 'variant:{}']
    return pandas.concat([one.rename(columns=owner.format) for one, owner in zip(frames, owners)], axis=1)


def parse_all(text):
    """One value, or several one after the other."""
    decoder = json.JSONDecoder(parse_float=str, parse_int=str)
    values, at = [], 0
    while text[at:].strip():
        at = re.compile(r'\s*').match(text, at).end()
        value, at = decoder.raw_decode(text, at)
        values.append(value)
    return values[0] if len(values) == 1 else values


def pick(value, path):
    values = value if isinstance(value, list) else [value]
    for key in path:
        inner = [one[key] for one in values if isinstance(one, dict) and one.get(key) is not None]
        values = [one for part in inner for one in (part if isinstance(part, list) else [part])]
    return values


def read_html(data, names):
    """The table with the names; they are in its first row, or in its head."""
    texts = {at: str for at in range(len(names))}
    encoding = None if b'charset' in data else 'utf-8'
    options = {'keep_default_na': False, 'converters': texts, 'thousands': None, 'flavor': 'lxml'}
    frame = pandas.read_html(io.BytesIO(data), match=re.escape(names[-1]), encoding=encoding, **options)[-1]
    if not isinstance(frame.columns[0], str):
        frame = frame.rename(columns=frame.iloc[0]).drop(0)
    return frame.applymap(lambda text: re.sub(' +', ' ', text))


def check_books(files):
    """For each workbook, by its identity, what LibreOffice finds that is not in it."""
    wrong = {}
    for is_flat in (True, False):
        group = [file for file in files if file.is_converted == is_flat]
        suffix = 'fods' if is_flat else 'xml'
        converted = convert({f'{at:03}.{suffix}': file.data for at, file in enumerate(group)}, 'xlsx')
        for file, data in zip(group, converted.values()):
            wrong[id(file)] = find_differences(data, 'xlsx', file.book)
    return wrong

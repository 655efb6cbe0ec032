"""JSON as programs write it, and the rows that are in it."""
import json
from dataclasses import dataclass

from records.truth import RECORD, VARIANT, Either, Table


class Number(str):
    """A number as it is written."""


@dataclass
class Style:
    indent: str = None
    # After a colon and a comma.
    space: str = ' '
    is_ascii: bool = False
    has_mark: bool = False
    encoding: str = 'utf-8'


def draw_style(random):
    return Style(
        indent=random.choice(['  ', '  ', '    ', '\t', None, None]),
        space=random.choice([' ', '']),
        is_ascii=random.random() < 0.3,
        has_mark=random.random() < 0.1,
    )


COMPACT = Style(space='')


def write_json(value, style=Style()):
    text = dump(value, style) + ('\n' if style.indent is not None else '')
    return b'\xef\xbb\xbf' * style.has_mark + text.encode(style.encoding)


def write_lines(values, newline):
    return ''.join(dump(value) + newline for value in values).encode()


def dump(value, style=COMPACT, depth=0):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        items = [f'{json.dumps(key, ensure_ascii=style.is_ascii)}:' for key in value]
        items = [
            f'{key}{style.space or ""}{dump(inner, style, depth + 1)}' for key, inner in zip(items, value.values())
        ]
        return enclose('{}', items, style, depth)
    if isinstance(value, (list, tuple)):
        return enclose('[]', [dump(inner, style, depth + 1) for inner in value], style, depth)
    return json.dumps(value, ensure_ascii=style.is_ascii)


def enclose(brackets, items, style, depth):
    opened, closed = brackets
    if not items:
        return brackets
    if style.indent is None:
        return opened + f',{style.space}'.join(items) + closed
    line = '\n' + style.indent * depth
    return opened + ','.join(line + style.indent + item for item in items) + line + closed


def find_all(value, path):
    """The records at a path of keys; arrays on the way are walked through."""
    found = [value]
    for key in path:
        found = [inner.get(key) for one in found for inner in (one if isinstance(one, list) else [one])]
        found = [one for one in found if one is not None]
    return [record for one in found for record in (one if isinstance(one, list) else [one])]


def flatten(root, path=(), variants=None, is_map=False):
    """The table of the records at a path; of a map, with their keys."""
    table = Table('.', list(path), list(variants) if variants else None)
    records = find_all(root, path)
    if is_map:
        records = [{'key': key, **value} for key, value in records[0].items()]
    for record in records:
        inner = find_all(record, variants) if variants else []
        row = {}
        collect(table, row, without(record, variants or []), (), RECORD)
        if not inner:
            table.rows.append(row)
        for variant in inner:
            cells = {}
            collect(table, cells, variant, (), VARIANT)
            table.rows.append({**row, **cells})
    return table


def without(value, path):
    """A record without its variants."""
    if not path or not isinstance(value, dict):
        return value
    key, *rest = path
    inner = {key: without(value[key], rest)} if rest and isinstance(value.get(key), dict) else {}
    return {name: one for name, one in value.items() if name != key} | inner


def collect(table, row, value, steps, owner):
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            collect(table, row, inner, (*steps, key), owner)
        return
    row[table.column(*steps, owner=owner)] = cell_of(value)


def cell_of(value):
    if value is None:
        return ''
    if value is True or value is False:
        return 'true' if value else 'false'
    if isinstance(value, str):
        return str(value)
    if not value:
        return Either(['', dump(value)])
    if isinstance(value, list) and not any(isinstance(one, (dict, list)) for one in value):
        return ' | '.join(map(cell_of, value))
    return dump(value) if isinstance(value, (list, dict)) else str(value)

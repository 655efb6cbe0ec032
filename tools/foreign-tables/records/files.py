"""The kinds of files, each a function that draws one."""
from dataclasses import dataclass, field

from records import json_text, xml_tree

KINDS = {}


@dataclass
class File:
    data: bytes
    suffix: str
    # Each is right; none if the file has to be refused.
    tables: list = field(default_factory=list)
    # May be refused too, but not read otherwise: nobody can know without asking.
    is_ambiguous: bool = False
    # The workbook that it is.
    book: object = None
    # Whether the data are .xlsx, of which LibreOffice makes the file.
    is_converted: bool = False
    # Whether another program reads the table of it, too.
    is_checked: bool = True


def kind(draw):
    """Registers a function with the name of its module."""
    name = draw.__name__.replace('_', ' ')
    if name in KINDS:
        raise ValueError(f'There are two kinds named {name}')
    KINDS[name] = (draw.__module__.rpartition('.')[2], draw)
    return draw


def xml_file(random, root, path, variants=None, by=None, style=None, before='', suffix='xml', **properties):
    """A tree as a program writes it, with the records at the path as its table."""
    data = xml_tree.write_xml(root, style or xml_tree.draw_style(random), before)
    return File(data, suffix, [xml_tree.flatten(root, path, variants, by)], **properties)


def json_file(random, value, path=(), variants=None, style=None, is_map=False, **properties):
    data = json_text.write_json(value, style or json_text.draw_style(random))
    return File(data, 'json', [json_text.flatten(value, path, variants, is_map)], **properties)


def lines_file(values, variants=None, newline='\n', **properties):
    """A value a line."""
    data = json_text.write_lines(values, newline)
    return File(data, 'ndjson', [json_text.flatten(values, variants=variants)], **properties)


def text_file(text, suffix, tables=(), encoding='utf-8', **properties):
    """As it stands; without a table it has to be refused."""
    return File(text.encode(encoding), suffix, list(tables), **properties)


def refused(data, suffix):
    return File(data if isinstance(data, bytes) else data.encode(), suffix, is_checked=False)

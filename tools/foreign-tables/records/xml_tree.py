"""Trees of XML, how programs write them, and the rows that are in them."""
import re
from dataclasses import dataclass, field

from records.truth import RECORD, VARIANT, Either, Table


@dataclass
class Element:
    tag: str
    attributes: dict = field(default_factory=dict)
    # Elements and texts.
    children: list = field(default_factory=list)

    def texts(self):
        return ''.join(child if isinstance(child, str) else child.texts() for child in self.children)

    def elements(self):
        return [child for child in self.children if isinstance(child, Element)]


def e(tag, *children, **attributes):
    """An element; a dictionary among the children has attributes whose names are none of Python."""
    element = Element(tag, dict(attributes))
    add_children(element, children)
    return element


def add_children(element, children):
    for child in children:
        if isinstance(child, dict):
            element.attributes.update(child)
        elif isinstance(child, list):
            add_children(element, child)
        elif child is not None and child != '':
            element.children.append(child)


@dataclass
class Style:
    """How a program writes a tree."""

    indent: str = '  '
    newline: str = '\n'
    encoding: str = 'utf-8'
    # As declared; None without a declaration.
    declared: str = 'utf-8'
    has_mark: bool = False
    quote: str = '"'
    has_cdata: bool = False
    # Whether all other characters are written as numbers.
    is_ascii: bool = False
    has_comments: bool = False
    is_paired: bool = False


def draw_style(random):
    encoding = random.choice(['utf-8'] * 6 + ['iso-8859-1', 'windows-1252'])
    return Style(
        indent=random.choice(['  ', '  ', '    ', '\t', None]),
        newline=random.choice(['\n', '\n', '\r\n']),
        encoding=encoding,
        declared=random.choice([encoding, encoding.upper()]),
        has_mark=encoding == 'utf-8' and random.random() < 0.15,
        quote=random.choice('"""\''),
        has_cdata=random.random() < 0.3,
        is_ascii=random.random() < 0.1,
        has_comments=random.random() < 0.15,
        is_paired=random.random() < 0.2,
    )


def write_xml(root, style=Style(), before=''):
    """The bytes of a document. `before` stands between the declaration and the root."""
    parts = []
    if style.declared:
        quote = style.quote
        parts.append(f'<?xml version={quote}1.0{quote} encoding={quote}{style.declared}{quote}?>\n')
    if style.has_comments:
        parts.append('<!-- Generated <automatically> & daily -->\n')
    parts.append(before)
    write_element(root, style, 0, parts)
    text = ''.join(parts) + ('\n' if style.indent is not None else '')
    # What an encoding does not have is written as numbers.
    data = text.replace('\n', style.newline).encode(style.encoding, 'xmlcharrefreplace')
    return b'\xef\xbb\xbf' * style.has_mark + data


def write_element(element, style, depth, parts):
    parts.append(f'<{element.tag}')
    for name, value in element.attributes.items():
        text = escape(value, style).replace(style.quote, '&quot;' if style.quote == '"' else '&apos;')
        text = re.sub(r'[\n\t]', as_number, text)
        parts.append(f' {name}={style.quote}{text}{style.quote}')
    if not element.children:
        parts.append(f'></{element.tag}>' if style.is_paired else '/>')
        return
    parts.append('>')
    is_block = style.indent is not None and not any(isinstance(child, str) for child in element.children)
    for at, child in enumerate(element.children):
        if is_block:
            parts.append('\n' + style.indent * (depth + 1))
            if style.has_comments and at == 1:
                parts.append('<!-- next -->\n' + style.indent * (depth + 1))
        if isinstance(child, Element):
            write_element(child, style, depth + 1, parts)
        elif style.has_cdata and may_be_cdata(child, style):
            parts.append(f'<![CDATA[{child}]]>')
        else:
            parts.append(escape(child, style))
    if is_block:
        parts.append('\n' + style.indent * depth)
    parts.append(f'</{element.tag}>')


def may_be_cdata(text, style):
    """There are no characters by number in it."""
    is_encoded = text.encode(style.encoding, 'ignore').decode(style.encoding) == text
    return is_encoded and ']]>' not in text and bool(re.search(r'[^\d.]', text))


def escape(text, style):
    text = text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;').replace('\r', '&#13;')
    return re.sub(r'[^\x00-\x7f]', as_number, text) if style.is_ascii else text


def as_number(match):
    return f'&#{ord(match[0])};'


def find_all(root, path):
    """The elements at a path, which begins with the root."""
    found = [root] if root.tag == path[0] else []
    for name in path[1:]:
        found = [child for element in found for child in element.elements() if child.tag == name]
    return found


# Attributes that say something about XML rather than about a product.
TECHNICAL = re.compile(r'^(xsi:|xml:(?!lang$)|diffgr:|msdata:|m:type$|SOAP-ENC:)')


def flatten(root, path, variants=None, by=None):
    """The table of the records at a path.

    Several of one name are joined. `by` has, for the name of an element, the attribute that tells several of
    them apart: each of its values is a column then.
    """
    table = Table('/', list(path), list(variants) if variants else None)
    for record in find_all(root, path):
        inner = find_all(record, [record.tag, *variants]) if variants else []
        row = {}
        collect(table, row, record, (), RECORD, by or {}, inner)
        if not inner:
            table.rows.append(row)
        for variant in inner:
            cells = {}
            collect(table, cells, variant, (), VARIANT, by or {}, [])
            table.rows.append({**row, **cells})
    return table


def collect(table, row, element, steps, owner, by, left_out, told=None):
    for name, text in element.attributes.items():
        if name == by.get(element.tag) or name.startswith('xmlns'):
            continue
        is_technical = bool(TECHNICAL.match(name))
        index = table.column(*steps, attribute=name, told=told, owner=owner, is_optional=is_technical)
        add_cell(row, index, None if is_technical else text)
    children = element.elements()
    has_text = any(isinstance(child, str) and child.strip() for child in element.children)
    if (has_text or not children) and steps:
        if has_text or not element.attributes:
            cell = with_markup(element) if children else element.texts()
            add_cell(row, table.column(*steps, told=told, owner=owner), cell)
        return
    for child in children:
        if any(child is one for one in left_out):
            continue
        attribute = by.get(child.tag)
        inner = (*steps, child.tag)
        is_told = attribute in child.attributes
        inner_told = (attribute, child.attributes[attribute], len(inner)) if is_told else told
        collect(table, row, child, inner, owner, by, left_out, inner_told)


def with_markup(element):
    """A text with elements in it: their text alone, or as it is written."""
    parts = []
    for child in element.children:
        if isinstance(child, str):
            parts.append(child)
        else:
            write_element(child, Style(indent=None), 0, parts)
    return Either([element.texts(), ''.join(parts)])


def add_cell(row, index, cell):
    known = row.get(index)
    if known and cell:
        row[index] = f'{known} | {cell}'
    elif cell is None or not known:
        row[index] = cell

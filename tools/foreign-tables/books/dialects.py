"""Workbooks as programs write them that are not in Debian: the parts of a book, rewritten in their way."""
import io
import re
import zipfile
from xml.sax.saxutils import escape

from openpyxl.reader.strings import read_string_table

SHEETS = re.compile(r'xl/worksheets/.*\.xml$')
MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'


def read_parts(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


class Unseekable(io.RawIOBase):
    """A stream: the sizes of a part follow it then."""

    def __init__(self):
        self.written = b''

    def writable(self):
        return True

    def write(self, data):
        self.written += bytes(data)
        return len(data)


def pack(parts, compression=zipfile.ZIP_DEFLATED, is_streamed=False):
    out = Unseekable() if is_streamed else io.BytesIO()
    with zipfile.ZipFile(out, 'w', compression) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.written if is_streamed else out.getvalue()


def change(parts, pattern, function):
    return {
        name: function(data.decode()).encode() if re.search(pattern, name) else data for name, data in parts.items()
    }


def without_references(parts):
    return change(parts, SHEETS, lambda text: re.sub(r'<(c|row) r="\w+"', r'<\1', text))


def with_prefixes(parts):
    def prefix(text):
        text = re.sub(r'<(/?)(?=[a-zA-Z])(?!\w+:)', r'<\1x:', text)
        return text.replace(f'xmlns="{MAIN}"', f'xmlns:x="{MAIN}"')

    return change(parts, r'xl/(workbook|styles|sharedStrings|worksheets/\w+)\.xml$', prefix)


def without_dimension(parts):
    return change(
        parts, SHEETS, lambda text: re.sub(r'<dimension[^>]*/>|<sheetViews>.*?</sheetViews>| spans="[^"]*"', '', text)
    )


def with_wrong_dimension(parts):
    return change(parts, SHEETS, lambda text: re.sub(r'<dimension[^>]*/>', '<dimension ref="A1"/>', text))


def in_reverse_order(parts):
    return dict(reversed(parts.items()))


def with_line_ends_between(parts):
    """Not in texts: only between elements that have none."""
    return change(parts, SHEETS, lambda text: '\ufeff' + re.sub(r'><(?=/?(?:row|c|sheetData)\b)', '>\r\n  <', text))


def with_texts_as_results(parts):
    """Each text in its own cell, as the result of a formula would be."""
    texts = read_string_table(io.BytesIO(parts['xl/sharedStrings.xml']))

    def inline(match):
        return f'<c{match[1]} t="str"><v>{escape(texts[int(match[2])])}</v></c>'

    return change(parts, SHEETS, lambda text: re.sub(r'<c([^>]*?) t="s"[^>]*><v>(\d+)</v></c>', inline, text))


def with_phonetics(parts):
    """As Japanese Excel writes names, with their reading beside them."""

    def add(text):
        return re.sub(
            r'(<si><t[^>]*>[^<]*</t>)</si>',
            r'\1<rPh sb="0" eb="1"><t>ヨミ</t></rPh><phoneticPr fontId="1"/></si>',
            text,
        )

    return change(parts, r'sharedStrings\.xml$', add)


def with_carriage_returns(parts):
    """As Excel keeps CR LF in a text."""
    return change(parts, r'sharedStrings\.xml$', lambda text: re.sub(r'(?<=[^>])\n', '_x000D_\n', text))


def with_all_digits(parts):
    """As Excel prints fractions: 0.1 as 0.10000000000000001."""
    return change(
        parts, SHEETS, lambda text: re.sub(r'<v>(\d+\.\d+)</v>', lambda match: f'<v>{float(match[1]):.17g}</v>', text)
    )


def as_strict(parts):
    """ISO 29500 Strict, which Excel offers too."""

    def rename(text):
        text = text.replace(MAIN, 'http://purl.oclc.org/ooxml/spreadsheetml/main')
        return text.replace(
            'http://schemas.openxmlformats.org/officeDocument/2006/', 'http://purl.oclc.org/ooxml/officeDocument/'
        )

    return change(parts, r'\.(xml|rels)$', rename)


def with_macros(parts):
    def rename(text):
        return text.replace(
            'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
            'application/vnd.ms-excel.sheet.macroEnabled.main+xml',
        )

    return {**change(parts, r'\[Content_Types\]', rename), 'xl/vbaProject.bin': b'\xd0\xcf\x11\xe0' + bytes(500)}


def with_other_names(parts):
    """Parts need not be called sheet1.xml: the relationships say what they are."""
    renamed = {
        re.sub(r'worksheets/sheet(\d)\.xml$', r'worksheets/data-\1.xml', name): data for name, data in parts.items()
    }
    return change(
        renamed,
        r'\.rels$|\[Content_Types\]',
        lambda text: re.sub(r'worksheets/sheet(\d)\.xml', r'worksheets/data-\1.xml', text),
    )


def with_backslashes(parts):
    """As old versions of .NET pack."""
    return {name.replace('/', '\\'): data for name, data in parts.items()}


def with_exponents(parts):
    """Numbers as Java prints them."""

    def print_number(match):
        digits = match[2]
        return f'{match[1]}<v>{digits[0]}.{digits[1:].rstrip("0") or "0"}E{len(digits) - 1}</v>'

    return change(
        parts, SHEETS, lambda text: re.sub(r'(<c(?![^>]* t="[^n])[^>]*>)<v>(\d{8,})</v>', print_number, text)
    )


def with_general_in_german(parts):
    """As programs write it that translate the name of the format as well."""
    text = parts['xl/styles.xml'].decode()
    count = len(re.findall('<numFmt ', text))
    formats = f'<numFmts count="{count + 1}"><numFmt numFmtId="200" formatCode="Standard"/>'
    text = re.sub(r'<numFmts[^>]*>', formats, text) if count else re.sub(r'(<fonts)', rf'{formats}</numFmts>\1', text, count=1)
    cells = re.search(r'<cellXfs.*?</cellXfs>', text, re.S)[0]
    renamed = cells.replace('numFmtId="0"', 'numFmtId="200" applyNumberFormat="1"')
    return {**parts, 'xl/styles.xml': text.replace(cells, renamed).encode()}


def stored(parts):
    return parts


def streamed(parts):
    return parts


def without_shown_texts(parts):
    """As programs write OpenDocument that do not know how numbers are shown."""
    values = r'(<table:table-cell[^>]*office:value-type="(?:float|currency|percentage|date|time)"[^>]*)>.*?</table:table-cell>'
    return change(parts, r'^content\.xml$', lambda text: re.sub(values, r'\1/>', text))


def with_formats_of_footers(parts):
    """The styles of headers and footers stand beside those of cells, and have names of their own."""

    def add(text):
        names = re.findall(r'<number:number-style style:name="([^"]*)"', text)
        formats = ''.join(
            f'<number:number-style style:name="{name}"><number:number number:min-integer-digits="9"/></number:number-style>'
            for name in names
        )
        return text.replace('<office:automatic-styles>', f'<office:automatic-styles>{formats}')

    return change(parts, r'^styles\.xml$', add)


PLAIN = ['plain', 'zeros by format', 'dates']
# Each with the kinds that it is tried on, which have what it changes.
DIALECTS = {
    without_references: ['plain', 'zeros by format', 'prices'],
    with_prefixes: ['plain', 'dates', 'sheets by brand'],
    without_dimension: ['plain', 'hidden rows'],
    with_wrong_dimension: ['barcodes', 'sparse'],
    in_reverse_order: PLAIN,
    with_line_ends_between: ['plain', 'errors'],
    with_texts_as_results: ['lines and quotes', 'spaces'],
    with_phonetics: ['other scripts', 'plain'],
    with_carriage_returns: ['lines and quotes', 'lines in header'],
    as_strict: ['plain', 'dates'],
    with_macros: ['plain', 'title above'],
    with_other_names: ['sheets by brand', 'cover sheet'],
    with_backslashes: ['plain'],
    with_exponents: ['barcodes', 'zeros by format'],
    with_all_digits: ['prices', 'dates', 'times'],
    with_general_in_german: ['plain', 'prices', 'zeros by format', 'dates'],
    stored: ['plain', 'other scripts'],
    streamed: ['plain', 'totals'],
}

# Of OpenDocument, as LibreOffice writes it.
ODS_DIALECTS = {
    without_shown_texts: ['plain', 'prices', 'zeros by format', 'dates'],
    with_formats_of_footers: ['plain', 'zeros by format'],
}


def rewrite(data, dialect):
    compression = zipfile.ZIP_STORED if dialect is stored else zipfile.ZIP_DEFLATED
    return pack(dialect(read_parts(data)), compression, dialect is streamed)

"""Workbooks written as XML: SpreadsheetML, which Excel wrote before .xlsx, and flat OpenDocument."""
import datetime
import html

from books.cells import Error, table_of
from books.kinds import KINDS as BOOKS
from books.writers import write_openpyxl
from records.catalogue import draw_products
from records.files import File, kind, text_file
from records.truth import simple_table

NAMES = (
    'xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:o="urn:schemas-microsoft-com:office:office"'
    ' xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"'
    ' xmlns:html="http://www.w3.org/TR/REC-html40"'
)


def data_of(cell):
    """The type and the text of a cell."""
    value = cell.value
    if isinstance(value, bool):
        return 'Boolean', str(int(value))
    if isinstance(value, Error):
        return 'Error', str(value)
    if isinstance(value, str):
        return 'String', value
    if isinstance(value, datetime.time):
        return 'DateTime', f'1899-12-31T{value.isoformat()}.000'
    if isinstance(value, datetime.datetime):
        return 'DateTime', f'{value.isoformat()}.000'
    if isinstance(value, datetime.date):
        return 'DateTime', f'{value.isoformat()}T00:00:00.000'
    return 'Number', repr(value)


def write_spreadsheet(book, has_gaps=False):
    """A workbook as Excel 2003 writes it. With gaps, what is empty is left out, and what comes next has its place."""
    formats = {}
    for sheet in book.sheets:
        for row in sheet.rows:
            for cell in row:
                if cell and cell.format:
                    formats.setdefault(cell.format, f's{60 + len(formats)}')
    parts = [
        f'<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook {NAMES}>\n<Styles>'
        '<Style ss:ID="Default" ss:Name="Normal"/>'
    ]
    for pattern, name in formats.items():
        parts.append(f'<Style ss:ID="{name}"><NumberFormat ss:Format="{html.escape(pattern)}"/></Style>')
    parts.append('</Styles>\n')
    for sheet in book.sheets:
        parts.append(
            f'<Worksheet ss:Name="{html.escape(sheet.name)}">\n'
            f'<Table ss:ExpandedColumnCount="{sheet.width()}" ss:ExpandedRowCount="{len(sheet.rows)}">\n'
        )
        parts += [line for at in range(len(sheet.rows)) for line in write_row(sheet, at, formats, has_gaps)]
        hidden = '<Visible>SheetHidden</Visible>' if sheet.is_hidden else '<Selected/>'
        parts.append(
            f'</Table>\n<WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel">{hidden}'
            '</WorksheetOptions>\n</Worksheet>\n'
        )
    return (''.join(parts) + '</Workbook>\n').encode()


def write_row(sheet, at, formats, has_gaps):
    merged = {(row, column): (last_row - row, last - column) for row, column, last_row, last in sheet.merged}
    cells = [(column, cell) for column, cell in enumerate(sheet.rows[at]) if cell and cell.value is not None]
    if not cells and has_gaps:
        return
    is_after_gap = has_gaps and at > 0 and not any(cell and cell.value is not None for cell in sheet.rows[at - 1])
    hidden = ' ss:Hidden="1"' if at in sheet.hidden_rows else ''
    yield f'<Row{hidden}' + (f' ss:Index="{at + 1}"' if is_after_gap else '') + '>\n'
    expected = 0
    for column, cell in cells:
        if not has_gaps:
            yield '<Cell/>' * (column - expected)
        place = f' ss:Index="{column + 1}"' if column > expected and has_gaps else ''
        down, across = merged.get((at, column), (0, 0))
        span = (f' ss:MergeDown="{down}"' if down else '') + (f' ss:MergeAcross="{across}"' if across else '')
        style = f' ss:StyleID="{formats[cell.format]}"' if cell.format else ''
        kind_of, text = data_of(cell)
        written = html.escape(text, quote=False).replace('\n', '&#10;')
        yield f'<Cell{place}{span}{style}><Data ss:Type="{kind_of}">{written}</Data></Cell>\n'
        expected = column + 1 + across
    yield '</Row>\n'


# The kinds of workbooks that are written in each form.
SPREADSHEETS = [
    'plain',
    'zeros by format',
    'zeros in text',
    'dates',
    'percentages and booleans',
    'errors',
    'other scripts',
    'lines and quotes',
    'title above',
    'cover sheet',
    'hidden sheet',
    'hidden rows',
    'sparse',
    'mixed types',
    'sheets by brand',
    'two columns',
    'merged categories',
    'no table',
]
FLAT = [
    'plain',
    'zeros by format',
    'zeros in text',
    'dates',
    'percentages and booleans',
    'barcodes',
    'other scripts',
    'lines and quotes',
    'title above',
    'cover sheet',
    'hidden sheet',
    'sparse',
    'styled blanks',
    'blank rows',
]


def tables_of(book):
    if book.read is None:
        return []
    return [simple_table(table_of(next(sheet for sheet in book.sheets if sheet.name == book.read[0])))]


def draw_spreadsheet(name):
    def draw(random):
        book = BOOKS[name](random)
        # Below a cell that is merged downwards, Excel always writes where the next one is.
        data = write_spreadsheet(book, random.random() < 0.6 or name == 'merged categories')
        # LibreOffice loses these.
        is_checked = name not in ('percentages and booleans', 'errors')
        return File(data, random.choice(['xml', 'xls']), tables_of(book), book=book, is_checked=is_checked)

    draw.__name__ = f'spreadsheetml, {name}'
    kind(draw)


def draw_flat(name):
    def draw(random):
        book = BOOKS[name](random)
        return File(write_openpyxl(book), 'fods', tables_of(book), book=book, is_converted=True)

    draw.__name__ = f'flat OpenDocument, {name}'
    kind(draw)


for book_kind in SPREADSHEETS:
    draw_spreadsheet(book_kind)
for book_kind in FLAT:
    draw_flat(book_kind)


@kind
def magento_1_excel_xml(random):
    """All cells are texts; nothing is indented."""
    rows = [
        ['sku', 'name', 'price', 'qty'],
        *([one.sku, one.name, f'{one.price}00', f'{one.qty}.0000'] for one in draw_products(random)),
    ]
    body = ''.join(
        '<Row>'
        + ''.join(f'<Cell><Data ss:Type="String">{html.escape(cell, quote=False)}</Data></Cell>' for cell in row)
        + '</Row>\n'
        for row in rows
    )
    text = (
        f'<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook {NAMES}>'
        '<OfficeDocumentSettings xmlns="urn:schemas-microsoft-com:office:office"></OfficeDocumentSettings>'
        '<ExcelWorkbook xmlns="urn:schemas-microsoft-com:office:excel"></ExcelWorkbook>'
        f'<Worksheet ss:Name="Sheet 1"><Table>{body}</Table></Worksheet></Workbook>'
    )
    return text_file(text, 'xml', [simple_table(rows)], is_checked=False)


@kind
def spreadsheetml_with_prefixes(random):
    """As programs write that give every name its prefix; with a comment and letters in bold."""
    rows = [['SKU', 'Name', 'Stock'], *([one.sku, 'Boot sale', one.qty] for one in draw_products(random))]
    body = ''.join(
        f'<ss:Row><ss:Cell><ss:Data ss:Type="String">{row[0]}</ss:Data><ss:Comment ss:Author="A">'
        '<ss:Data>not this</ss:Data></ss:Comment></ss:Cell><ss:Cell>'
        '<ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40">'
        + (row[1] if at == 0 else '<B>Boot</B> <Font html:Color="#FF0000">sale</Font>')
        + f'</ss:Data></ss:Cell><ss:Cell><ss:Data ss:Type="{"Number" if at else "String"}">{row[2]}</ss:Data>'
        + '</ss:Cell></ss:Row>'
        for at, row in enumerate(rows)
    )
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<ss:Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"'
        ' xmlns:html="http://www.w3.org/TR/REC-html40">'
        f'<ss:Worksheet ss:Name="Stock"><ss:Table>{body}</ss:Table></ss:Worksheet></ss:Workbook>'
    )
    return text_file(text, 'xls', [simple_table(rows)], is_checked=False)


@kind
def spreadsheetml_as_bytes_of_windows(random):
    book = BOOKS['plain'](random)
    text = write_spreadsheet(book).decode().replace('"1.0"?>', '"1.0" encoding="windows-1252"?>', 1)
    return File(text.encode('windows-1252', 'xmlcharrefreplace'), 'xls', tables_of(book), book=book)

"""Workbooks that are texts, as programs write them that are not in Debian: Excel, and what writes files for it."""
import copy
import datetime
import re
from html import escape

from books.cells import Cell, Error, fill_zeros, has_only_zeros, shortest, text_of

SPREADSHEET = 'urn:schemas-microsoft-com:office:spreadsheet'
EXCEL = 'urn:schemas-microsoft-com:office:excel'


def write_excel_xml(book):
    """As Excel saves an “XML Spreadsheet 2003”."""
    styles = {None: 'Default'}

    def style_of(cell):
        key = cell.format or ('Short Date' if isinstance(cell.value, datetime.date) else None)
        return styles.setdefault(key, f's{61 + len(styles)}')

    sheets = [write_sheet(sheet, book, style_of) for sheet in book.sheets]
    names = {
        'General Date': 'm/d/yy h:mm',
        'Short Time': 'hh:mm',
        'Fixed': '0.00',
        'Standard': '#,##0.00',
        'Percent': '0.00%',
    }
    by_format = {format: name for name, format in names.items()}
    listed = ''.join(
        f'  <Style ss:ID="{id}">\n   <NumberFormat ss:Format="{escape(by_format.get(format, format))}"/>\n  </Style>\n'
        for format, id in styles.items()
        if format
    )
    date1904 = '  <Date1904/>\n' if book.is_1904 else ''
    return (
        '<?xml version="1.0"?>\r\n<?mso-application progid="Excel.Sheet"?>\r\n'
        f'<Workbook xmlns="{SPREADSHEET}"\n xmlns:o="urn:schemas-microsoft-com:office:office"\n xmlns:x="{EXCEL}"\n'
        f' xmlns:ss="{SPREADSHEET}"\n xmlns:html="http://www.w3.org/TR/REC-html40">\n'
        f' <ExcelWorkbook xmlns="{EXCEL}">\n  <WindowHeight>9000</WindowHeight>\n{date1904} </ExcelWorkbook>\n'
        ' <Styles>\n  <Style ss:ID="Default" ss:Name="Normal">\n   <Alignment ss:Vertical="Bottom"/>\n'
        '   <NumberFormat/>\n'
        f'  </Style>\n{listed} </Styles>\n{"".join(sheets)}</Workbook>\n'
    ).encode()


def spans_of(sheet):
    """How many rows and columns merged cells span, and the places below them."""
    spans = {
        (row, column): (last_row - row + 1, last_column - column + 1)
        for row, column, last_row, last_column in sheet.merged
    }
    below = {
        (row + down, column + across)
        for (row, column), (rows, columns) in spans.items()
        for down in range(rows)
        for across in range(columns)
    }
    return spans, below - set(spans)


def write_sheet(sheet, book, style_of):
    columns = ''.join(
        f'   <Column ss:Index="{at + 1}" ss:Hidden="1" ss:AutoFitWidth="0"/>\n' for at in sorted(sheet.hidden_columns)
    )
    spans, below = spans_of(sheet)
    rows, last = '', 0
    for at, cells in enumerate(sheet.rows):
        content, next_column = '', 0
        for column, cell in enumerate(cells):
            is_empty = cell is None or (cell.value is None and not cell.formula)
            if is_empty or ((at, column) in below and cell.value == ''):
                continue
            down, across = spans.get((at, column), (1, 1))
            attributes = '' if column == next_column else f' ss:Index="{column + 1}"'
            attributes += f' ss:MergeAcross="{across - 1}"' if across > 1 else ''
            attributes += f' ss:MergeDown="{down - 1}"' if down > 1 else ''
            style = style_of(cell)
            attributes += '' if style == 'Default' else f' ss:StyleID="{style}"'
            attributes += ' ss:Formula="=RC[-1]"' if cell.formula else ''
            content += f'    <Cell{attributes}>{data_of(cell, book)}</Cell>\n'
            next_column = column + across
        if not content:
            continue
        index = '' if at == last else f' ss:Index="{at + 1}"'
        hidden = ' ss:Hidden="1"' if at in sheet.hidden_rows else ''
        rows += f'   <Row{index}{hidden} ss:AutoFitHeight="0">\n{content}   </Row>\n'
        last = at + 1
    visible = '   <Visible>SheetHidden</Visible>\n' if sheet.is_hidden else ''
    size = f'ss:ExpandedColumnCount="{max(1, sheet.width())}" ss:ExpandedRowCount="{max(1, len(sheet.rows))}"'
    return (
        f' <Worksheet ss:Name="{escape(sheet.name)}">\n  <Table {size} x:FullColumns="1"\n   x:FullRows="1"'
        f' ss:DefaultRowHeight="15">\n{columns}{rows}  </Table>\n  <WorksheetOptions xmlns="{EXCEL}">\n   <PageSetup>\n'
        f'    <Header x:Margin="0.3"/>\n   </PageSetup>\n{visible}   <ProtectObjects>False</ProtectObjects>\n'
        '  </WorksheetOptions>\n </Worksheet>\n'
    )


def data_of(cell, book):
    value = cell.value
    if value is None:
        return ''
    if cell.pieces:
        pieces = ''.join(
            f'<B>{in_xml(piece)}</B>' if at % 2 else f'<Font html:Color="#000000">{in_xml(piece)}</Font>'
            for at, piece in enumerate(cell.pieces)
        )
        return f'<ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40">{pieces}</ss:Data>'
    kind, text = 'String', str(value)
    if isinstance(value, bool):
        kind, text = 'Boolean', str(int(value))
    elif isinstance(value, Error):
        kind = 'Error'
    elif isinstance(value, datetime.time):
        kind, text = 'DateTime', f'{"1904-01-01" if book.is_1904 else "1899-12-31"}T{value.isoformat()}.000'
    elif isinstance(value, datetime.datetime):
        kind, text = 'DateTime', f'{value.isoformat()}.000'
    elif isinstance(value, datetime.date):
        kind, text = 'DateTime', f'{value.isoformat()}T00:00:00.000'
    elif not isinstance(value, str):
        kind, text = 'Number', f'{value:.17g}' if isinstance(value, float) else str(value)
    return f'<Data ss:Type="{kind}">{in_xml(text)}</Data>'


def in_xml(text):
    return escape(text).replace('\n', '&#10;').replace('\t', '&#9;')


STRFTIME = {
    'yyyy-mm-dd': '%Y-%m-%d',
    'dd.mm.yyyy': '%d.%m.%Y',
    'mm/dd/yy': '%m/%d/%y',
    'mmm yy': '%b %y',
    'yyyy-mm-dd hh:mm': '%Y-%m-%d %H:%M',
    'dd.mm.yyyy hh:mm:ss': '%d.%m.%Y %H:%M:%S',
    'hh:mm': '%H:%M',
}


def shown(cell):
    """What Excel shows of a cell, with the formats of English; dates in a few of their formats."""
    value, format = cell.value, cell.format or ''
    if isinstance(value, (datetime.date, datetime.time)):
        default = '%H:%M' if isinstance(value, datetime.time) else '%m/%d/%Y'
        return value.strftime(STRFTIME.get(format, default))
    if isinstance(value, (bool, str)) or value is None:
        return text_of(cell)
    if has_only_zeros(format):
        return fill_zeros(format, value)
    if format.endswith('%'):
        return f'{value * 100:.{2 if ".00" in format else 1 if ".0" in format else 0}f}%'
    plain = f'{value:,.2f}' if '.00' in format else f'{value:,.0f}' if '#,##0' in format else shortest(value)
    if '€' in format:
        return f'{plain} €'
    return f'${plain}' if '$"' in format else plain


def number_of(cell):
    """The number that Excel keeps of it."""
    value = cell.value
    if isinstance(value, (bool, str)) or value is None:
        return None
    if isinstance(value, datetime.time):
        return (value.hour * 60 + value.minute) / 1440
    if isinstance(value, datetime.datetime):
        return (value - datetime.datetime(1899, 12, 30)).total_seconds() / 86400
    if isinstance(value, datetime.date):
        return (value - datetime.date(1899, 12, 30)).days
    return value


def write_excel_page(book, has_numbers):
    """As Excel saves a sheet as a web page: old versions have the numbers beside what they show."""
    sheet = book.sheets[0]
    classes = {}

    def class_of(cell):
        return classes.setdefault(cell.format, f'xl{65 + len(classes)}') if cell.format else None

    columns = ''.join(
        f" <col width=64 style='{'display:none;' if at in sheet.hidden_columns else ''}width:48pt'>\n"
        for at in range(sheet.width())
    )
    spans, below = spans_of(sheet)
    rows = ''
    for at, cells in enumerate(sheet.rows):
        content = ''
        for column in range(sheet.width()):
            if (at, column) in below:
                continue
            cell = cells[column] if column < len(cells) and cells[column] else Cell()
            down, across = spans.get((at, column), (1, 1))
            number = number_of(cell)
            attributes = f' class={class_of(cell)}' if class_of(cell) else ''
            attributes += ' align=right' if number is not None else ''
            attributes += (f' colspan={across}' if across > 1 else '') + (f' rowspan={down}' if down > 1 else '')
            attributes += " style='height:15.0pt'"
            if has_numbers and number is not None:
                attributes += ' x:num' if shown(cell) == shortest(number) else f' x:num="{number!r}"'
            content += f'  <td height=20{attributes}>{in_page(shown(cell))}</td>\n'
        hidden = 'display:none;' if at in sheet.hidden_rows else ''
        height = f"height={0 if hidden else 20} style='{hidden}mso-height-source:userset;height:15.0pt'"
        rows += f' <tr {height}>\n{content} </tr>\n'
    rules = ''.join(
        f'.{name}\n\t{{mso-style-parent:style0;\n\tmso-number-format:{in_css(format)};}}\n'
        for format, name in classes.items()
    )
    head = (
        '<html xmlns:v="urn:schemas-microsoft-com:vml"\nxmlns:o="urn:schemas-microsoft-com:office:office"\n'
        f'xmlns:x="{EXCEL}"\nxmlns="http://www.w3.org/TR/REC-html40">\n\n<head>\n'
        '<meta http-equiv=Content-Type content="text/html; charset=CHARSET">\n<meta name=ProgId content=Excel.Sheet>\n'
        '<meta name=Generator content="Microsoft Excel 11">\n<style>\n<!--table\n'
        f'\t{{mso-displayed-decimal-separator:"\\.";}}\n{rules}-->\n</style>\n<!--[if gte mso 9]><xml>\n'
        ' <x:ExcelWorkbook>\n  <x:ExcelWorksheets>\n   <x:ExcelWorksheet>\n'
        f'    <x:Name>{escape(sheet.name)}</x:Name>\n    <x:WorksheetOptions>\n     <x:Selected/>\n'
        '    </x:WorksheetOptions>\n   </x:ExcelWorksheet>\n  </x:ExcelWorksheets>\n </x:ExcelWorkbook>\n'
        '</xml><![endif]-->\n</head>\n\n<body link=blue vlink=purple>\n\n'
    )
    misaligned = (
        "<![if supportMisalignedColumns]>\n <tr height=0 style='display:none'>\n"
        + "  <td width=64 style='width:48pt'></td>\n" * sheet.width()
        + ' </tr>\n <![endif]>\n'
    )
    table = f'<table x:str border=0 cellpadding=0 cellspacing=0>\n{columns}{rows} {misaligned}</table>\n'
    return in_charset(f'{head}{table}\n</body>\n\n</html>\n')


def in_charset(page):
    """As programs do: in the charset of Western Windows if that has all characters."""
    try:
        return page.replace('CHARSET', 'windows-1252').encode('cp1252')
    except UnicodeEncodeError:
        return page.replace('CHARSET', 'utf-8').encode()


def in_css(format):
    """Quotes by their number, other signs behind a backslash."""
    escaped = re.sub(r'[^\w" ]', lambda match: '\\' + match[0], format).replace('"', '\\0022')
    return f'"{escaped}"'


def in_page(text):
    """Blanks that are not alone are kept as Excel keeps them."""
    text = re.sub(
        r' {2,}',
        lambda match: f"<span style='mso-spacerun:yes'>{'&nbsp;' * (len(match[0]) - 1)} </span>",
        escape(text, False),
    )
    return text.replace('\t', ' ').replace('\n', '<br>\n  ')


def write_php_page(book):
    """As scripts write a table for Excel: without some end tags, and with formats where zeros would be lost."""
    rows = [''.join(f"<td style='mso-number-format:\"\\@\"'>{text}" for text in row) for row in in_pages(book)]
    meta = '<meta http-equiv="Content-Type" content="text/html; charset=CHARSET" />'
    lines = '</tr>\n<tr>'.join([names_of(book, '<th>'), *rows])
    return in_charset(f'{meta}\n<table border="1">\n<tr>{lines}</tr>\n</table>\n')


def write_grid(book):
    """As ASP.NET writes a grid, with all tags and a blank in empty cells."""
    rows = [''.join(f'<td>{text or "&nbsp;"}</td>' for text in row) for row in in_pages(book)]
    lines = '\r\n\t\t</tr><tr>\r\n\t\t\t'.join([names_of(book, '<th scope="col">'), *rows])
    start = '<div>\r\n\t<table cellspacing="0" rules="all" border="1" id="GridView1">\r\n\t\t<tr>\r\n\t\t\t'
    return f'{start}{lines}\r\n\t\t</tr>\r\n\t</table>\r\n</div>'.encode()


def names_of(book, tag):
    return ''.join(f'{tag}{in_page(text_of(cell))}</th>' for cell in book.sheets[0].rows[0])


def in_pages(book):
    return [[in_page(text_of(cell)) for cell in row] for row in book.sheets[0].rows[1:]]


def as_page(book, with_numbers, name=None):
    """The first sheet as a page shows it, read with the numbers beside the cells or without them."""
    book = copy.deepcopy(book)
    del book.sheets[1:]
    sheet = book.sheets[0]
    sheet.name = name or sheet.name
    book.read = [sheet.name]
    if not with_numbers:
        book.notes = [note for note in book.notes if note != 'damaged digits']

    def text(cell):
        if cell is None or cell.value is None:
            return None
        is_number = number_of(cell) is not None and not isinstance(cell.value, (datetime.date, datetime.time))
        value = text_of(cell) if is_number and with_numbers else shown(cell)
        return Cell(as_shown(value))

    sheet.rows = [[text(cell) for cell in row] for row in sheet.rows]
    return book


def as_libreoffice_page(book):
    """LibreOffice leaves out what is hidden, and what is empty."""
    book = copy.deepcopy(book)
    book.sheets = [sheet for sheet in book.sheets if not sheet.is_hidden and sheet.width() > 0]
    book.notes = [note for note in book.notes if not note.startswith('hidden')]
    if len(book.sheets) == 1:
        # It has no name then.
        book.sheets[0].name = 'Table 1'
        book.read = book.read and ['Table 1']
    for sheet in book.sheets:
        sheet.rows = [
            [
                None if cell is None or cell.value is None else Cell(re.sub(' +', ' ', as_shown(text_of(cell))))
                for column, cell in enumerate(row)
                if column not in sheet.hidden_columns
            ]
            for at, row in enumerate(sheet.rows)
            if at not in sheet.hidden_rows
        ]
        while not any(sheet.rows[0]):
            del sheet.rows[0]
            sheet.header -= 1
    return book


def without_formats(book):
    """LibreOffice loses the formats of numbers, hidden sheets and tabs in the XML of Excel 2003."""
    book = copy.deepcopy(book)
    for sheet in book.sheets:
        sheet.is_hidden = False
        plain = lambda value: value.replace('\t', '') if isinstance(value, str) else value
        sheet.rows = [[cell and Cell(plain(cell.value)) for cell in row] for row in sheet.rows]
    return book


def as_shown(text):
    """Without blanks at the ends of lines, and with one instead of a tab."""
    lines = text.replace('\t', ' ').replace('\u00a0', ' ').split('\n')
    return '\n'.join(line.strip() for line in lines).strip()

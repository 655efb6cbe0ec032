"""Tables for people: HTML, often with the name of a workbook."""
import html

import lxml.html
import pandas

from books.cells import Book, Sheet, table_of
from books.libreoffice import convert
from books.products import draw_table
from books.writers import write_openpyxl
from records.catalogue import draw_products
from records.files import File, kind, refused, text_file
from records.truth import Either, simple_table

HEADER = ['SKU', 'Name', 'Category', 'Price', 'Stock']


def rows_of(random, count=None):
    return [[one.sku, one.name, one.category, one.price, one.qty] for one in draw_products(random, count)]


def tag(name, cells, attributes=''):
    return ''.join(f'<{name}{attributes}>{html.escape(cell, quote=False)}</{name}>' for cell in cells)


def lines_of(rows, cell='td', attributes=''):
    return '\n'.join(f'<tr>{tag(cell, row, attributes)}</tr>' for row in rows)


def with_head(rows):
    return f'<tr>{tag("th", HEADER)}</tr>\n{lines_of(rows)}'


def html_file(random, text, rows, encoding='utf-8', **properties):
    # What an encoding does not have is written as numbers.
    data = text.encode(encoding, 'xmlcharrefreplace')
    return File(data, random.choice(['xls', 'xls', 'html']), [simple_table(rows)], **properties)


@kind
def php_echo(random):
    """Nothing but a table."""
    rows = rows_of(random)
    return html_file(random, f'<table border="1">\n{with_head(rows)}\n</table>', [HEADER, *rows])


@kind
def php_echo_without_a_header_cell(random):
    rows = [HEADER, *rows_of(random)]
    return html_file(
        random,
        f'<meta http-equiv="Content-Type" content="text/html; charset=utf-8"/>\n<table>{lines_of(rows)}</table>',
        rows,
    )


@kind
def asp_net_grid_view(random):
    """Rendered into the answer; blanks are characters without a break."""
    rows = rows_of(random)
    rows[1][2] = ''
    body = lines_of(rows).replace('<td></td>', '<td>&nbsp;</td>')
    rows[1][2] = Either(['', '\u00a0'])
    head = tag('th', HEADER, ' scope="col"')
    text = (
        '<div>\r\n\t<table cellspacing="0" rules="all" border="1" id="GridView1" style="border-collapse:collapse;">'
        f'\r\n\t\t<tr>\r\n{head}\r\n</tr>{body}\r\n\t</table>\r\n</div>'
    )
    return html_file(random, text, [HEADER, *rows])


EXCEL_HEAD = """<html xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:x="urn:schemas-microsoft-com:office:excel"
xmlns="http://www.w3.org/TR/REC-html40">

<head>
<meta http-equiv=Content-Type content="text/html; charset={charset}">
<meta name=ProgId content=Excel.Sheet>
<meta name=Generator content="Microsoft Excel 15">
<style>
<!--table
	{{mso-displayed-decimal-separator:"\\,";}}
.xl65
	{{mso-style-parent:style0;
	mso-number-format:"\\@";}}
-->
</style>
<!--[if gte mso 9]><xml>
 <x:ExcelWorkbook>
  <x:ExcelWorksheets>
   <x:ExcelWorksheet>
    <x:Name>Stock</x:Name>
   </x:ExcelWorksheet>
  </x:ExcelWorksheets>
 </x:ExcelWorkbook>
</xml><![endif]-->
</head>
"""


@kind
def excel_web_page(random):
    """Attributes without quotes, numbers as they are and as they are shown, texts that are wrapped."""
    body, rows = [], []
    for one in draw_products(random):
        shown = one.price.replace('.', ',') + ' €'
        shortest = str(float(one.price)).removesuffix('.0')
        body.append(
            f' <tr height=20 style=\'height:15.0pt\'>\n  <td height=20 class=xl65 style=\'height:15.0pt\'>{one.sku}'
            f'</td>\n  <td>Boot of leather,\n  waterproof</td>\n  <td class=xl66 align=right x:num="{one.price}">'
            f'{shown}</td>\n  <td align=right x:num>{one.qty}</td>\n </tr>'
        )
        rows.append(
            {
                'SKU': one.sku,
                'Name': 'Boot of leather, waterproof',
                'Price': Either([shown, one.price, shortest]),
                'Stock': one.qty,
            }
        )
    head = '<tr height=20>\n' + '\n'.join(f'  <td height=20 width=64>{name}</td>' for name in rows[0]) + '\n </tr>'
    columns = ' <col width=64 span=4 style=\'width:48pt\'>\n'
    text = (
        EXCEL_HEAD.format(charset='windows-1252')
        + '<body link=blue vlink=purple>\n\n<table border=0 cellpadding=0 cellspacing=0'
        f' width=256>\n{columns} {head}\n'
        + '\n'.join(body)
        + '\n <![if supportMisalignedColumns]>\n <tr height=0 style=\'display:none\'>\n  <td width=64'
        ' style=\'width:48pt\'></td>\n </tr>\n <![endif]>\n</table>\n\n</body>\n\n</html>\n'
    )
    return html_file(random, text.replace('\n', '\r\n'), rows, 'windows-1252')


@kind
def excel_frames(random):
    """Of a book with several sheets, this is only the frame: the cells are in other files."""
    text = (
        EXCEL_HEAD.format(charset='windows-1252')
        + '<frameset rows="*,39" border=0 width=0 frameborder=no framespacing=0>\n <frame'
        ' src="stock-Dateien/sheet001.htm" name="frSheet">\n'
        ' <frame src="stock-Dateien/tabstrip.htm" name="frTabs" marginwidth=0 marginheight=0>\n <noframes>\n'
        '  <body>\n   <p>Your browser cannot show frames.</p>\n  </body>\n </noframes>\n</frameset>\n</html>\n'
    )
    return refused(text, 'xls')


@kind
def single_file_web_page(random):
    """As mail: the page is a part, in letters of seven bits."""
    rows = [HEADER, *rows_of(random)]
    page = f'<html><head><meta charset="utf-8"></head><body><table>{lines_of(rows)}</table></body></html>'
    quoted = page.encode('ascii', 'xmlcharrefreplace').decode().replace('=', '=3D')
    text = (
        'MIME-Version: 1.0\r\nX-Document-Type: Workbook\r\n'
        'Content-Type: multipart/related; boundary="----=_NextPart_01"\r\n\r\n------=_NextPart_01\r\n'
        'Content-Location: file:///C:/stock.htm\r\nContent-Transfer-Encoding: quoted-printable\r\n'
        f'Content-Type: text/html; charset="us-ascii"\r\n\r\n{quoted}\r\n------=_NextPart_01--\r\n'
    )
    return text_file(text, 'xls', [simple_table(rows)], is_ambiguous=True, is_checked=False)


@kind
def crystal_report(random):
    """A title and a date above, and a sum below, each in a table of its own."""
    rows = rows_of(random)
    above = (
        '<table><tr><td colspan="5"><b>Stock report</b></td></tr></table>\n<table width="100%"><tr>'
        '<td>Printed:</td><td>25.11.2026</td></tr></table>'
    )
    text = (
        '<HTML><HEAD><TITLE>Crystal Report Viewer</TITLE>'
        '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=utf-8"></HEAD>\n<BODY BGCOLOR="FFFFFF">'
        f'{above}\n<TABLE BORDER=0><TR>{tag("TD", HEADER)}</TR>\n{lines_of(rows, "TD").replace("tr>", "TR>")}'
        '</TABLE>\n</BODY></HTML>'
    )
    return html_file(random, text, [HEADER, *rows])


@kind
def title_in_the_first_row(random):
    rows = rows_of(random)
    text = (
        '<html><body><table><tr><td colspan="5">Price list 2026</td></tr><tr><td colspan="5">All prices in EUR</td>'
        f'</tr>{with_head(rows)}</table></body></html>'
    )
    return html_file(random, text, [HEADER, *rows], is_checked=False)


@kind
def menu_before_the_table(random):
    """A page whose first table is its layout."""
    rows = rows_of(random)
    menu = '<table class="menu"><tr><td><a href="/">Home</a></td><td><a href="/stock">Stock</a></td></tr></table>'
    text = (
        '<!DOCTYPE html><html><head><title>Stock</title><style>td { color: red }</style>'
        f'<script>if (1 < 2) document.write("<table>")</script></head><body>{menu}<h1>Stock</h1><table id="stock">'
        f'<thead><tr>{tag("th", HEADER)}</tr></thead><tbody>{lines_of(rows)}</tbody></table></body></html>'
    )
    return html_file(random, text, [HEADER, *rows], is_checked=False)


@kind
def two_tables_in_a_page(random):
    """Two brands, each with its table: nobody can know whether both are wanted."""
    rows, others = rows_of(random, 6), rows_of(random, 3)
    text = f'<html><body><h2>Alpina</h2><table>{with_head(rows)}</table><h2>Cedro</h2><table>{with_head(others)}</table></body></html>'
    file = html_file(random, text, [HEADER, *rows], is_ambiguous=True, is_checked=False)
    file.tables.append(simple_table([HEADER, *rows, *others]))
    return file


@kind
def parts_of_a_table(random):
    """Head, body and foot; the foot has the sum."""
    rows = rows_of(random)
    foot = '<tfoot><tr><td>Total</td><td></td><td></td><td></td><td>99</td></tr></tfoot>'
    body = ''.join(f'<tbody>{lines_of(part)}</tbody>' for part in (rows[:2], rows[2:]))
    head = f'<caption>Stock</caption><colgroup><col><col></colgroup><thead><tr>{tag("th", HEADER)}</tr></thead>'
    text = f'<table>{head}{body}{foot}</table>'
    with_foot = [HEADER, *rows, ['Total', '', '', '', '99']]
    return html_file(random, text, with_foot)


@kind
def cells_that_span(random):
    """A category for several rows, and a name over two columns: the first cell has the value."""
    rows = rows_of(random, 4)
    body = (
        f'<tr><td rowspan="2">Shoes</td>{tag("td", rows[0][:2])}<td>{rows[0][4]}</td></tr><tr>'
        f'{tag("td", rows[1][:2])}<td>{rows[1][4]}</td></tr><tr><td>Hats</td><td colspan="2">{rows[2][0]}</td><td>'
        f'{rows[2][4]}</td></tr><tr><td>Hats</td>{tag("td", rows[3][:2])}<td>{rows[3][4]}</td></tr>'
    )
    text = f'<table><tr>{tag("th", ["Category", "SKU", "Name", "Stock"])}</tr>{body}</table>'
    cells = [
        ['Shoes', *rows[0][:2], rows[0][4]],
        [Either(['', 'Shoes']), *rows[1][:2], rows[1][4]],
        ['Hats', rows[2][0], Either(['', rows[2][0]]), rows[2][4]],
        ['Hats', *rows[3][:2], rows[3][4]],
    ]
    return html_file(random, text, [['Category', 'SKU', 'Name', 'Stock'], *cells], is_checked=False)


@kind
def tags_that_are_left_out(random):
    """HTML needs neither the ends of rows nor those of cells."""
    rows = rows_of(random)
    lines = [HEADER, *rows]
    text = (
        '<TABLE>\n'
        + ''.join('<TR>' + ''.join(f'<TD>{html.escape(cell, quote=False)}\n' for cell in row) for row in lines)
        + '</TABLE>'
    )
    return html_file(random, text, lines)


@kind
def entities_of_html(random):
    """With and without a semicolon, and some that are none."""
    written = [
        'Caf&eacute; &amp; Bar',
        '5 &euro;',
        '&Uuml;bergr&ouml;&szlig;e',
        'a&nbsp;b',
        'R&D',
        '&#8364; &#x20AC;',
        'x &lt; y &gt; z',
        '&copy; 2026',
    ]
    shown = ['Café & Bar', '5 €', 'Übergröße', Either(['a\u00a0b', 'a b']), 'R&D', '€ €', 'x < y > z', '© 2026']
    rows = [[f'A-{at}', text, str(at)] for at, text in enumerate(shown)]
    body = ''.join(f'<tr><td>A-{at}</td><td>{text}</td><td>{at}</td></tr>' for at, text in enumerate(written))
    return html_file(
        random,
        f'<html><body><table><tr>{tag("th", ["SKU", "Name", "Stock"])}</tr>{body}</table></body></html>',
        [['SKU', 'Name', 'Stock'], *rows],
    )


@kind
def content_in_cells(random):
    """Links, pictures, breaks, fields and comments: their texts are the cells."""
    rows, body = [], []
    for one in draw_products(random):
        body.append(
            f'<tr><td><input type="hidden" name="id" value="{one.id}"><a href="/p/{one.id}">{one.sku}</a></td><td>'
            '<b>Boot</b> <span style="color:red">sale</span></td><td>first<br>second</td><td>'
            f'<img src="{one.images[0]}" alt="x"></td><td><!-- old: 5 -->{one.qty}</td></tr>'
        )
        rows.append(
            {
                'SKU': one.sku,
                'Name': 'Boot sale',
                'Text': Either(['first\nsecond', 'first second']),
                'Picture': Either(['', one.images[0], 'x']),
                'Stock': one.qty,
            }
        )
    text = f'<html><body><table><tr>{tag("th", rows[0])}</tr>{"".join(body)}</table></body></html>'
    file = html_file(random, text, rows, is_checked=False)
    file.tables[0].columns[3].is_optional = True
    return file


@kind
def white_space_in_cells(random):
    """As it is indented; runs of it are one blank."""
    rows = rows_of(random)
    body = '\n'.join(
        '  <tr>\n'
        + '\n'.join(f'    <td>\n      {html.escape(cell, quote=False)}\n    </td>' for cell in row)
        + '\n  </tr>'
        for row in [HEADER, *rows]
    )
    return html_file(random, f'<table>\n{body}\n</table>\n', [HEADER, *rows])


@kind
def table_in_a_table(random):
    """The layout of the page is a table around it."""
    rows = rows_of(random)
    inner = f'<table border="1">{with_head(rows)}</table>'
    text = (
        f'<html><body><table width="100%"><tr><td>Menu</td><td>{inner}</td></tr><tr><td>Foot</td><td>2026</td></tr>'
        '</table></body></html>'
    )
    return html_file(random, text, [HEADER, *rows], is_checked=False)


@kind
def html_in_windows_1251(random):
    names = ['Мужская обувь', 'Отвёртка', 'Кухонный нож', 'Синяя куртка']
    rows = [[f'00{at}', name, str(at)] for at, name in enumerate(names, 5)]
    header = ['Артикул', 'Название', 'Остаток']
    text = (
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"></head><body><table>'
        f'{lines_of([header, *rows])}</table></body></html>'
    )
    return html_file(random, text, [header, *rows], 'windows-1251')


@kind
def html_in_latin_2(random):
    names = ['Dětské oblečení', 'Kuchyňský nůž', 'Šroubovák', 'Żółta kurtka']
    rows = [['Kód', 'Název', 'Sklad'], *([f'00{at}', name, str(at)] for at, name in enumerate(names, 5))]
    text = f"<html><head><meta charset='iso-8859-2'></head><body><table>{lines_of(rows)}</table></body></html>"
    return html_file(random, text, rows, 'iso-8859-2')


@kind
def html_in_utf_16(random):
    rows = [HEADER, *rows_of(random)]
    return html_file(
        random, f'<html><body><table>{lines_of(rows)}</table></body></html>', rows, 'utf-16', is_checked=False
    )


@kind
def html_with_a_mark(random):
    rows = [HEADER, *rows_of(random)]
    return html_file(random, f'<table>{lines_of(rows)}</table>', rows, 'utf-8-sig')


@kind
def zeros_in_html(random):
    """Texts are what they are: a reader must not make numbers of them."""
    rows = [
        [f'{at:08}', value, f'{at}']
        for at, value in enumerate(
            ['1.10', '1e3', '12345678901234567890', '0,50', '1.234,00', '2026-11-25', '-0', '50%']
        )
    ]
    header = ['Article', 'Value', 'Stock']
    return html_file(random, f'<table>{lines_of([header, *rows])}</table>', [header, *rows])


@kind
def pandas_to_html(random):
    rows = rows_of(random)
    text = pandas.DataFrame(rows, columns=HEADER).to_html(index=False)
    return html_file(random, text, [HEADER, *rows])


@kind
def page_without_rows(random):
    return refused(f'<html><body><table><tr>{tag("th", HEADER)}</tr></table></body></html>', 'xls')


@kind
def page_without_a_table(random):
    return refused(
        '<html><head><title>Export</title></head><body><p>No products were found.</p><p>Try other filters.</p>'
        '</body></html>',
        'xls',
    )


@kind
def html_that_is_cut_off(random):
    """Whole rows, but no end: more may have been lost."""
    rows = rows_of(random, 12)
    text = f'<html><body><table>{with_head(rows)}</table></body></html>'
    return refused(text[: text.rindex('<td>') - 10], 'xls')


@kind
def html_by_libreoffice(random):
    """Numbers stand there as they are shown, and as they are in attributes."""
    sheet = Sheet('Stock', draw_table(random, ['sku', 'name', 'category', 'price', 'stock', 'date', 'description']))
    page = convert({'stock.xlsx': write_openpyxl(Book([sheet], [sheet.name]))}, 'html')['stock.xlsx']
    header, *rows = table_of(sheet)
    for row, line in zip(rows, list(lxml.html.fromstring(page).iter('tr'))[1:]):
        for column, cell in enumerate(line):
            shown = '\n'.join(text.strip(' ') for text in cell.itertext())
            row[column] = Either([shown, shown.replace('\n', ' '), row[column]])
    return File(page, 'xls', [simple_table([header, *rows])], is_checked=False)
